#!/bin/sh
# Builds benches of Cargo packages for the engine: build.sh SDK ARGUMENTS. The builder is a Rust
# program, which this script compiles before its first use. It is not optimised, because optimising
# would take longer than it saves.
set -e
sdk=$1
shift
cache=${DERNY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/derny}/rust
builder=$cache/build-$(cat "$sdk"/suites/cargo/*.rs | cksum | cut -d' ' -f1)
if ! [ -x "$builder" ]; then
    if ! command -v rustc >/dev/null 2>&1; then
        echo "Rust is not installed: \`rustc\` was not found" >&2
        echo "try: install Rust 1.66 or later (https://rustup.rs)" >&2
        exit 1
    fi
    # A private folder, because a concurrent compilation would write temporary files of the same
    # names.
    mkdir -p "$cache/new-$$"
    (cd "$sdk" && rustc --edition 2021 -C debuginfo=0 --crate-name derny_build -o "$cache/new-$$/build" suites/cargo/main.rs)
    # If several processes compile the builder at once, keep the first result. A running builder
    # must not be replaced, since it passes its own path to Cargo.
    ln "$cache/new-$$/build" "$builder" 2>/dev/null || [ -x "$builder" ] || mv "$cache/new-$$/build" "$builder"
    rm -rf "$cache/new-$$"
fi
exec "$builder" build --sdk "$sdk" "$@"
