#!/usr/bin/env bash
# Tests Catch2 benchmarks in a project like a user's. Needs an engine (DERNY_BIN), CMake, make and
# Catch2, version 2 or 3.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../../../tests/checks.sh
# Keep the store and the builds in the project, as for users.
unset DERNY_STORE CXX CC CXXFLAGS CFLAGS LDFLAGS CMAKE_GENERATOR
project=$place/project
cp -r tests/project "$place"
cd "$project" || exit 1

derny() { "$DERNY_BIN" "$@"; }
export -f derny
configure() { { cmake -S . -B build && cmake --build build; } >"$place/configured" 2>&1; }
listed() { derny -qq list -f plain; }
files() { find . \( -path ./.derny -o -path './build*' \) -prune -o -type f -print | LC_ALL=C sort | xargs cksum | cksum; }
before=$(files)
is_as_it_was() { [ "$(files)" = "$before" ]; }
once() { derny run --once "$@"; }
# own_names PROGRAM: prints the names from Catch2's XML.
own_names() {
    build/unit "$1" --order decl --benchmark-samples 1 --benchmark-no-analysis -r xml | awk -F'"' '
        /<TestCase name=/ { depth = 1; path[1] = $2 }
        /<Section name=/ { path[++depth] = $2 }
        /<\/Section>/ { depth-- }
        /<BenchmarkResults name=/ { whole = ""; for (i = 1; i <= depth; i++) whole = whole path[i] "/"; print whole $2 }
    ' | LC_ALL=C sort
}
same_names() { diff <(own_names "$1") <(listed | sed 's|^tests/words/||; s| #[0-9]*$||' | grep "^$1" | LC_ALL=C sort); }

check "the project is built" configure
check "the names are those of Catch2" same_names sorting
check "a test without the tag is there too" says "tests/words/not hidden/append" listed
check "benchmarks of all sections and generated values are there" says "tests/words/sorting/parts/copy 20" listed
check "those after a crash and a failure are there" bash -c "derny -qq list -f plain | grep -c 'crash/after\|wrong/right' | grep -x 2"
check "what fails is an error of its case, and the others run" ends 3 "failed" once
check "a failed assertion is named" ends 3 "1 + 1 == 3" once wrong/require
check "an exception is named" ends 3 "no luck" once wrong/throw
check "a crash is told" ends 3 "SIGSEGV" once crash/crash
check "a benchmark after a crash runs" ends 0 "1 passed" once crash/after
check "a test that fails before its benchmarks is one error" says "the test failed before its benchmarks" derny list
check "a benchmark in a section runs" ends 0 "1 passed" once "sorting/whole/deeper/find"
check "words after --args choose tests" bash -c "derny -qq list -f plain --args 'sorting' | grep -q find && ! derny -qq list -f plain --args 'sorting' | grep append"
check "a case is measured" ends 0 "1 case" derny run --quick "sorting/whole/sort"
check "no file of the project was changed or added" is_as_it_was
sum
exit $status
