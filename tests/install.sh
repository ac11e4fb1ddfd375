#!/usr/bin/env bash
# Installs Derny from the sources, and the SDK from its folder, without a package registry. Then
# measures with only node, the engine and a few coreutils on the PATH. Uses the engine DERNY_BIN, or
# the checkout's debug build. tests/release.sh tests the files of a release.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
root=$PWD
engine=${DERNY_BIN:-$root/target/debug/derny}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0 failed=0

check() { # check NAME COMMAND...: runs in the installed project
    local name=$1
    shift
    if (cd "$place/project" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}

# bare COMMAND...: runs the command in an environment with only the installed programs.
bare() { env -i PATH="$place/bin:$place/prefix/bin" HOME="$place/home" CI=true "$@"; }
without_engine() { env -i PATH="$place/bin" HOME="$place/home" "$@"; }

mkdir -p "$place/bin" "$place/home" "$place/project" "$place/second"
for program in node sh env cat ls mkdir rm uname; do
    ln -s "$(command -v $program)" "$place/bin/$program"
done
cat >"$place/project/x.bench.mjs" <<'X'
import { bench } from 'derny';

const words = Array.from({ length: 1000 }, (_, i) => `word${i}`);

bench('join', { params: { n: [10, 1000] }, setup: ({ n }) => words.slice(0, n) }, (list) => list.join(' '));
X
cat >"$place/project/package.json" <<'X'
{ "name": "project", "version": "1.0.0", "private": true }
X

# Succeeds if the document on standard input has two measured cases within their intervals, and 1000
# words are slower than 10.
check_document() {
    node -e '
        const { suites } = JSON.parse(require("fs").readFileSync(0, "utf8"));
        const times = suites.flatMap((suite) => suite.cases).map(({ variants: [{ time }] }) => time.typical);
        const inside = ({ value, interval }) => 0 < value && interval === null; // of so few processes there is none
        if (times.length !== 2 || !times.every(inside) || times[1].value < 10 * times[0].value) {
            console.error(JSON.stringify(times));
            process.exit(1);
        }'
}
measured() { bare derny run --quick --format json >document.json && check_document <document.json; }
table() { # table COMMAND...: succeeds if the standard output is a table with both cases
    local text
    text=$("$@") && echo "$text" && grep -q 'n=10  .*[0-9] .s ' <<<"$text" && grep -q 'n=1000  .*[0-9] .s ' <<<"$text"
}
told_how_to_install() {
    local text status
    text=$(without_engine node x.bench.mjs 2>&1)
    status=$?
    echo "$text"
    [ $status = 2 ] && [ "$(wc -l <<<"$text")" = 1 ] && grep -q PATH <<<"$text"
}
packed() { npm pack "$root/sdk/javascript" --silent --pack-destination "$place"; }
installed() { npm install --offline --no-audit --no-fund --silent "$1" && [ -f node_modules/derny/package.json ]; }
alone() { [ "$(ls node_modules)" = derny ]; }
from_folder() {
    rm -rf node_modules package-lock.json
    installed "$root/sdk/javascript" && bare derny run --once -- node x.bench.mjs
}

check "the engine is copied to a prefix" "$root/scripts/install.sh" "$place/prefix" "$engine"
check "it says its version" bare derny --version
check "a benchmark passes before any SDK is installed" bare derny run --once
check "npm pack makes a tarball" packed
check "the tarball installs without a registry" installed "$place"/derny-*.tgz
check "and brings nothing else" alone
check "derny run --once" bare derny run --once
check "derny run measures what is there to be measured" measured
check "node x.bench.mjs starts the engine" table bare env DERNY_BUDGET=1s node x.bench.mjs
check "without an engine it says in one line what to do" told_how_to_install
check "the SDK installs from its folder" from_folder

echo "$passed passed, $failed failed"
[ $failed = 0 ]
