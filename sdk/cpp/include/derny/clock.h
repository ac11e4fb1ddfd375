/* The clock: CLOCK_MONOTONIC, which Linux reads without a system call. */
#ifndef DERNY_CLOCK_H
#define DERNY_CLOCK_H

#include "platform.h"

DERNY_BEGIN

#define DERNY_CLOCK_NAME "CLOCK_MONOTONIC"

/* Reads the clock into `to`. Two readings are subtracted only after the timed region. */
#define DERNY_READ_CLOCK(to) clock_gettime(CLOCK_MONOTONIC, (to))

DERNY_INLINE uint64_t derny_ns_of(const struct timespec *time) {
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

DERNY_FUNCTION uint64_t derny_now_ns(void) {
    struct timespec now;
    DERNY_READ_CLOCK(&now);
    return derny_ns_of(&now);
}

/* Returns the smallest difference other than zero between two readings, in ns. */
DERNY_FUNCTION uint64_t derny_step_ns(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 100; i++) {
        const uint64_t start = derny_now_ns();
        uint64_t now;
        do now = derny_now_ns();
        while (now == start);
        if (now - start < least) least = now - start;
    }
    return least;
}

DERNY_END

#endif
