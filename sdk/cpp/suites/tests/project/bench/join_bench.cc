#include "added.h"

static void BM_join(benchmark::State &state) {
    const auto words = make_words(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(join(words));
    count(state);
}
BENCHMARK(BM_join)->Arg(8)->Arg(64);
