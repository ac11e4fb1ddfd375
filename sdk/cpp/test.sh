#!/usr/bin/env bash
# Runs all tests of this SDK: conformance, behaviour seen through the protocol, and builds of projects. Needs
# an engine (DERNY_BIN, or derny on the PATH) and gcc. Skips the tests with clang if it is not installed.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
sdk=$PWD
. ../../tests/checks.sh
export DERNY_STORE=$place/store
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I"$sdk/include")

compile() { # compile COMPILER SOURCE PROGRAM FLAG...
    local compiler=$1 source=$2 program=$3
    shift 3
    "$compiler" "${warnings[@]}" "$@" "$sdk/$source" -o "$place/$program"
}
talk() { # talk PROGRAM LINE...: acts as the engine, and prints the replies
    local program=$1
    shift
    printf '%s\n' "$@" quit | DERNY_COMMANDS=/dev/stdin DERNY_REPLIES=/dev/stdout "$place/$program" | cat
}
measured() { # measured PROGRAM CASE ITERATIONS BATCHES: prints the replies after `opened`, without times
    talk "$1" "open benchmark=$2" "measure iterations=$3 batches=$4 within=60000000000" close | sed '1,2d; /^times/d'
}
is() { # is WANTED COMMAND...: succeeds if the output is WANTED
    local wanted=$1 output
    shift
    output=$("$@" 2>&1)
    diff <(echo "$wanted") <(echo "$output")
}
one_line() { # one_line COMMAND...: fails unless the output is one line
    local output was
    output=$("$@" 2>&1)
    was=$?
    echo "$output"
    [ "$(wc -l <<<"$output")" = 1 ] && return "$was"
}

# Compile with several standards and optimisation levels, and strict warnings. A program with sanitizers is
# g++'s without optimisation. For clang++ the conformance program is the optimised one.
sanitized="c++17 -O0 -fsanitize=address,undefined"
compilers=("gcc g++")
if command -v clang++ >/dev/null; then compilers+=("clang clang++"); else skip "clang" "it is not installed"; fi
for pair in "${compilers[@]}"; do
    read -r c cpp <<<"$pair"
    for how in "c11 -O0" "gnu11 -O1" "c17 -O3"; do
        # shellcheck disable=SC2086 # flags
        check "$c compiles C without a warning, -std=$how" compile "$c" test/features.c "features-$c${how#* }" -std=$how
    done
    hows=("$sanitized" "c++20 -O3")
    [ "$cpp" = g++ ] || hows=("c++17 -O0" "c++20 -fsyntax-only")
    for how in "${hows[@]}"; do
        # shellcheck disable=SC2086 # flags
        check "$cpp compiles C++ without a warning, -std=$how" compile "$cpp" test/features.cpp "features-$cpp${how#* }" -std=$how
    done
    check "$cpp compiles C++ without exceptions and types" compile "$cpp" test/more.cpp "more-$cpp.o" -std=c++17 -O2 -fno-exceptions -fno-rtti -c
    check "$c compiles the conformance program" compile "$c" conformance/conformance.c "conformance-$c" -std=c11 -O2
    check "$cpp compiles the conformance program" compile "$cpp" conformance/conformance.cpp "conformance-$cpp" -std=c++17 -O3
done
# The programs whose behaviour is checked.
ln "$place/features-g++-O3" "$place/cpp"
ln "$place/features-gcc-O3" "$place/c"
ln "$place/features-g++${sanitized#* }" "$place/sanitized"
for pair in "${compilers[@]}"; do
    for compiler in $pair; do
        # With clang, test only the loop, which is the only difference from gcc.
        words=()
        [[ $compiler != clang* ]] || words=(measure error check- overhead self values twins)
        "$DERNY_BIN" dev conform "${words[@]}" -- "$place/conformance-$compiler" || status=1
    done
done

# Results of a body are destroyed before the next call, or while the clock is stopped.
check "each result is destroyed before the next call" is $'end\nclosed ops=4000 v.made:count=4000 v.alive:count=0 v.most:count=1' \
    measured cpp life/results 2000 2
check "results are kept for drop_outside" is $'end\nclosed ops=4000 v.made:count=4000 v.alive:count=0 v.most:count=256' \
    measured cpp life/kept 2000 2
check "fresh inputs are made in advance, and used up" is $'end\nclosed ops=4000 v.made:count=4000 v.alive:count=0 v.most:count=1024' \
    measured cpp life/fresh 2000 2
check "fresh inputs may be taken by reference" is $'end\nclosed ops=4000 v.made:count=4000 v.alive:count=0 v.most:count=1024' \
    measured cpp life/fresh%20by%20reference 2000 2
check "C makes fresh inputs of together 1 MiB, and puts them away" is \
    $'end\nclosed ops=4000 v.made:count=4000 v.alive:count=0 v.most:count=209' measured c life/fresh 2000 2

for program in c cpp; do
    options='ops=4 bytes=30 items=7 unit=word max_iterations=5 isolate=1 env=K%3Dv%2Cw tags=x%2Cy,z metrics=a%253Ab:c%2525:peak:less'
    check "a case says all that was defined, in $program" says "case benchmark=options p.n=3 p.text=a,b p.half=0.5 $options" \
        talk $program list
    for threads in 1 3; do
        check "$threads threads call a body, in $program" is "end
closed ops=200 v.calls:count=$((200 * threads)) v.threads:count=$threads" \
            measured $program "threads p.threads=$threads" 10 20
    done
    check "hooks are called around each batch, in $program" says "hooks: sb2ccab2ccat" measured $program hooks 2 2
done
check "a failure in a thread is one of the case, in C" says "error message=failure:%20in%20thread%201 detail=at%20" \
    measured c thread_fails 2 2
check "a failure in a thread is one of the case, in C++" says "error message=std::logic_error:%20in%20thread%201 " \
    measured cpp thread%20fails 2 2
check "the case closes after it" says "closed" measured cpp thread%20fails 2 2
check "nested exceptions are told" says "std::runtime_error:%20outer detail=because%20of%20std::invalid_argument:%20inner" \
    measured cpp failures/nested 2 2
check "what is no exception class is told by its type" says "an%20exception%20of%20type%20int" measured cpp failures/number 1 1
check "derny::fail tells its place" says "error message=no%20luck detail=at%20$sdk/test/features.cpp:" measured cpp failures/fails 1 1
check "a body may skip, in C++" says "skip reason=not%20now" measured cpp failures/skips 1 1
check "a body may skip, in C" says "skip reason=not%20now" measured c skips 1 1
check "a value of the wrong type is an error" says "n%20has%20the%20wrong%20type" \
    talk cpp "open benchmark=failures/not%20a%20number p.n=x"
hash() { talk cpp "open benchmark=hashed" check | grep -o 'hash=.*'; }
check "equal results of containers have equal hashes" is "$(hash)" hash

# A program may consist of several files in both languages.
for pair in "${compilers[@]}"; do
    read -r c cpp <<<"$pair"
    several() {
        cd "$place" && "$c" "${warnings[@]}" -c "$sdk/test/more.c" -o more-c.o &&
            "$cpp" "${warnings[@]}" -std=c++17 "$sdk/test/main.cpp" "$sdk/test/more.cpp" more-c.o -o "several-$c"
    }
    check "$c and $cpp make one program of several files" several
    check "it lists the benchmarks of all of them" is $'in another suite\nin main\nin more\nin_c' \
        bash -c "'$place/several-$c' --list | sort"
done

# Sanitizers find no errors, and the figures of instrumented programs are marked.
for case in life/fresh life/kept "threads p.threads=3" thread%20fails failures/nested hooks hashed; do
    check "sanitizers find nothing in ${case//%20/ }" bash -c "! grep -i 'sanitizer:\|runtime error' <<<'$(measured sanitized "$case" 50 3 2>&1)'"
done
check "a program with sanitizers says so" says "settings=compiler%3Dno%20optimisation,instrumented%3Daddress%20sanitizer" talk sanitized list
check "a program without optimisation says so" says "settings=compiler%3Dno%20optimisation" talk features-gcc-O0 list

# Programs started by a user.
check "without an engine, one line says what to do" refuses "PATH" one_line env -u DERNY_BIN PATH= "$place/cpp"
check "--help says how it is used" ends 0 "usage: " "$place/cpp" --help
check "a single variable of the engine is refused" refuses "DERNY_COMMANDS is not" one_line env DERNY_REPLIES=/dev/null "$place/c"
check "a program starts the engine" ends 0 "1 passed" "$place/cpp" --once life/results
check "a program lists by the engine" ends 0 "18 cases" "$place/cpp" list
check "a crash is one error of its case" ends 3 "SIGSEGV" "$place/cpp" --once crash life/results
check "the other cases are measured" says "1 passed" "$place/c" --once crash hooks
check "an abort is one error of its case" ends 3 "SIGABRT" "$place/c" --once abort hooks

# Projects that the engine builds: a single file, CMake, make, and the files that `derny init` writes.
project() { # project NAME: creates a project, in which the next checks run
    project=$place/projects/$1
    mkdir -p "$project/bench"
    git -C "$project" init -q
}
once() { "$DERNY_BIN" run --once "$@"; }
program() { # program NAME: prints a program with one benchmark, which needs `answer` from another file
    printf '#include <derny.hpp>\nint answer();\nDERNY_SUITE(suite) { suite.bench("%s", answer); }\nDERNY_MAIN();\n' "$1"
}

project plain
cp "$sdk/test/main.cpp" "$project/bench/main.cpp"
cp "$sdk/test/features.c" "$project/parse_bench.c"
cp "$sdk/test/more.cpp" "$project/bench/more.cpp"
check "programs are found by their main" ends 0 "2 suites" env CFLAGS=-O0 CXXFLAGS=-O0 "$DERNY_BIN" list
check "a file in C++ is built by itself" ends 0 "1 passed" once bench/main.cpp
check "a file in C is built by itself" ends 0 "2 passed" once parse_bench.c hooks life/fresh
check "CXXFLAGS are used" ends 2 "no-such.h" env CXXFLAGS="-include no-such.h" "$DERNY_BIN" run --once bench/main.cpp
check "a variant may be another compiler" ends 2 "no-such-compiler" "$DERNY_BIN" run --once -x new=no-such-compiler bench/main.cpp
echo 'nonsense' >>"$project/bench/main.cpp"
check "a program that cannot be built is reported, and the others are checked" ends 3 "1 passed" once hooks "in main"

project cmake
program "by CMake" >"$project/bench/speed.cpp"
echo 'int answer() { return ANSWER; }' >"$project/answer.cpp"
cat >"$project/CMakeLists.txt" <<'X'
cmake_minimum_required(VERSION 3.13)
project(answers CXX)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_FLAGS_RELEASE -O0)
option(WRONG "Leave the answer out" OFF)
add_library(answer answer.cpp)
if(NOT WRONG)
  target_compile_definitions(answer PRIVATE ANSWER=42)
endif()
add_subdirectory(bench)
X
printf 'add_executable(renamed speed.cpp)\ntarget_link_libraries(renamed answer)\n' >"$project/bench/CMakeLists.txt"
if command -v cmake >/dev/null; then
    check "a CMake project builds the executable that has the file" ends 0 "1 passed" once
    check "it is built in a folder of Derny's own" bash -c "! ls '$project'/CMakeCache.txt '$project'/build 2>/dev/null"
    check "arguments go to cmake" ends 2 "ANSWER" once -x head -x wrong+build:-DWRONG=ON
    printf 'add_executable(other other.cpp)\n' >"$project/bench/CMakeLists.txt"
    cp "$sdk/test/main.cpp" "$project/bench/other.cpp"
    cp "$sdk/test/main.cpp" "$project/bench/alone.cpp"
    check "a file of no target is built by itself" ends 0 "1 passed" env CXXFLAGS=-O0 "$DERNY_BIN" run --once bench/alone.cpp
else
    skip "CMake projects" "cmake is not installed"
fi

project make
program "by make" >"$project/bench/speed.cpp"
echo 'int answer() { return 42; }' >"$project/answer.cpp"
printf 'bench/speed: bench/speed.cpp answer.cpp\n\t$(CXX) -std=c++17 $^ -o $@ -pthread\n' >"$project/Makefile"
check "make builds the program of the file's name" ends 0 "1 passed" once
cp "$sdk/test/main.cpp" "$project/bench/alone.cpp"
check "a file without a rule is built by itself" ends 0 "1 passed" env CXXFLAGS=-O0 "$DERNY_BIN" run --once bench/alone.cpp
check "nothing of it is left in the project" bash -c "! ls '$project/bench/alone' 2>/dev/null"
cp "$sdk/test/main.cpp" "$project/bench/phony.cpp"
printf '.PHONY: bench/phony\nbench/phony:\n\t./run\n' >>"$project/Makefile"
check "a target that is no file is not called" ends 0 "1 passed" env CXXFLAGS=-O0 "$DERNY_BIN" run --once bench/phony.cpp
check "make's errors are told" ends 2 "nonsense" bash -c "echo nonsense >answer.cpp; '$DERNY_BIN' run --once bench/speed.cpp"

for language in c cpp; do
    project "init-$language"
    check "derny init $language writes a first benchmark" ends 0 "wrote  bench/first.$language" "$DERNY_BIN" init $language
    check "derny run measures what init $language wrote" ends 0 "2 cases" "$DERNY_BIN" run --quick
    check "its Makefile works" bash -c "CFLAGS=-O0 CXXFLAGS=-O0 make -s -C bench first && bench/first --list"
    rm -f "$project/bench/first"
    ! command -v cmake >/dev/null ||
        check "its CMakeLists.txt works" bash -c "cmake -S bench -B built -DCMAKE_C_FLAGS_RELEASE=-O0 -DCMAKE_CXX_FLAGS_RELEASE=-O0 && cmake --build built && built/first --list"
done
sum
suites/google/test.sh || status=1
suites/test.sh || status=1
suites/nanobench/test.sh || status=1
if echo '#include <catch2/catch.hpp>' | g++ -E -x c++ - >/dev/null 2>&1; then
    suites/catch2/test.sh || status=1
else
    skip "Catch2" "it is not installed"
fi
exit $status
