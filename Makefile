# Builds the engine the way OpenBench and other testers ask for it:
#   make EXE=name [EVALFILE=path]
# Needs cargo (https://rustup.rs). Works from a source archive, without git.
# EVALFILE is a network to build in instead of the one in nets/.

EXE   ?= clavier
CARGO ?= cargo

ifdef EVALFILE
export CLAVIER_EVALFILE := $(abspath $(EVALFILE))
export RUSTFLAGS := $(RUSTFLAGS) --cfg evalfile
endif

.PHONY: openbench test clean

openbench:
	$(CARGO) rustc --locked --release --bin clavier -- --emit link=$(EXE)

test:
	$(CARGO) test --locked

clean:
	$(CARGO) clean
