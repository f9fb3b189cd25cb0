# Builds the engine the way OpenBench and other testers ask for it:
#   make EXE=name [EVALFILE=network]
# Needs cargo (https://rustup.rs). Works from a source archive, without git.

EXE   ?= clavier
# The network that the binary carries, else nets/default.nnue.
export EVALFILE
CARGO ?= cargo

.PHONY: openbench test clean

openbench:
	$(CARGO) rustc --locked --release --bin clavier -- --emit link=$(EXE)

test:
	$(CARGO) test --locked

clean:
	$(CARGO) clean
