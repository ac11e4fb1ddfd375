#include <derny.hpp>

#include <cmath>

static double root(double radius) { return std::sqrt(radius) / std::cbrt(radius + 1); }

DERNY_SUITE(suite) {
    // WRONG: the result is unused, so the compiler removes the computation.
    suite.bench("1 wrong: result dropped", [] { (void)root(derny::opaque(3.0)); });

    // WRONG: the input is a constant, so the compiler computes the result at compile time.
    suite.bench("2 wrong: constant input", [] { return root(3); });

    // RIGHT: the compiler cannot know the input, and the result is returned.
    suite.bench("3 right", [] { return root(derny::opaque(3.0)); });

    // RIGHT: `keep` takes an additional result.
    suite.bench("4 right: two results", [] {
        derny::keep(root(derny::opaque(3.0)));
        return root(derny::opaque(4.0));
    });

    // The cost that all benchmarks share.
    suite.bench("5 nothing", [] {});
}

DERNY_MAIN();
