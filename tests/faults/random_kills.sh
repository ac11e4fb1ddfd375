#!/bin/sh
# Kills engines and JavaScript harnesses at random moments (release build, real processes, Linux) and prints how many
# orphans stayed, how many finished cases were lost and how many resumes completed. KILLS=50 and SEED=1 may be set.
set -eu
cd "$(dirname "$0")/../.."
exec cargo test --release --package derny --test all random_kills:: -- --ignored --nocapture
