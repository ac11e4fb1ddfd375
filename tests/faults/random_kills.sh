#!/bin/sh
# Kills engines and JavaScript harnesses at random moments (release build, real processes, Linux).
# Prints the numbers of remaining orphans, lost finished cases and completed resumes. Accepts
# KILLS=50 and SEED=1.
set -eu
cd "$(dirname "$0")/../.."
exec cargo test --release --package derny --test all random_kills:: -- --ignored --nocapture
