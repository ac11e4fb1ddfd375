/* The timed loop: what stands between the two readings of the clock, and what makes it honest. Independent
 * of names and of the protocol. */
#ifndef DERNY_LOOP_H
#define DERNY_LOOP_H

#include "clock.h"

DERNY_BEGIN

/* Where a value may be that is kept: wherever it is already. clang would take a float out of its register in
 * any case, and wants no other register class beside. */
#if defined(__clang__)
#define DERNY_PLACE "r,m"
#elif defined(__SSE2__)
#define DERNY_PLACE "r,x,m"
#elif defined(__aarch64__)
#define DERNY_PLACE "r,w,m"
#else
#define DERNY_PLACE "r,m"
#endif

/* Makes the compiler compute a value and write what it points to: `derny_keep(sum(list))`. */
#ifdef __cplusplus
#define derny_keep(value) ::derny::keep(value)
#else
#define derny_keep(value)                                                                          \
    __extension__({                                                                                \
        __auto_type derny_kept = (value);                                                          \
        __asm__ __volatile__("" : : DERNY_PLACE(derny_kept) : "memory");                           \
    })
#endif

/* Returns an address of which the compiler does not know where it points to, nor what is there. */
DERNY_INLINE void *derny_opaque_address(void *address) {
    __asm__ __volatile__("" : "+r"(address) : : "memory");
    return address;
}

/* A loop that the compiler does not unroll: its overhead is the same around every body. */
#if defined(__clang__)
#define DERNY_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define DERNY_ROLLED _Pragma("GCC unroll 1")
#endif

/* A function that holds one benchmark's loop. Its code begins at a cache line, wherever the benchmark stands
 * in the program. */
#define DERNY_LOOP_FUNCTION __attribute__((__noinline__, __aligned__(64)))

/* One thread of an open case, as the loops see it. */
struct derny_lane {
    /* The benchmark, and what its set-up has made. */
    void *benchmark, *context;
    /* Inputs of the calls of a piece, and how many there are. */
    void *inputs;
    size_t made;
    /* Where this thread stands among those of the case. */
    unsigned index;
    /* The result of the call is to be hashed. The piece then has one call. */
    bool wants_hash;
    /* The timed region of the last piece, in ns. */
    uint64_t start_ns, stop_ns;
    /* Operations of a body that times itself. */
    double ops;
};

DERNY_INLINE void derny_span(struct derny_lane *lane, const struct timespec *start,
                             const struct timespec *stop) {
    lane->start_ns = derny_ns_of(start);
    lane->stop_ns = derny_ns_of(stop);
}

/* The clock of a body that times itself. It may be stopped and started again. */
typedef struct derny_timer {
    uint64_t ns, since_ns;
    bool runs;
    /* Operations that were done: the iterations, unless the body says otherwise. */
    double ops;
} derny_timer;

DERNY_FUNCTION void derny_start(derny_timer *timer) {
    timer->runs = true;
    timer->since_ns = derny_now_ns();
}

DERNY_FUNCTION void derny_stop(derny_timer *timer) {
    const uint64_t now = derny_now_ns();
    if (timer->runs) timer->ns += now - timer->since_ns;
    timer->runs = false;
}

/* Takes the time of a body that has timed itself. */
DERNY_FUNCTION void derny_timed(struct derny_lane *lane, derny_timer *timer) {
    if (timer->runs) derny_stop(timer);
    lane->start_ns = 0;
    lane->stop_ns = timer->ns;
    lane->ops = timer->ops;
}

DERNY_END

#endif
