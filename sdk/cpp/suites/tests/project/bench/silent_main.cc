// A program that registers a benchmark, but whose `main` does not run it.
#include "words.h"
#include <benchmark/benchmark.h>

static void BM_silent(benchmark::State &state) {
    for (auto _ : state) benchmark::DoNotOptimize(join({"a", "b"}));
}
BENCHMARK(BM_silent);

int main() {
    return 3;
}
