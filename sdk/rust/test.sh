#!/usr/bin/env bash
# All tests of this SDK: its own and those of its documentation, its lessons once each, conformance, and a project of its own
# that installs, builds and measures. They need an engine (DERNY_BIN, or derny on the PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
sdk=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
target=${CARGO_TARGET_DIR:-$sdk/../../target}
export CARGO_TARGET_DIR=$target/sdk-rust
DERNY_BIN=$(command -v "${DERNY_BIN:-derny}") || { echo "there is no engine: set DERNY_BIN"; exit 1; }
export DERNY_BIN
status=0 passed=0 failed=0

check() { # check NAME COMMAND...: runs in the project
    local name=$1
    shift
    if (cd "$place" && "$@") >"$place/log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1)) status=1
        echo "FAILED  $name"
        sed 's/^/    /' "$place/log"
    fi
}
says() { # says TEXT COMMAND...: its output has the text
    local text=$1 output
    shift
    output=$("$@" 2>&1) && echo "$output" && grep -qF -- "$text" <<<"$output"
}
refuses() { # refuses TEXT COMMAND...: it ends with status 2 and says the text in one line
    local text=$1 output status
    shift
    output=$("$@" 2>&1)
    status=$?
    echo "$output"
    [ "$status" = 2 ] && [ "$(wc -l <<<"$output")" = 1 ] && grep -qF -- "$text" <<<"$output"
}
layouts_differ() {
    DERNY_PADDING=$1 sh "$sdk/build.sh" "$place/benches/first.rs" "$place/layout/$1" &&
        DERNY_PADDING=0 sh "$sdk/build.sh" "$place/benches/first.rs" "$place/layout/0" &&
        ! cmp -s "$place/layout/$1" "$place/layout/0" && "$DERNY_BIN" run --once -- "$place/layout/$1"
}

cargo test --quiet || status=1
cargo build --quiet --release --examples || status=1
"$DERNY_BIN" conform -- "$CARGO_TARGET_DIR/release/examples/conformance" || status=1

mkdir "$place/src" "$place/examples"
cp examples/*.rs "$place/examples"
touch "$place/src/lib.rs"
cat >"$place/Cargo.toml" <<X
[package]
name = "project"
version = "0.0.0"
edition = "2021"

[lib]
bench = false

[dev-dependencies]
derny-bench = { path = "$sdk" }

[[bench]]
name = "first"
harness = false

[workspace]
X
check "derny init writes a first benchmark" says "wrote  benches/first.rs" "$DERNY_BIN" init
check "derny list builds it and tells its cases" says "n=1000" "$DERNY_BIN" list
check "derny run measures it" says "2 cases" "$DERNY_BIN" run --quick
check "derny run measures a file that is named" says "1 case" "$DERNY_BIN" run --quick benches/first.rs -p n=5
for lesson in sorting traps; do
    check "the lesson $lesson works" says "examples/$lesson" "$DERNY_BIN" run --once "examples/$lesson.rs"
done
check "cargo bench starts the engine" says "1 case" cargo bench --quiet -- --quick n=1000
check "cargo test runs each once" says "1 passed" cargo test --quiet --benches
check "without an engine it says in one line what to do" refuses "PATH" \
    env -u DERNY_BIN PATH= "$place/.derny/builds/build-0"/*/benches/first
check "padding gives another layout" layouts_differ 7
printf 'fn main() {}\n' >"$place/benches/other.rs"
check "a file that does not use the SDK is left alone" says "1 suite" "$DERNY_BIN" list
echo 'oops' >>"$place/benches/first.rs"
check "what cannot be built is named" bash -c '"$1" run --once 2>&1 | grep -q "cannot be built"' - "$DERNY_BIN"
suites/test.sh || status=1
echo "$passed passed, $failed failed"
exit $status
