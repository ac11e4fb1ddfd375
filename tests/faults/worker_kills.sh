#!/bin/sh
# Kills workers at random moments, which take the blocks of a plan from a PostgreSQL store that this starts, and prints how many kills
# there were and whether every block is there once. KILLS=50 and SEED=1 may be set.
set -eu
cd "$(dirname "$0")/../.."
exec cargo test --package derny --test all database::many_random_kills -- --ignored --nocapture
