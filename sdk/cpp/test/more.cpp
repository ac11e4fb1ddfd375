#include <derny.hpp>

DERNY_SUITE(suite) { suite.bench("in more", [] { return derny::opaque(2.5); }); }
DERNY_SUITE(other) { other.bench("in another suite", [] { return derny::opaque('c'); }); }
