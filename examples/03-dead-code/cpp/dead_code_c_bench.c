#include <derny.h>

#include <math.h>

static double radius = 3;

static void *make(const derny_params *params) {
    (void)params;
    return &radius;
}

static double root(double of) { return sqrt(of) / cbrt(of + 1); }

/* WRONG: the result is unused, so the compiler removes the computation. */
DERNY_BENCH(dropped, .name = "1 wrong: result dropped", .setup = make) { (void)root(*(const double *)context); }

/* WRONG: the input is a constant, so the compiler computes the result at compile time. */
DERNY_BENCH(constant, .name = "2 wrong: constant input") { derny_keep(root(3)); }

/* RIGHT: the compiler cannot know the value from the set-up, and the result is kept. */
DERNY_BENCH(right, .name = "3 right", .setup = make) { derny_keep(root(*(const double *)context)); }

/* RIGHT: each result is kept. */
DERNY_BENCH(both, .name = "4 right: two results", .setup = make) {
    derny_keep(root(*(const double *)context));
    derny_keep(root(*(const double *)context + 1));
}

/* The cost that all benchmarks share. */
DERNY_BENCH(nothing, .name = "5 nothing") {}

DERNY_MAIN();
