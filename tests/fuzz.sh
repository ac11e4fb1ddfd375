#!/bin/sh
# Changes files of other tools at random and reads them, for as many seconds as the first word says (two minutes). What panics, hangs or takes too
# much memory is kept in crates/import/tests/corpus, which `cargo test` replays. SEED=1 and FORMAT=jmh may be set.
set -eu
cd "$(dirname "$0")/.."
export DERNY_FUZZ_SECONDS="${1:-120}" DERNY_FUZZ_SEED="${SEED:-1}"
[ -z "${FORMAT:-}" ] || export DERNY_FUZZ_FORMAT="$FORMAT"
exec cargo test --package derny-import --test all fuzz::what_may -- --nocapture
