#!/bin/sh
# Builds programs that use other benchmark libraries: build.sh SDK LIBRARY ARGUMENT... The builder is a C++
# program, which this script compiles once. Optimising it would take longer than it saves.
set -eu
sdk=$1
cache=${DERNY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/derny}/cpp
builder=$cache/replay-$(cat "$sdk"/suites/replay/* | cksum | cut -d' ' -f1)
if ! [ -x "$builder" ]; then
    compiler=${CXX:-c++}
    if ! command -v "${compiler%% *}" >/dev/null 2>&1; then
        echo "no C++ compiler: \`$compiler\` was not found" >&2
        echo "try: install gcc 9 or clang 9, or later: apt-get install g++" >&2
        exit 1
    fi
    # A private folder, because several processes may compile the builder at once. The first result is kept.
    mkdir -p "$cache/new-$$"
    # shellcheck disable=SC2086 # CXX may have several words
    $compiler -std=c++17 -O0 -pthread -o "$cache/new-$$/replay" "$sdk/suites/replay/main.cpp"
    ln "$cache/new-$$/replay" "$builder" 2>/dev/null || [ -x "$builder" ] || mv "$cache/new-$$/replay" "$builder"
    rm -rf "$cache/new-$$"
fi
exec "$builder" "$@"
