#include <derny.h>

#include <math.h>

static double radius = 3;

static void *make(const derny_params *params) {
    (void)params;
    return &radius;
}

static double root(double of) { return sqrt(of) / cbrt(of + 1); }

/* WRONG: nothing needs the result, so the compiler leaves the computation out. */
DERNY_BENCH(dropped, .name = "1 wrong: result dropped", .setup = make) { (void)root(*(const double *)context); }

/* WRONG: the compiler computes with constants before the program runs. */
DERNY_BENCH(constant, .name = "2 wrong: constant input") { derny_keep(root(3)); }

/* RIGHT: what the set-up made is unknown in every call, and the result is kept. */
DERNY_BENCH(right, .name = "3 right", .setup = make) { derny_keep(root(*(const double *)context)); }

/* RIGHT: each result is kept. */
DERNY_BENCH(both, .name = "4 right: two results", .setup = make) {
    derny_keep(root(*(const double *)context));
    derny_keep(root(*(const double *)context + 1));
}

/* What all of them share. */
DERNY_BENCH(nothing, .name = "5 nothing") {}

DERNY_MAIN();
