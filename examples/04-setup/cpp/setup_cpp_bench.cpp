#include <derny.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

using numbers = std::vector<unsigned>;

/// Returns the same unsorted numbers in every process, so that all processes sort the same input.
static numbers disorder(const derny::params &p) {
    numbers all(p.get<std::size_t>("n"));
    unsigned state = 42;
    for (unsigned &number : all) number = state = (state * 1103515245 + 12345) % 2147483648;
    return all;
}

DERNY_SUITE(suite) {
    // WRONG: the first iteration sorts, all later ones get a list that is already sorted.
    suite.define("1 wrong: sorted once").param("n", {1000}).setup(disorder).run([](numbers &all) {
        std::sort(all.begin(), all.end());
    });

    // BETTER: every iteration sorts a copy, but the copying is timed too.
    suite.define("2 copy timed").param("n", {1000}).setup(disorder).run([](const numbers &all) {
        numbers copy = all;
        std::sort(copy.begin(), copy.end());
        return copy;
    });

    // RIGHT: a fresh input for every iteration, made before the batch and outside of the timed region.
    suite.define("3 fresh input")
        .param("n", {1000})
        .setup(disorder)
        .fresh([](const numbers &all) { return all; })
        .run([](numbers &all) { std::sort(all.begin(), all.end()); });

    // before_batch runs once per batch, untimed. Here each batch begins with an empty cache.
    suite.define("4 before each batch")
        .max_iterations(100)
        .setup([](const derny::params &) { return std::unordered_map<std::size_t, const char *>(); })
        .before_batch([](auto &cache) { cache.clear(); })
        .run([](auto &cache) { cache.emplace(cache.size(), "value"); });
}

DERNY_MAIN();
