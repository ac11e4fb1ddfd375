// The program's main and a suite; other files of the program define more benchmarks.
#include <derny.hpp>

DERNY_SUITE(suite) { suite.bench("in main", [] { return derny::opaque(1); }); }

DERNY_MAIN();
