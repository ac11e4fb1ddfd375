#include "added.h"
#include <sstream>

static void BM_split(benchmark::State &state) {
    const std::string text = join(make_words(50));
    for (auto _ : state) {
        std::istringstream in(text);
        std::string word;
        while (in >> word) benchmark::DoNotOptimize(word);
    }
}
BENCHMARK(BM_split);
static const auto *const added = add("added/at/start", 5)->ArgName("n")->Arg(3);
