#!/bin/sh
# Kills workers at random moments. They take the shards of a plan from a PostgreSQL store that this
# script starts. Prints the number of kills, and whether every case exists exactly once. Restarts
# the server after every tenth kill. If faketime is installed, the clock of every second worker is
# two days ahead. Accepts KILLS=50 and SEED=1.
set -eu
cd "$(dirname "$0")/../.."
[ -n "${CLOCKS:-}" ] || CLOCKS=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
echo "clocks: ${CLOCKS:-not apart; type: apt-get install faketime}"
export CLOCKS
exec cargo test --package derny --test all database::many_random_kills -- --ignored --nocapture
