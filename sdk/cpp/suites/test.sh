#!/usr/bin/env bash
# Tests Google Benchmark programs in a project like a user's, without a network. Needs an engine (DERNY_BIN),
# CMake, Ninja and Google Benchmark.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. ../../../tests/checks.sh
suites=$PWD
project=$place/project
# Keep the store and the builds in the project, as for users.
unset DERNY_STORE CXX CC CXXFLAGS CFLAGS LDFLAGS CMAKE_GENERATOR

derny() { "$DERNY_BIN" "$@"; }
export -f derny
told() { # told TEXT FILE: fails unless the output in FILE contains TEXT
    cat "$2" && grep -qF -- "$1" "$2"
}
configure() { # configure FOLDER GENERATOR ARGUMENT...: configures a folder like its user
    cmake -S "$project" -B "$1" -G "$2" -DWITH_BENCHMARKS=ON "${@:3}" >"$place/configured" 2>&1
}
build() { # build FOLDER GENERATOR ARGUMENT...: configures a folder and builds it
    configure "$@" && cmake --build "$1" >"$place/configured" 2>&1
}
own_names() { # own_names PROGRAM...: prints the names that Google Benchmark lists
    local each
    for each; do "$each" --benchmark_list_tests; done | LC_ALL=C sort
}
same_names() { # same_names FOLDER: fails unless Derny and the programs of a build folder list the same names
    diff <(own_names "$1/words_bench" "$1/own_main") <(printed_names)
}
printed_names() { # prints the cases with the names that Google Benchmark uses
    (cd "$project" && derny -qq list -f json | jq -r '.[] | select(.skip == null) | .printed // .id.benchmark' | LC_ALL=C sort)
}
is_as_it_was() { # fails if a file of the project was added or changed, outside of build folders and .derny
    [ "$(files)" = "$before" ]
}
files() { (cd "$project" && find . \( -path ./.derny -o -path './build*' \) -prune -o -type f -print | LC_ALL=C sort | xargs cksum | cksum); }

cp -r tests/project "$place"
before=$(files)
cd "$project" || exit 1

# Derny extracts `DoNotOptimize` from the user's header. Versions of the header end in different
# ways.
cut_out() { # cut_out END: prints the text that is extracted from a header with this end
    printf '%s\n' 'namespace benchmark {' '#if !defined(__GNUC__)' '#define BENCHMARK_HAS_NO_INLINE_ASSEMBLY' '#endif' \
        'template <class T> inline void DoNotOptimize(T &value) {' '#ifdef X' '  a(value);' '#endif' '}' "$1" 'after' >"$place/header.h"
    printf '#include "%s/replay/optimize.hpp"\n#include <cstdio>\nint main(int, char **v) { std::fputs(replay::optimize_text(replay::read_file(v[1])).c_str(), stdout); }\n' \
        "$suites" >"$place/cut.cpp"
    { [ -x "$place/cut" ] || g++ -std=c++17 -O0 "$place/cut.cpp" -o "$place/cut"; } && "$place/cut" "$place/header.h" | tail -n 1
}
for end in '}  // namespace benchmark' '}  // end namespace benchmark' 'class Counter {' '// This class is used for user-defined counters.'; do
    check "DoNotOptimize ends before \"$end\"" test "$(cut_out "$end")" = '}'
done

# The user's own build folder, with each generator. The folder of the last one stays.
for generator in "Unix Makefiles" Ninja; do
    rm -rf build .derny
    check "the project is built with $generator" build build "$generator" -DCMAKE_BUILD_TYPE=Release
    check "$generator: the names are those of Google Benchmark" same_names build
    check "$generator: each benchmark runs once" says "7 passed" derny run --once
    check "$generator: no file of the project was changed or added" is_as_it_was
done
check "cases belong to the files that define them" says "bench/split_bench/BM_split" derny -qq list -f plain
check "a file selects its own cases" says "BM_split" derny -qq list -f plain bench/split_bench.cc
check "and no others" bash -c '! derny -qq list -f plain bench/split_bench.cc | grep BM_join'
check "the user's build is still up to date" says "no work to do" ninja -C build -n
check "a build folder selects its programs" says "7 passed" derny run --once build
check "a program selects its cases" says "1 passed" derny run --once build/own_main
touch src/words.cc
is_built_first() { derny run --once BM_split >/dev/null; says "no work to do" ninja -C build -n; }
check "what is out of date is built first" is_built_first

# Sides: two build folders, flags, revisions. One small program is enough.
check "a second build folder is configured" configure build-other Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo
check "two build folders are sides" says "1 passed" derny run --once -x old=build -x new=build-other bench/own_main.cc
check "a folder is chosen, and named" says "built in build: choose another" derny list
rm -rf build-other
check "flags are a side" says "1 passed" derny run --once -x head -x other+build:CXXFLAGS=-DOTHER bench/own_main.cc
git init -q && git -c user.name=a -c user.email=a@b add CMakeLists.txt bench src added && git -c user.name=a -c user.email=a@b commit -qm one
check "a revision is a side" says "1 passed" derny run --once -x HEAD -x head bench/own_main.cc
rm -rf .git

# A project without a build folder.
rm -rf build .derny
check "a project is configured, with its benchmarks on" says "configured with WITH_BENCHMARKS" derny list
check "each benchmark runs once then" says "7 passed" derny run --once
configure build Ninja -DCMAKE_BUILD_TYPE=Debug
check "a build folder of another type is not used" says "its build type is Debug" derny list

# Builds with various options.
for how in "-DWITH_HEADERS=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON" "-DCMAKE_UNITY_BUILD=ON"; do
    rm -rf build .derny
    # shellcheck disable=SC2086 # several flags
    build build Ninja -DCMAKE_BUILD_TYPE=Release $how
    check "$how: the names are the same" same_names build
    check "$how: each benchmark runs once" says "7 passed" derny run --once
done
rm -rf build .derny
configure build Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-fsanitize=address
check "figures with a sanitizer are marked" says "address sanitizer" derny run --quick bench/own_main.cc

# Failing builds.
rm -rf build .derny
configure build Ninja -DCMAKE_BUILD_TYPE=Release -DWITH_BROKEN=ON -DWITH_SILENT=ON
check "a target that does not compile is one failure" says "there_is_no_such_function" derny run --once bench/broken.cc bench/own_main.cc
check "the others are measured" says "1 passed" derny run --once bench/broken.cc bench/own_main.cc
check "a program whose main runs none of its benchmarks is measured" says "1 passed" derny run --once bench/silent_main.cc
sed -i.old 's/^CMAKE_CACHEFILE_DIR.*/CMAKE_CACHEFILE_DIR:INTERNAL=\/elsewhere\/build/' build/CMakeCache.txt
check "a build folder of another machine is named" says "was configured as /elsewhere/build" derny list build
check "a folder that was never configured is named" says "is not a build folder" derny run --once -x new=src -x head

# A Makefile without CMake, whose commands run again with other outputs, and Meson.
plain=$place/plain
mkdir "$plain" && cp -r "$project/src" "$project/bench/own_main.cc" "$project/bench/silent_main.cc" "$plain" && cd "$plain" || exit 1
project=$plain
cat >Makefile <<'MAKE'
CXXFLAGS += -Isrc
all: words.o
bench: own silent_main
words.o: src/words.cc
	$(CXX) $(CXXFLAGS) -c $<
own: own_main.cc words.o
	@echo building $@
	$(CXX) $(CXXFLAGS) $^ -o $@ -lbenchmark -lpthread
silent_main: silent_main.o words.o
	cd . && $(CXX) $^ -lbenchmark -o $@
MAKE
before=$(ls)
check "the benchmarks of a Makefile run" says "2 passed" derny run --once
check "nothing is built beside the sources" test "$before" = "$(ls)"
check "a file of a Makefile selects its cases" says "own_main/own/main" derny -qq list -f plain own_main.cc
touch src/words.h
printf '#!/bin/sh\necho "$*" >>"$0.log"\nexec g++ "$@"\n' >"$place/noted-gcc" && chmod +x "$place/noted-gcc"
sides() { CXX=$place/noted-gcc derny run --once -x head -x size+build:CXXFLAGS=-Os -x gcc=g++ "$@"; }
compiled() { grep google/main.cpp "$place/noted-gcc.log" | grep -v -e ' -P '; }
check "flags and a compiler are sides of a Makefile" says "1 passed" sides own_main.cc
check "Derny's own source is compiled with the flags of each side" test "$(compiled | wc -l) $(compiled | grep -c -e -Os)" = "2 1"
check "another program of a Makefile has these sides" says "1 passed" sides silent_main.cc
check "programs with the same flags share the objects of Derny's own source" test "$(compiled | wc -l)" = 2
sed -i.old 's/+=/=/' Makefile
check "flags that a Makefile ignores are named" says "ignores CXXFLAGS=-Os" derny run --once -x size+build:CXXFLAGS=-Os own_main.cc
if command -v meson >/dev/null; then
    rm Makefile
    cat >meson.build <<'MESON'
project('plain', 'cpp')
executable('own', 'own_main.cc', 'src/words.cc', include_directories: 'src', dependencies: dependency('benchmark'), cpp_args: '-O0')
MESON
    check "a project of Meson is configured" says "1 passed" derny run --once own/main
else
    skip "Meson" "it is not installed"
fi
sum
exit $status
