#!/bin/sh
# Kills workers at random moments, which take the shards of a plan from a PostgreSQL store that this starts, and prints how many kills
# there were and whether every case is there once. After every tenth kill the server is started again. Where faketime is installed, every
# second worker lives two days ahead. KILLS=50 and SEED=1 may be set.
set -eu
cd "$(dirname "$0")/../.."
[ -n "${CLOCKS:-}" ] || CLOCKS=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
echo "clocks: ${CLOCKS:-not apart; type: apt-get install faketime}"
export CLOCKS
exec cargo test --package derny --test all database::many_random_kills -- --ignored --nocapture
