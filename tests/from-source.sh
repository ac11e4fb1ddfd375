#!/usr/bin/env bash
# Installs the engine with Cargo only, as users without a release do, and without optional features.
# It needs a separate build, so it is not part of `make test`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
passed=0 failed=0

check() { # check NAME COMMAND...
    local name=$1
    shift
    if (cd "$place" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
root=$PWD
mkdir "$place/bin" "$place/home"
for program in node sh env; do ln -s "$(command -v $program)" "$place/bin/$program"; done
echo "import { bench } from 'derny'; bench('one', () => 1 + 1);" >"$place/x.bench.mjs"
bare() { env -i PATH="$place/bin:$place/cargo/bin" HOME="$place/home" "$@"; }
from_source() {
    # Disable optimisation, which would take longer than it saves for a few starts.
    local plain=() crate
    for crate in engine estimate import; do plain+=(--config "profile.dev.package.derny-$crate.opt-level=0"); done
    CARGO_TARGET_DIR=$root/target cargo install --path "$root/crates/cli" --root "$place/cargo" --locked --debug --quiet "${plain[@]}" &&
        bare derny run --once
}
lacks() { # lacks FEATURE COMMAND...: succeeds if a build without the feature names it and ends with 2
    local feature=$1 said
    shift
    said=$(bare "$@" 2>&1)
    [ $? = 2 ] && grep -q -- "--features $feature" <<<"$said"
}
without_features() { lacks png derny plot -o picture.png && lacks mcp derny mcp && lacks postgres derny runs --store postgresql:///nowhere && [ ! -e picture.png ]; }
check "cargo install --path installs the engine" from_source
check "a build without features says what it lacks" without_features
echo "$passed passed, $failed failed"
[ $failed = 0 ]
