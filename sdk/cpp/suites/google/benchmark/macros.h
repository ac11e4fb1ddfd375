// Macros that Google Benchmark programs use, since version 1.5 of the library.
#ifndef DERNY_BENCHMARK_MACROS_H
#define DERNY_BENCHMARK_MACROS_H

#pragma GCC system_header

#include "export.h"

// The inline namespace avoids clashes with symbols of the library, which may also be linked.
#define DERNY_BENCHMARK_BEGIN                                                                      \
    namespace benchmark {                                                                          \
    inline namespace derny_v1 {
#define DERNY_BENCHMARK_END                                                                        \
    }                                                                                              \
    }
// Closes the inline namespace and opens `benchmark::internal`, which programs may also
// extend.
#define DERNY_BENCHMARK_INTERNAL_BEGIN                                                             \
    }                                                                                              \
    namespace internal {                                                                           \
    inline namespace derny_v1 {
#define DERNY_BENCHMARK_INTERNAL_END                                                               \
    }                                                                                              \
    }                                                                                              \
    inline namespace derny_v1 {

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define DERNY_BENCHMARK_EXCEPTIONS true
#else
#define DERNY_BENCHMARK_EXCEPTIONS false
#define BENCHMARK_HAS_NO_EXCEPTIONS
#endif

// Attribute of functions that a loop calls only at its start and end. `cold` would make gcc
// optimise their caller for size.
#define DERNY_BENCHMARK_APART __attribute__((__noinline__))

#define BENCHMARK_HAS_CXX11
#if __cplusplus >= 201703L
#define BENCHMARK_HAS_CXX17
#endif

#define BENCHMARK_DISALLOW_COPY_AND_ASSIGN(Type)                                                   \
    Type(const Type &) = delete;                                                                   \
    Type &operator=(const Type &) = delete

#define BENCHMARK_UNUSED __attribute__((__unused__))
#define BENCHMARK_ALWAYS_INLINE __attribute__((__always_inline__))
#define BENCHMARK_NOEXCEPT noexcept
#define BENCHMARK_NOEXCEPT_OP(x) noexcept(x)
#if defined(__clang__)
#define BENCHMARK_DONT_OPTIMIZE __attribute__((__optnone__))
#else
#define BENCHMARK_DONT_OPTIMIZE __attribute__((__optimize__(0)))
#endif

#define BENCHMARK_INTERNAL_TOSTRING2(text) #text
#define BENCHMARK_INTERNAL_TOSTRING(text) BENCHMARK_INTERNAL_TOSTRING2(text)

#define BENCHMARK_BUILTIN_EXPECT(value, expected) __builtin_expect(value, expected)
#define BENCHMARK_DEPRECATED_MSG(message) __attribute__((__deprecated__(message)))
#define BENCHMARK_WARNING_MSG(message)
#define BENCHMARK_DISABLE_DEPRECATED_WARNING                                                       \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define BENCHMARK_RESTORE_DEPRECATED_WARNING _Pragma("GCC diagnostic pop")
#define BENCHMARK_UNREACHABLE() __builtin_unreachable()
#if !defined(__clang__)
#define BENCHMARK_GCC_VERSION (__GNUC__ * 100 + __GNUC_MINOR__)
#endif
#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

#define BENCHMARK_INTERNAL_CACHELINE_SIZE 64
#define BENCHMARK_INTERNAL_CACHELINE_ALIGNED __attribute__((__aligned__(BENCHMARK_INTERNAL_CACHELINE_SIZE)))

#endif
