#!/bin/sh
# Builds benches of Cargo packages for the engine: build.sh SDK ARGUMENTS. The builder is a Rust program of its own, compiled once by
# the compiler that is there. It has little to do: to optimise it would take longer than it ever works.
set -e
sdk=$1
shift
cache=${DERNY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/derny}/rust
builder=$cache/build-$(cat "$sdk"/suites/cargo/*.rs | cksum | cut -d' ' -f1)
if ! [ -x "$builder" ]; then
    if ! command -v rustc >/dev/null 2>&1; then
        echo "there is no Rust here: \`rustc\` is not found" >&2
        echo "try: install Rust 1.66 or later (https://rustup.rs)" >&2
        exit 1
    fi
    # A folder of its own, since another may be compiling it at the same time: what rustc leaves meanwhile has the same names.
    mkdir -p "$cache/new-$$"
    (cd "$sdk" && rustc --edition 2021 -C debuginfo=0 --crate-name derny_build -o "$cache/new-$$/build" suites/cargo/main.rs)
    # The first that is ready stays: a builder that is at work must not be replaced, since it names itself to Cargo.
    ln "$cache/new-$$/build" "$builder" 2>/dev/null || [ -x "$builder" ] || mv "$cache/new-$$/build" "$builder"
    rm -rf "$cache/new-$$"
fi
exec "$builder" build --sdk "$sdk" "$@"
