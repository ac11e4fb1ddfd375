// Measures the time of growing a vector over the number of its elements. `derny plot --over n`
// draws it.
#include <derny.hpp>

#include <vector>

DERNY_SUITE(suite) {
    suite.define("append")
        .param("n", {1000, 2000, 5000, 10000, 20000, 50000})
        .setup([](const derny::params &p) { return p.get<int>("n"); })
        .run([](int n) {
            std::vector<int> list;
            for (int i = 0; i < n; i++) list.push_back(i);
            return list;
        });
}

DERNY_MAIN();
