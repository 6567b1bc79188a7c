# SPDX-License-Identifier: Apache-2.0
# Every recipe is one script; `make help` lists them.
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
export ARGS PREFIX DESTDIR

.DEFAULT_GOAL := help
.PHONY: help run test bench soak docs api format deps deps-test install

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## install what running needs, build and start the library (ARGS="--port 8421")
	@Scripts/run.sh

test: ## every check and every test; what CI runs
	@Scripts/test.sh

bench: ## measure, write .build/bench.json and print the table
	@Scripts/bench.sh

soak: ## the tests that look for rare faults, repeated (ROUNDS=20 TIDINGS_SOAK_SECONDS=1200 TIDINGS_CRASH_ROUNDS=20)
	@Scripts/soak.sh

docs: ## documentation of every public module, into .build/docs
	@Scripts/docs.sh

api: ## rewrite Documentation/PublicAPI.json
	@Scripts/public-api.sh --write

format: ## format every Swift file in place
	@Scripts/format.sh

deps: ## install what building and running need
	@Scripts/deps.sh

deps-test: deps ## install what the tests and benchmarks need besides
	@Scripts/deps-test.sh

install: ## install the program (PREFIX=/usr/local DESTDIR=)
	@Scripts/install.sh
