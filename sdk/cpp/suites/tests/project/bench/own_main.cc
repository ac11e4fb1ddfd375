#include "words.h"
#include <benchmark/benchmark.h>

static void BM_own(benchmark::State &state) {
    const auto words = make_words(10);
    for (auto _ : state) benchmark::DoNotOptimize(join(words));
}

int main(int argc, char **argv) {
    benchmark::RegisterBenchmark("own/main", BM_own);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
