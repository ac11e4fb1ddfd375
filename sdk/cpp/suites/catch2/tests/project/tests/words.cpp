#ifdef VERSION_3
#include <catch2/benchmark/catch_benchmark.hpp>
#include <catch2/benchmark/catch_constructor.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#else
#include <catch2/catch.hpp>
#endif
#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

static std::vector<int> reversed(int size) {
    std::vector<int> all;
    for (int i = size; i > 0; i--) all.push_back(i);
    return all;
}

TEST_CASE("sorting", "[!benchmark]") {
    std::vector<int> made;
    BENCHMARK("make") {
        made = reversed(100);
    };
    // The test depends on the benchmark's effect.
    REQUIRE(made.size() == 100);

    SECTION("whole") {
        BENCHMARK_ADVANCED("sort")(Catch::Benchmark::Chronometer meter) {
            std::vector<std::vector<int>> all(static_cast<std::size_t>(meter.runs()), made);
            meter.measure([&](int i) { std::sort(all[static_cast<std::size_t>(i)].begin(), all[static_cast<std::size_t>(i)].end()); });
        };
        SECTION("deeper") {
            BENCHMARK("find") { return std::find(made.begin(), made.end(), 7); };
        }
    }
    SECTION("parts") {
        const int size = GENERATE(10, 20);
        BENCHMARK("copy " + std::to_string(size)) { return std::vector<int>(made.begin(), made.begin() + size); };
    }
}

TEST_CASE("not hidden") {
    std::string text;
    BENCHMARK("append", i) { text += static_cast<char>('a' + i % 26); };
}

TEST_CASE("wrong", "[!benchmark]") {
    BENCHMARK("require") { REQUIRE(1 + 1 == 3); };
    BENCHMARK("throw") { throw std::runtime_error("no luck"); };
    BENCHMARK("right") { return std::string(100, 'x'); };
}

TEST_CASE("early", "[!benchmark]") {
    REQUIRE(std::string("a") == "b");
    BENCHMARK("never") { return 1; };
}

TEST_CASE("crash", "[!benchmark]") {
    BENCHMARK("crash") { std::raise(SIGSEGV); };
    BENCHMARK("after") { return std::string(100, 'x'); };
}
