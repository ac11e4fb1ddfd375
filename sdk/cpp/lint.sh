#!/usr/bin/env bash
# Compiles the headers and the conformance programs with each compiler and standard. Turns on
# strict warnings, because users may turn them on too. Needs no network.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
status=0
lint() { # lint COMPILER SOURCE STANDARD...
    local compiler=$1 source=$2 standard
    shift 2
    command -v "$compiler" >/dev/null || { echo "SKIPPED: lint of C and C++ by $compiler, which is missing"; return; }
    for standard; do
        "$compiler" "-std=$standard" -O2 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude "$source" || status=1
    done
}
for compiler in gcc clang; do lint "$compiler" conformance/conformance.c c11 gnu11 c17; done
for compiler in g++ clang++; do lint "$compiler" conformance/conformance.cpp c++17 c++20; done
exit $status
