#!/usr/bin/env bash
# For every change: lint, the unit tests of all crates, and whole comparisons with the scripted harness. `make test` has everything else.
# The last line is `N of N passed`, and the exit status 1 if something failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
# What `make test` builds is what this builds.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
passed=0 failed=0

step() { # step NAME COMMAND...: its output if it fails
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
