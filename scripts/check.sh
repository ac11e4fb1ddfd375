#!/usr/bin/env bash
# Runs for every change: lint, the unit tests of all crates, and whole comparisons with the scripted harness.
# `make test` runs everything else. The last line is `N of N passed`, and the exit status is 1 if something
# failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
# Use the same settings as `make test`, so that both share a build.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
passed=0 failed=0

step() { # step NAME COMMAND...: prints the output if the command fails
    local name=$1 start=$SECONDS said
    shift
    if said=$("$@" 2>&1 </dev/null); then
        passed=$((passed + 1))
        echo "passed  $name, $((SECONDS - start)) s"
    else
        failed=$((failed + 1))
        printf '%s\nFAILED  %s, %s s\n' "$said" "$name" $((SECONDS - start))
    fi
}

step "lint" scripts/lint.sh
step "unit tests" cargo test --workspace --locked --quiet --lib --bins
step "comparisons with the scripted harness" cargo test --package derny-workbench --locked --quiet --test all
echo "$passed of $((passed + failed)) passed"
[ $failed = 0 ]
