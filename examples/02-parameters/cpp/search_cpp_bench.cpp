#include <derny.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

/// The body's context, made once per case, untimed.
template <class Items> struct search {
    Items items;
    std::string wanted;
};

template <class Items> static search<Items> make(const derny::params &p) {
    Items items;
    const int n = p.get<int>("n");
    for (int i = 0; i < n; i++) items.insert(items.end(), "item" + std::to_string(i));
    const std::string where = p.text("where");
    if (where == "first") return {items, "item0"};
    return {items, where == "last" ? "item" + std::to_string(n - 1) : "nothing"};
}

DERNY_SUITE(suite) {
    suite.group("search", [](derny::suite &group) {
        // All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter,
        // because it is the first.
        group.define("vector")
            .param("n", {10, 1000})
            .param("where", {"first", "last", "absent"})
            .setup(make<std::vector<std::string>>)
            .run([](const search<std::vector<std::string>> &in) {
                return std::find(in.items.begin(), in.items.end(), in.wanted) != in.items.end();
            });

        // Excludes one combination: an absent item in a small set.
        group.define("set")
            .param("n", {10, 1000})
            .param("where", {"first", "last", "absent"})
            .filter([](const derny::params &p) { return p.get<int>("n") > 10 || p.text("where") != "absent"; })
            .setup(make<std::set<std::string>>)
            .run([](const search<std::set<std::string>> &in) { return in.items.count(in.wanted); });
    });
}

DERNY_MAIN();
