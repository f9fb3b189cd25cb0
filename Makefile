# Builds the engine the way OpenBench and other testers ask for it:
#   make EXE=name [EVALFILE=network] [PROFILE=fast]
# Needs cargo (https://rustup.rs). Works from a source archive, without git.

EXE   ?= clavier
# The network that the binary carries, else nets/default.nnue.
export EVALFILE
# `fast` builds quicker and plays a few percent slower.
PROFILE ?= release
CARGO   ?= cargo

.PHONY: openbench test clean

openbench:
	$(CARGO) rustc --locked --profile $(PROFILE) --bin clavier -- --emit link=$(EXE)

test:
	$(CARGO) test --locked

clean:
	$(CARGO) clean
