// Benchmarks that `derny dev conform` runs. known-failing.txt lists the known failures.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

static void Busy(int64_t us) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
    while (std::chrono::steady_clock::now() < end) {
    }
}
static void Empty(benchmark::State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(Empty)->Name("conform/empty");
BENCHMARK(Empty)->Name("conform/params/size:1/kind:a");
BENCHMARK(Empty)->Name("conform/params/size:1/kind:b");
BENCHMARK(Empty)->Name("conform/params/size:2/kind:a");
BENCHMARK(Empty)->Name("conform/text/text:plain");
static void Wait(benchmark::State &state) {
    for (auto _ : state) Busy(state.range(0));
}
BENCHMARK(Wait)->Name("conform/busy")->ArgName("us")->Arg(20)->Arg(200)->Arg(20000);
static void Setup(benchmark::State &state) {
    for (auto _ : state) {
        state.PauseTiming();
        Busy(2000);
        state.ResumeTiming();
        Busy(20);
    }
}
BENCHMARK(Setup)->Name("conform/setup");
static void Print(benchmark::State &state) {
    for (auto _ : state) {
        std::puts("times 1 2 3");
        std::fflush(stdout);
        std::fputs("error message=printed fatal=1\n", stderr);
    }
}
BENCHMARK(Print)->Name("conform/print");
static void Throw(benchmark::State &state, const std::string &at) {
    if (at == "setup") throw std::runtime_error("thrown in setup");
    for (auto _ : state) {
        if (at == "call") throw std::runtime_error("thrown in call");
    }
    if (at == "teardown") throw std::runtime_error("thrown in teardown");
}
BENCHMARK_CAPTURE(Throw, setup, "setup")->Name("conform/throw/at:setup");
BENCHMARK_CAPTURE(Throw, call, "call")->Name("conform/throw/at:call");
BENCHMARK_CAPTURE(Throw, teardown, "teardown")->Name("conform/throw/at:teardown");
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
