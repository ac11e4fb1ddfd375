#!/usr/bin/env bash
# Simulates error rates, coverage and power of comparisons. Prints the tables of docs/explain/verdicts.md, and
# those that docs/notes/001, 010, 011 and 014 summarise, under today's rule. Takes half an hour on two
# processors. An argument is the folder of the JMH series of Traini et al. (`data/timeseries/all` of
# SEALABQualityGroup/steady-state on GitHub; docs/notes/001), which are then resampled instead.
set -euo pipefail
cd "$(dirname "$0")/.."
simulate() {
    cargo run --quiet --release --locked --package derny-testkit --bin derny-simulate -- "$@"
}
if [ $# -gt 0 ]; then
    simulate jmh "$1"
    exit
fi
cargo test --quiet --release --locked --package derny-analysis --test all simulation:: -- --ignored --nocapture
simulate single
simulate many
simulate shapes 500
simulate days
simulate precise
simulate fleet
