#!/usr/bin/env bash
# Formatting, clippy with warnings as errors, the scripts' syntax, and the rules of ARCHITECTURE.md.
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0

check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

scripts_parse() {
    local file
    for file in scripts/*.sh tests/*.sh sdk/*/test.sh sdk/*/toolchain.sh .ci/run; do
        bash -n "$file" || return 1
    done
}

check formatting cargo fmt --all --check
check clippy cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
check "syntax of the scripts" scripts_parse
echo "$passed passed, $failed failed"
tests/rules.sh || failed=$((failed + 1))
[ $failed = 0 ]
