#ifndef VERSION_3
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
