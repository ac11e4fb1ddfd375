#!/usr/bin/env bash
# The simulated error rates, coverage and power of comparisons, as the tables of docs/simulations.md. Some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo test --quiet --release --locked --package derny-analysis --test simulation -- --ignored --nocapture
