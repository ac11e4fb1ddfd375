#!/usr/bin/env bash
# Tests the layers for other suites with their own packages, which npm installs once into `target`.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
cache=$(cd ../../.. && pwd)/target/javascript-suites
status=0

# has NAME PACKAGE...: installs packages into the folder NAME of the cache.
has() {
    local folder=$cache/$1
    shift
    [ "$(cat "$folder/wanted" 2>/dev/null)" = "$*" ] && return
    rm -rf "$folder" && mkdir -p "$folder" && echo '{ "private": true }' >"$folder/package.json"
    npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; return 1; }
    echo "$*" >"$folder/wanted"
}
has tinybench-2 tinybench@2.9.0 &&
    has tinybench-3 tinybench@3.1.1 &&
    has tinybench-4 tinybench@4.1.0 &&
    has tinybench-5 tinybench@5.1.0 &&
    has tinybench-6 tinybench@6.2.5 &&
    has vitest-3 vitest@3.2.7 happy-dom@20.0.10 &&
    has vitest-4 vitest@4.1.12 &&
    has vitest-5 vitest@5.1.2 happy-dom@20.0.10 node@24.21.0 || { echo "npm could not install the packages of the tests"; exit 1; }
DERNY_TEST_PACKAGES=$cache timeout 300 node --test test/*.test.cjs || status=1
exit $status
