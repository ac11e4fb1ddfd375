#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nanobench.h>
#include <string>

void more(ankerl::nanobench::Bench &bench);

int main(int argc, char **) {
    ankerl::nanobench::Bench bench;
    std::string text = "one two three";
    int calls = 0;
    bench.run("find", [&] { ankerl::nanobench::doNotOptimizeAway(text.find('w')); });
    bench.title("sort").unit("word");
    for (int n : {10, 100}) {
        std::vector<int> all(static_cast<std::size_t>(n));
        bench.complexityN(n).batch(n).run("random", [&] {
            for (int &each : all) each = std::rand();
            std::sort(all.begin(), all.end());
        });
    }
    // Programs may read the results of a benchmark.
    std::printf("%f\n", bench.results().front().median());
    ankerl::nanobench::Bench().epochIterations(5).epochs(3).run("five at a time", [&] { calls++; });
    if (calls % 5 != 0) return 1;
    more(bench);
    if (argc > 1) bench.complexityN(-1).batch(1).run("with an argument", [&] { calls++; });
}
