// Tests without benchmarks.
#ifdef VERSION_3
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

TEST_CASE("plain") { CHECK(1 == 2); }
TEST_CASE("hidden", "[.]") { FAIL("it must not run"); }
