#include <derny.hpp>

#include <cmath>

static double root(double radius) { return std::sqrt(radius) / std::cbrt(radius + 1); }

DERNY_SUITE(suite) {
    // WRONG: nothing needs the result, so the compiler leaves the computation out.
    suite.bench("1 wrong: result dropped", [] { (void)root(derny::opaque(3.0)); });

    // WRONG: the compiler computes with constants before the program runs.
    suite.bench("2 wrong: constant input", [] { return root(3); });

    // RIGHT: the input is unknown, and the result is returned.
    suite.bench("3 right", [] { return root(derny::opaque(3.0)); });

    // RIGHT: a further result is kept.
    suite.bench("4 right: two results", [] {
        derny::keep(root(derny::opaque(3.0)));
        return root(derny::opaque(4.0));
    });

    // What all of them share.
    suite.bench("5 nothing", [] {});
}

DERNY_MAIN();
