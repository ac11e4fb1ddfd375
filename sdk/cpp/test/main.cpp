// The program's main file, with one suite. Other files define more benchmarks.
#include <derny.hpp>

DERNY_SUITE(suite) { suite.bench("in main", [] { return derny::opaque(1); }); }

DERNY_MAIN();
