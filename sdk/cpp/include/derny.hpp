// Derny for C++17, with gcc or clang: benchmarks that the engine `derny` measures and compares.
//
//     #include <derny.hpp>
//
//     DERNY_SUITE(suite) {
//         suite.bench("fib", [] { return fib(derny::opaque(20)); });
//
//         suite.define("join")
//             .param("n", {10, 1000})
//             .setup([](const derny::params &p) { return words(p.get<int>("n")); })
//             .run([](std::vector<std::string> &words) { return join(words); });
//     }
//
//     DERNY_MAIN();
//
// A program with several files needs exactly one `DERNY_MAIN`, and can have any number of
// suites.
#ifndef DERNY_HPP
#define DERNY_HPP

#include "derny.h"
#include "derny/suite.hpp"

#endif
