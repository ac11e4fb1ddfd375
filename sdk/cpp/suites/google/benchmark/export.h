// Macros for exported symbols. They are empty, because everything is in headers.
#ifndef DERNY_BENCHMARK_EXPORT_H
#define DERNY_BENCHMARK_EXPORT_H

#pragma GCC system_header

#ifndef BENCHMARK_EXPORT
#define BENCHMARK_EXPORT
#endif
#ifndef BENCHMARK_NO_EXPORT
#define BENCHMARK_NO_EXPORT
#endif
#ifndef BENCHMARK_DEPRECATED
#define BENCHMARK_DEPRECATED __attribute__((__deprecated__))
#endif
#ifndef BENCHMARK_DEPRECATED_EXPORT
#define BENCHMARK_DEPRECATED_EXPORT BENCHMARK_DEPRECATED
#endif
#ifndef BENCHMARK_DEPRECATED_NO_EXPORT
#define BENCHMARK_DEPRECATED_NO_EXPORT BENCHMARK_DEPRECATED
#endif

#endif
