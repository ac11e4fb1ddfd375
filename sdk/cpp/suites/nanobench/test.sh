#!/usr/bin/env bash
# Tests nanobench programs in a project like a user's. Uses a substitute for nanobench's header, and
# no network. Needs an engine (DERNY_BIN), CMake and make.
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
program() { find "$project/.derny" -type f -path "*/bench/$1" | head -1; }
talk() { # talk PROGRAM LINE...: acts as the engine, and prints the replies without `derny`
    local own
    own=$(program "$1")
    shift
    printf '%s\n' "$@" quit | DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout "$own" | grep -v '^derny '
}
turn='measure iterations=3 batches=2 within=60000000000'

check "the project is built" configure
check "without a build folder, ours is configured" bash -c "mv build ../away; derny -qq list -f plain >../list; mv ../away build; grep -qx bench/words/find ../list"
check "cases are named by title and name" says "bench/words/sort/random" listed
check "complexityN is a parameter" says "N=100" derny list
check "cases belong to the files that define them" says "bench/more/more/last" listed
check "a header that is included by its place is replaced too" says "bench/beside/beside" listed
check "the others run, and what fails is an error of its case" ends 3 "8 passed, 4 failed" derny run --once
once() { derny run --once "$@"; }
check "an exception that nobody catches is named" ends 3 "std::runtime_error: no luck" once more/throw
check "an exception that the program catches is an error too" ends 3 "an exception ended the benchmark" once more/caught
check "a crash is told" ends 3 "SIGSEGV" once more/crash
check "an exit within the benchmark is told" ends 3 "the program ended inside the benchmark" once more/end
check "options that have no effect are named" says "relative has no effect" once more/last
check "arguments go to the program" ends 0 "1 passed" once --args x "sort/with an argument"
check "a case is measured" ends 0 "find" derny run --quick bench/words/find
check "no file of the project was changed or added" is_as_it_was
check "the user's build is still up to date" bash -c "! cmake --build build | grep -i building"

# The conversation with a program.
check "batch, unit and an exact count are told" says "case benchmark=sort/random p.N=10 ops=10 unit=word" talk words list
check "an exact count has no other" says "case benchmark=five%20at%20a%20time ops=5 max_iterations=1" talk words list
check "names that occur twice have places" says "case benchmark=more/twice file=$project/bench/more.cpp at=2" talk more list
check "an unknown case is an error" says "error message=open:%20there%20is%20no%20benchmark%20x" talk words "open benchmark=x"
check "a later case opens in the same walk" says "closed" talk words "open benchmark=find" close "open benchmark=sort/random p.N=100" close
again() { talk words list "open benchmark=sort/random p.N=100" check close "open benchmark=find" "$turn" close; }
check "an earlier case opens in a new walk" bash -c "$(declare -f talk program again); project='$project' turn='$turn' again | grep -E '^(opened|checked|closed|times|end)' | cut -d' ' -f1 | tr '\n' ' ' | grep -x 'end opened checked closed opened times end closed '"
check "list after open is refused" says "only%20allowed%20before%20the%20first%20open" talk words "open benchmark=find" close list
check "a program that is started by hand runs each benchmark once" says "without it" bash -c "'$(program beside)'"
sum
exit $status
