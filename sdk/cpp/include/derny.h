/* Derny for C11, with gcc or clang: benchmarks that the engine `derny` measures and compares.
 *
 *     #include <derny.h>
 *
 *     DERNY_BENCH(fib, .params = {{"n", "10, 20"}}, .setup = number) {
 *         const unsigned *n = context;
 *         derny_keep(fib(*n));
 *     }
 *
 *     DERNY_MAIN();
 *
 * A program with several files needs exactly one `DERNY_MAIN`. This header is for C; C++ includes `derny.hpp`. */
#ifndef DERNY_H
#define DERNY_H

#include "derny/start.h"
#ifndef __cplusplus
#include "derny/bench.h"
#endif

#endif
