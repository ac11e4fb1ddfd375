# The tools that C and C++ need, and their lessons for the demo. scripts/setup.sh and
# scripts/demo.sh source this file and explain the functions that it calls.
# shellcheck shell=bash
compiler_version() { "$1" -dumpfullversion -dumpversion 2>/dev/null; }
has_gxx() {
    local version
    version=$(compiler_version g++)
    [ -n "$version" ] && at_least 9 "$version"
}
has_clang() { command -v clang >/dev/null && command -v clang++ >/dev/null; }
has_cmake() { command -v cmake >/dev/null && command -v make >/dev/null; }
has_google_benchmark() { echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1; }
need "g++ 9 or later" has_gxx 9 "g++" "type: apt-get install g++"
tests_need "clang 9 or later, for the headers of C and C++" has_clang 9 "clang" "type: apt-get install clang"
tests_need "CMake and make, for benchmarks in C and C++" has_cmake 3.13 "cmake make" "type: apt-get install cmake make"
tests_need "Google Benchmark, whose names ours are compared with" has_google_benchmark 1.7 "libbenchmark-dev" "type: apt-get install libbenchmark-dev"
has_ninja() { command -v ninja >/dev/null; }
tests_need "Ninja, which builds what is measured again" has_ninja 1.8 "ninja-build" "type: apt-get install ninja-build"
has_catch2() { echo '#include <catch2/catch.hpp>' | g++ -E -x c++ - >/dev/null 2>&1; }
tests_need "Catch2, for its benchmarks" has_catch2 2.9 "catch2" "type: apt-get install catch2"

lessons C++ g++ 10 examples/0[12]-*/cpp/*_cpp_bench.cpp
lessons C cc 10 examples/0[12]-*/cpp/*_c_bench.c
