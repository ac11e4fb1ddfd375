# Thin: what happens stands in scripts/.
.PHONY: demo demo-all check test lint install dist docs bench truth trials peers simulate

PREFIX ?= /usr/local
# What is built lies in target/, where scripts look for it.
unexport CARGO_TARGET_DIR

demo:            ## sets up, builds the least, runs the lessons in two languages, prints tables
	@scripts/demo.sh

demo-all:        ## the same in every language, and the engine's own benchmarks
	@scripts/demo.sh --all

check:           ## for every change: lint, unit tests, whole comparisons with the scripted harness (3 minutes, once it is built)
	@scripts/check.sh

test:            ## every test there is; the last line says how many passed and failed
	@scripts/test.sh

lint:            ## formatting, clippy, shellcheck, the SDKs' linters, import rules
	@scripts/lint.sh

install:         ## builds the engine and copies it to PREFIX/bin
	@scripts/install.sh "$(PREFIX)"

dist:            ## what a release consists of, in target/dist: static engines, packages that carry them, a script that installs, checksums
	@scripts/dist.sh

docs:            ## the documents as a site with search, in target/book/html; the reference of all crates, in target/doc
	@scripts/docs.sh

bench:           ## Derny measured by Derny (derny.toml)
	@scripts/bench.sh

truth:           ## Derny beside plain loops, in every language: whether its figures are right (an hour)
	@scripts/truth.sh

trials:          ## how often Derny finds differences that are known, and how fast (an hour)
	@scripts/trials.sh

peers:           ## the same work by Derny and by other tools in turn, in one table; they are installed outside the checkout (an hour)
	@scripts/peers.sh

simulate:        ## error rates, coverage and power of comparisons under simulated noise, as docs/explain/verdicts.md has them (half an hour)
	@scripts/simulate.sh
