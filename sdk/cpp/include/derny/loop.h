/* The timed loop between two readings of the clock, and the barriers against the optimiser. Independent of
 * names and of the protocol. */
#ifndef DERNY_LOOP_H
#define DERNY_LOOP_H

#include "clock.h"

DERNY_BEGIN

/* Inline assembly constraints for a kept value: a register or memory. With more register classes, clang
 * would move a float out of its register. */
#if defined(__clang__)
#define DERNY_PLACE "r,m"
#elif defined(__SSE2__)
#define DERNY_PLACE "r,x,m"
#elif defined(__aarch64__)
#define DERNY_PLACE "r,w,m"
#else
#define DERNY_PLACE "r,m"
#endif

/* Makes the compiler compute a value and, if it is a pointer, write the object that it points to:
 * `derny_keep(sum(list))`. */
#ifdef __cplusplus
#define derny_keep(value) ::derny::keep(value)
#else
#define derny_keep(value)                                                                          \
    __extension__({                                                                                \
        __auto_type derny_kept = (value);                                                          \
        __asm__ __volatile__("" : : DERNY_PLACE(derny_kept) : "memory");                           \
    })
#endif

/* Returns `address`, but the compiler can no longer tell where it points or what is stored there. */
DERNY_INLINE void *derny_opaque_address(void *address) {
    __asm__ __volatile__("" : "+r"(address) : : "memory");
    return address;
}

/* Prevents the compiler from unrolling a loop, so that its overhead is the same around every
   body. */
#if defined(__clang__)
#define DERNY_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define DERNY_ROLLED _Pragma("GCC unroll 1")
#endif

/* Attributes of a function with one benchmark's loop. It is aligned to a cache line, so that
 * the linker's layout does not affect its time. */
#define DERNY_LOOP_FUNCTION __attribute__((__noinline__, __aligned__(64)))

/* The data that the loop of one thread uses. */
struct derny_lane {
    void *benchmark, *context;
    void *inputs;
    size_t made;
    unsigned index;
    /* True if the call's result must be hashed. The piece then has one call. */
    bool wants_hash;
    /* Start and end of the last piece's timed region, in ns. */
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
    /* Operations done: the iterations, unless the body sets another number. */
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

/* Stores the time of a body that times itself. */
DERNY_FUNCTION void derny_timed(struct derny_lane *lane, derny_timer *timer) {
    if (timer->runs) derny_stop(timer);
    lane->start_ns = 0;
    lane->stop_ns = timer->ns;
    lane->ops = timer->ops;
}

DERNY_END

#endif
