#include "added.h"

benchmark::internal::Benchmark *add(const char *name, int size) {
    return benchmark::RegisterBenchmark(name, [size](benchmark::State &state) {
        const auto words = make_words(size);
        for (auto _ : state) benchmark::DoNotOptimize(join(words));
    });
}

void count(benchmark::State &state) { state.counters["calls"] = static_cast<double>(state.iterations()); }
