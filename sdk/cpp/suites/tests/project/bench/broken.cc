#include <benchmark/benchmark.h>

static void BM_broken(benchmark::State &state) {
    for (auto _ : state) there_is_no_such_function();
}
BENCHMARK(BM_broken);
