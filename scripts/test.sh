#!/usr/bin/env bash
# Runs all tests. The output of each suite goes to target/test/NAME.log, and is shown if the suite fails. The
# counts of all runners are added up. The last line is `N passed, N failed`. The exit status is 1 if anything
# failed, if a suite ran no test, or if a tool that a test needs is missing.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
logs=target/test
mkdir -p "$logs"
# Each test binary is linked and run once. Data for debuggers and incremental builds would take 5 GB of a
# small machine's disk.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
sums=$logs/sums

# Parse the summaries of the runners: cargo test, node --test (two reporters), and Derny's own.
count() { # count LOG: prints `passed failed skipped`
    awk '
        /^test result: / { passed += $4; failed += $6; skipped += $8 }
        /^(ℹ|#) pass [0-9]+$/ { passed += $3 }
        /^(ℹ|#) (fail|cancelled) [0-9]+$/ { failed += $3 }
        /^(ℹ|#) (skipped|todo) [0-9]+$/ { skipped += $3 }
        /^[0-9]+ passed$/ { passed += $1 }
        /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; if ($6 ~ /^skipped/) skipped += $5 }
        END { print passed + 0, failed + 0, skipped + 0 }
    ' "$1"
}

# suite NAME COMMAND...: runs a suite, prints one line with its times at the end, and records its counts.
suite() {
    local name=$1 log="$logs/$1.log" start=$SECONDS status user system passed failed skipped note=
    shift
    local TIMEFORMAT='%U %S'
    { time timeout --kill-after=10 2700 "$@" >"$log" 2>&1 </dev/null; } 2>"$log.time"
    status=$?
    read -r user system <"$log.time"
    read -r passed failed skipped < <(count "$log")
    if [ $((passed + failed)) = 0 ]; then
        note=' (no test ran)' failed=1
    elif [ $status = 124 ]; then
        note=' (stopped after 45 minutes)' failed=$((failed + 1))
    elif [ $status != 0 ] && [ "$failed" = 0 ]; then
        note=" (exit status $status)" failed=1
    fi
    [ "$skipped" = 0 ] || note="$note, $skipped skipped"
    printf '%-12s %s passed, %s failed%s, %s s, %.0f s of processor\n' "$name" "$passed" "$failed" "$note" $((SECONDS - start)) \
        "$(awk "BEGIN { print ${user/,/.} + ${system/,/.} }")"
    echo "$passed $failed $log" >>"$sums"
}

if ! scripts/setup.sh --install --tests; then
    echo "make test: a missing tool is a failure"
    echo "0 passed, 1 failed"
    exit 1
fi
# Build what the tests need. `cargo build` would build much of it again, because some crates have other
# features with the tests.
cargo test --workspace --locked --quiet --no-run || { echo "make test: it does not build"; echo "0 passed, 1 failed"; exit 1; }
# Use copies, because builds in one lane must not replace programs that the other lane runs, and no test
# should build them again.
mkdir -p "$logs/bin" && cp target/debug/{derny,derny-fake-harness,examples/history_site} "$logs/bin"
# Compile each SDK once for all suites. The tests of the command line use this folder too.
export DERNY_CACHE=${TMPDIR:-/tmp}/derny-cli-cache
# Tests do not wait for each other's measurements.
export DERNY_NO_QUEUE=1
export DERNY_BIN=$PWD/$logs/bin/derny DERNY_FAKE_HARNESS=$PWD/$logs/bin/derny-fake-harness DERNY_HISTORY_SITE=$PWD/$logs/bin/history_site

# one NAME: runs the suite with this name.
one() {
    case $1 in
        lint) suite lint scripts/lint.sh ;;
        # Most of these tests wait for processes or for time instead of using a processor.
        workspace) RUST_TEST_THREADS=4 DERNY_FUZZ_SECONDS=15 suite workspace cargo test --workspace --locked --no-fail-fast ;;
        install) suite install tests/install.sh ;;
        release) suite release tests/release.sh ;;
        action) suite action tests/action.sh ;;
        attacks) suite attacks tests/attacks.mjs ;;
        slurm) suite slurm tests/slurm.sh ;;
        recipes) suite recipes tests/recipes.sh ;;
        mcp) suite mcp tests/mcp-clients.sh ;;
        # Ignore derny.toml, whose suite `engine` needs a release build.
        lessons) suite lessons "$DERNY_BIN" --no-config --store "$logs/store" run --once examples sdk/*/bench ;;
        web) suite web web/test.sh ;;
        # Not a test: builds programs for the last suite, which would otherwise build them while nothing else
        # runs.
        truth-programs)
            node truth/truth.mjs --short --build --derny "$DERNY_BIN" >"$logs/truth-programs.log" 2>&1 ||
                grep -v ': built in ' "$logs/truth-programs.log"
            ;;
        peers) suite peers node --test peers/before-table.test.mjs peers/history-score.test.mjs peers/judge-statistics.test.mjs peers/statistics.test.mjs peers/tables.test.mjs ;;
        *) suite "$1" "sdk/$1/test.sh" ;;
    esac
}
export -f count suite one
export logs sums

# Run two suites at a time, because most tests wait for something. No test may depend on running alone. Each
# lane takes the next suite, longest first. Suites that build the workspace with Cargo come late, because only
# one may build at a time.
: >"$sums"
sdks=(sdk/*/)
sdks=("${sdks[@]%/}")
printf '%s\n' workspace "${sdks[@]#sdk/}" web truth-programs peers lessons action attacks slurm mcp recipes lint release install | xargs -P 2 -I {} bash -uo pipefail -c 'one {}'
# Run this suite alone, because it compares times.
suite truth node truth/truth.mjs --short --built --derny "$DERNY_BIN"

total_passed=0 total_failed=0
while read -r passed failed log; do
    total_passed=$((total_passed + passed)) total_failed=$((total_failed + failed))
    [ "$failed" = 0 ] || { echo "---- $log"; cat "$log"; echo "----"; }
done <"$sums"
echo "$total_passed passed, $total_failed failed"
[ $total_failed = 0 ]
