/* Differences between C and C++, and between systems. Does not depend on the rest of Derny. */
#ifndef DERNY_PLATFORM_H
#define DERNY_PLATFORM_H

#if !defined(__GNUC__)
#error "Derny needs gcc or clang"
#endif

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__has_include)
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define DERNY_HAS_BACKTRACE 1
#endif
#endif

/* Allows every translation unit of a program to define the headers' functions and variables.
 * The linker keeps one copy. */
#define DERNY_VARIABLE __attribute__((__weak__))
#ifdef __cplusplus
#define DERNY_FUNCTION inline
#define DERNY_BEGIN                                                                                \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")          \
        extern "C" {
#define DERNY_END                                                                                  \
    }                                                                                              \
    _Pragma("GCC diagnostic pop")
#else
#define DERNY_FUNCTION __attribute__((__weak__))
#define DERNY_BEGIN                                                                                \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmissing-prototypes\"")
#define DERNY_END _Pragma("GCC diagnostic pop")
#endif

#define DERNY_INLINE static inline __attribute__((__always_inline__, __unused__))
#define DERNY_PRINTF(format, first) __attribute__((__format__(__printf__, format, first)))
#define DERNY_NORETURN __attribute__((__noreturn__))

DERNY_BEGIN

/* With -std=c11, the system's headers hide POSIX extensions. Declare those that Derny needs. */
#if defined(__STRICT_ANSI__) && !defined(__cplusplus) && defined(__linux__)
#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC 1
extern int clock_gettime(int clock, struct timespec *now);
#endif
extern int unsetenv(const char *name);
extern ssize_t readlink(const char *path, char *to, size_t size);
#endif

DERNY_END

#endif
