#!/usr/bin/env bash
# Tests of the report's page: types, that the committed build is the one of these sources, and the page in a real browser.
# Needs Node.js with npm, Chromium (or CHROMIUM=path), and an engine: DERNY_BIN, else the debug build.
set -euo pipefail
cd "$(dirname "$0")"
DERNY_BIN=${DERNY_BIN:-$PWD/../target/debug/derny}
export DERNY_BIN
npm ci --silent --ignore-scripts
node_modules/.bin/tsc --noEmit
node --test --test-concurrency=1 test/*.test.mjs
