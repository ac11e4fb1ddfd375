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
    mkdir -p "$cache"
    (cd "$sdk" && rustc --edition 2021 -C debuginfo=0 --crate-name derny_build -o "$builder.$$" suites/cargo/main.rs)
    mv "$builder.$$" "$builder"
fi
exec "$builder" build --sdk "$sdk" "$@"
