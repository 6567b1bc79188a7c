# SPDX-License-Identifier: Apache-2.0
# Each recipe runs one script. `make help` lists the targets.
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
PARTS ?=
export ARGS PREFIX DESTDIR PARTS

.DEFAULT_GOAL := help
.PHONY: help run test check bench soak docs api format deps deps-test install

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## install the packages for running, build and start the library (ARGS="--port 8421")
	@Scripts/run.sh

test: ## run all checks and tests, like CI
	@Scripts/test.sh

check: ## format, debug build, and the tests of what has changed since they last passed
	@Scripts/check.sh

bench: ## run the benchmarks, write .build/bench.json and print a table
	@Scripts/bench.sh

soak: ## repeat the tests that find rare faults (PARTS="kills bridge" ROUNDS=20)
	@Scripts/soak.sh

docs: ## build the documentation of all public modules as one site in .build/docs
	@Scripts/step.sh build >&2 && Scripts/docs.sh

api: ## rewrite Documentation/PublicAPI.json
	@Scripts/step.sh build >&2 && Scripts/public-api.sh --write

format: ## format all Swift files in place
	@Scripts/format.sh

deps: ## install the packages for building and running (ARGS=--with-sites: yt-dlp, too)
	@Scripts/deps.sh

deps-test: deps ## install the additional packages for tests and benchmarks
	@Scripts/deps-test.sh

install: ## install the program (PREFIX=/usr/local DESTDIR=)
	@Scripts/install.sh
