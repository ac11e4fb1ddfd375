#!/usr/bin/env bash
# Tests the page of a report and the site of histories: types, equality of the committed build with a
# new one, and the pages in a real browser. Needs Node.js with npm, Cargo, Chromium (or
# CHROMIUM=path), and an engine: DERNY_BIN, or the debug build.
set -euo pipefail
cd "$(dirname "$0")"
DERNY_BIN=${DERNY_BIN:-$PWD/../target/debug/derny}
export DERNY_BIN
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --ignore-scripts
node_modules/.bin/tsc --noEmit
node --test --test-concurrency=1 test/*.test.mjs
