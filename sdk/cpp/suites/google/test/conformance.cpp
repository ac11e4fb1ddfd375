// Benchmarks that `derny dev conform` runs, as far as they need no parameters. The names of this library's cases
// contain their arguments.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>

static void Busy(int us) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
    while (std::chrono::steady_clock::now() < end) {
    }
}
static void Empty(benchmark::State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(Empty)->Name("conform/empty");
static void Print(benchmark::State &state) {
    for (auto _ : state) {
        std::puts("times 1 2 3");
        std::fflush(stdout);
        std::fputs("error message=printed fatal=1\n", stderr);
    }
}
BENCHMARK(Print)->Name("conform/print");
static void Skip(benchmark::State &state) {
    state.SkipWithMessage("not here");
    for (auto _ : state) Busy(1);
}
BENCHMARK(Skip)->Name("conform/skip");
static void Twin(benchmark::State &state) {
    for (auto _ : state) Busy(20);
}
BENCHMARK(Twin)->Name("conform/twin");
static void OtherTwin(benchmark::State &state) {
    for (auto _ : state) Busy(200);
}
BENCHMARK(OtherTwin)->Name("conform/twin");
