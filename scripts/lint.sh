#!/usr/bin/env bash
# Checks formatting, clippy with warnings as errors, shell scripts, linters of the SDKs, and the rules of
# ARCHITECTURE.md.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
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

# All shell scripts, whether committed or not yet.
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard -- '*.sh' .ci/run)
scripts_parse() {
    local file
    for file in "${scripts[@]}"; do
        bash -n "$file" || return 1
    done
}
scripts_hold() { shellcheck --format=gcc "${scripts[@]}"; } # .shellcheckrc has the rules

check formatting cargo fmt --all --check
check clippy cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
check "syntax of the scripts" scripts_parse
if command -v shellcheck >/dev/null; then
    check shellcheck scripts_hold
else
    echo "SKIPPED: shellcheck, which is not installed (scripts/setup.sh --tests says how)"
fi
# Run the linters of the languages. Each prints the names of skipped checks.
for linter in sdk/*/lint.sh; do
    check "$linter" "$linter"
done
echo "$passed passed, $failed failed"
tests/rules.sh || failed=$((failed + 1))
[ $failed = 0 ]
