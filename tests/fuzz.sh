#!/bin/sh
# Changes files of other tools at random and reads them, for the given number of seconds (default:
# two minutes). Inputs that panic, hang or take too much memory are kept in
# crates/import/tests/corpus, which `cargo test` replays. Accepts SEED=1 and FORMAT=jmh.
set -eu
cd "$(dirname "$0")/.."
export DERNY_FUZZ_SECONDS="${1:-120}" DERNY_FUZZ_SEED="${SEED:-1}"
[ -z "${FORMAT:-}" ] || export DERNY_FUZZ_FORMAT="$FORMAT"
exec cargo test --package derny-import --test all fuzz::what_may -- --nocapture
