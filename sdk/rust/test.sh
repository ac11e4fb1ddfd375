#!/usr/bin/env bash
# Runs all tests of this SDK: unit and documentation tests, the examples once each, conformance, and
# a separate project that installs, builds and measures. Needs an engine (DERNY_BIN, or derny on the
# PATH).
set -uo pipefail
cd "$(dirname "$0")" || exit 1
sdk=$PWD
. ../../tests/checks.sh
target=${CARGO_TARGET_DIR:-$sdk/../../target}
export CARGO_TARGET_DIR=$target/sdk-rust
one_line() { # one_line COMMAND...: fails unless the output is one line
    local output was
    output=$("$@" 2>&1)
    was=$?
    echo "$output"
    [ "$(wc -l <<<"$output")" = 1 ] && return "$was"
}
layouts_differ() {
    DERNY_PADDING=$1 sh "$sdk/build.sh" "$place/benches/first.rs" "$place/layout/$1" &&
        DERNY_PADDING=0 sh "$sdk/build.sh" "$place/benches/first.rs" "$place/layout/0" &&
        ! cmp -s "$place/layout/$1" "$place/layout/0" && "$DERNY_BIN" run --once -- "$place/layout/$1"
}

cargo test --quiet || status=1
cargo build --quiet --release --examples || status=1
"$DERNY_BIN" dev conform -- "$CARGO_TARGET_DIR/release/examples/conformance" || status=1

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
check "derny init writes a first benchmark" ends 0 "wrote  benches/first.rs" "$DERNY_BIN" init
check "derny list builds the benchmark and lists its cases" ends 0 "n=1000" "$DERNY_BIN" list
check "derny run measures the benchmark" ends 0 "2 cases" "$DERNY_BIN" run --quick
check "derny run measures a given file" ends 0 "1 case" "$DERNY_BIN" run --quick benches/first.rs -p n=5
for lesson in sorting traps; do
    check "the lesson $lesson works" ends 0 "examples/$lesson" "$DERNY_BIN" run --once "examples/$lesson.rs"
done
check "cargo bench starts the engine" ends 0 "1 case" cargo bench --quiet -- --quick n=1000
check "cargo test runs each benchmark once" ends 0 "1 passed" cargo test --quiet --benches
check "without an engine, one line says what to do" refuses "PATH" \
    one_line env -u DERNY_BIN PATH= "$place/.derny/builds/build-0"/*/benches/first
check "padding changes the layout" layouts_differ 7
printf 'fn main() {}\n' >"$place/benches/other.rs"
check "a file that does not use the SDK is ignored" ends 0 "1 suite" "$DERNY_BIN" list
echo 'oops' >>"$place/benches/first.rs"
check "a file that cannot be built is reported" bash -c '"$1" run --once 2>&1 | grep -q "cannot be built"' - "$DERNY_BIN"
suites/test.sh || status=1
sum
exit $status
