/* Macros that define benchmarks in C. */
#ifndef DERNY_BENCH_H
#define DERNY_BENCH_H

#include "registry.h"

DERNY_BEGIN

/* Options of a benchmark: `DERNY_BENCH(parse, .bytes = 4096, .tags = "fast")`. Lists are comma-separated
 * strings. */
struct derny_options {
    /* Name of the benchmark, if it differs from the identifier, and its group. The full name is
     * `group/name`. */
    const char *name, *group;
    /* Parameters and their values. All combinations become cases. The first varies slowest. */
    struct derny_axis params[DERNY_PARAMS];
    /* Returns true for combinations to keep. Also filters combinations of values that a user gives. */
    bool (*filter)(const derny_params *params);
    /* Makes the context of the body, once per case. */
    void *(*setup)(const derny_params *params);
    /* Releases the context. If NULL, the context is not released. */
    void (*teardown)(void *context);
    /* Called around each batch of calls, untimed. */
    void (*before_batch)(void *context, uint64_t iterations);
    void (*after_batch)(void *context, uint64_t iterations);
    /* Operations, bytes and items that one call processes: a number, or a function of the parameters.
     * `unit` names an operation. */
    uint64_t ops, bytes, items;
    uint64_t (*ops_of)(const derny_params *params);
    uint64_t (*bytes_of)(const derny_params *params);
    uint64_t (*items_of)(const derny_params *params);
    const char *unit;
    /* Number of threads that call the body at the same time. */
    unsigned threads;
    uint64_t (*threads_of)(const derny_params *params);
    /* Values other than times, read after each turn. If `untimed`, no times are reported. */
    struct derny_metric metrics[DERNY_METRICS];
    bool untimed;
    /* Returns the hash of the last call's result, which the body must store in the context. See
     * `derny_hash`. */
    uint64_t (*hash)(void *context);
    /* Tags for selection, and environment variables of the processes, such as "LANG=C,TZ=UTC". */
    const char *tags, *env;
    /* If true, the processes of the benchmark measure no other case. */
    bool isolate;
    /* Largest number of calls in a batch: 1 for a body that works only once after `before_batch`. */
    uint64_t max_iterations;
    /* For DERNY_FRESH: the size of an input, and functions that make and release one, untimed. */
    size_t input_size;
    void (*make)(void *context, void *input);
    void (*drop)(void *context, void *input);
    int derny_end;
};

/* A benchmark defined by a macro of this header. */
struct derny_c_benchmark {
    derny_benchmark base;
    struct derny_options options;
};

DERNY_FUNCTION const struct derny_options *derny_options_of(struct derny_benchmark *benchmark) {
    return &((struct derny_c_benchmark *)benchmark)->options;
}

DERNY_FUNCTION bool derny_c_keeps(struct derny_benchmark *benchmark, const derny_params *params) {
    const struct derny_options *options = derny_options_of(benchmark);
    return options->filter == NULL || options->filter(params);
}

DERNY_FUNCTION void derny_c_measures(struct derny_benchmark *benchmark, const derny_params *params,
                                     struct derny_quantities *quantities) {
    const struct derny_options *options = derny_options_of(benchmark);
    quantities->ops = options->ops_of != NULL ? options->ops_of(params) : options->ops;
    quantities->bytes = options->bytes_of != NULL ? options->bytes_of(params) : options->bytes;
    quantities->items = options->items_of != NULL ? options->items_of(params) : options->items;
    quantities->threads =
        options->threads_of != NULL ? (unsigned)options->threads_of(params) : options->threads;
}

DERNY_FUNCTION void derny_c_open(struct derny_benchmark *benchmark, const derny_params *params) {
    const struct derny_options *options = derny_options_of(benchmark);
    benchmark->context = options->setup != NULL ? options->setup(params) : NULL;
}

DERNY_FUNCTION void derny_c_close(struct derny_benchmark *benchmark) {
    const struct derny_options *options = derny_options_of(benchmark);
    if (options->teardown != NULL) options->teardown(benchmark->context);
}

DERNY_FUNCTION void derny_c_before(struct derny_benchmark *benchmark, uint64_t iterations) {
    const struct derny_options *options = derny_options_of(benchmark);
    if (options->before_batch != NULL) options->before_batch(benchmark->context, iterations);
}

DERNY_FUNCTION void derny_c_after(struct derny_benchmark *benchmark, uint64_t iterations) {
    const struct derny_options *options = derny_options_of(benchmark);
    if (options->after_batch != NULL) options->after_batch(benchmark->context, iterations);
}

DERNY_FUNCTION uint64_t derny_c_hash(struct derny_benchmark *benchmark) {
    return derny_options_of(benchmark)->hash(benchmark->context);
}

DERNY_FUNCTION double derny_c_value(struct derny_benchmark *benchmark, size_t index) {
    return derny_options_of(benchmark)->metrics[index].read(benchmark->context);
}

DERNY_FUNCTION void derny_c_enter(struct derny_lane *lane) {
    const derny_benchmark *benchmark = (const derny_benchmark *)lane->benchmark;
    const struct derny_options *options = &((struct derny_c_benchmark *)lane->benchmark)->options;
    if (options->make != NULL) {
        lane->inputs = derny_allocate(NULL, (size_t)benchmark->most * options->input_size);
    }
}

DERNY_FUNCTION void derny_c_finish(struct derny_lane *lane) {
    const struct derny_options *options = &((struct derny_c_benchmark *)lane->benchmark)->options;
    for (; lane->made > 0; lane->made--) {
        if (options->drop == NULL) continue;
        options->drop(lane->context, (char *)lane->inputs + (lane->made - 1) * options->input_size);
    }
}

DERNY_FUNCTION void derny_c_leave(struct derny_lane *lane) {
    free(lane->inputs);
}

DERNY_FUNCTION void derny_c_prepare(struct derny_lane *lane, uint64_t calls) {
    const struct derny_options *options = &((struct derny_c_benchmark *)lane->benchmark)->options;
    derny_c_finish(lane); /* release inputs that a failed call has left */
    for (; lane->made < calls; lane->made++) {
        options->make(lane->context, (char *)lane->inputs + lane->made * options->input_size);
    }
}

DERNY_VARIABLE const struct derny_kind derny_c_kind = {
    derny_c_keeps, derny_c_measures, derny_c_open,  derny_c_close, derny_c_before,
    derny_c_after, derny_c_enter,    derny_c_leave, derny_c_hash,  derny_c_value,
};

DERNY_FUNCTION void derny_c_register(struct derny_c_benchmark *own, bool is_self_timed) {
    const struct derny_options *options = &own->options;
    derny_benchmark *base = &own->base;
    if (options->name != NULL) base->name = options->name;
    base->group = options->group;
    memcpy(base->params, options->params, sizeof base->params);
    memcpy(base->metrics, options->metrics, sizeof base->metrics);
    base->unit = options->unit;
    base->tags = options->tags;
    base->env = options->env;
    base->max_iterations = options->max_iterations;
    base->is_isolated = options->isolate;
    base->is_self_timed = is_self_timed;
    base->has_no_times = options->untimed;
    base->has_hash = options->hash != NULL;
    base->kind = &derny_c_kind;
    base->most = UINT64_MAX;
    if (options->make != NULL) {
        /* Make at most 1,024 inputs in advance, and at most 1 MiB of them. */
        const size_t fitting = ((size_t)1 << 20) / (options->input_size > 0 ? options->input_size : 1);
        base->most = fitting == 0 ? 1 : fitting > 1024 ? 1024 : fitting;
        base->steps.prepare = derny_c_prepare;
        base->steps.finish = derny_c_finish;
    }
    derny_register(base);
}

/* Returns the 64-bit FNV-1a hash of bytes, continuing from `hash`. Start with DERNY_HASH. */
#define DERNY_HASH UINT64_C(0xcbf29ce484222325)
DERNY_FUNCTION uint64_t derny_hash(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

DERNY_END

/* Defines the benchmark `identifier` from its loops, and registers it before `main` runs. The other
 * arguments are its options. */
#define DERNY_DEFINE_(identifier, is_self_timed, ...)                                              \
    static struct derny_c_benchmark derny_benchmark_##identifier = {                               \
        .base = {.name = #identifier,                                                              \
                 .file = __FILE__,                                                                 \
                 .line = __LINE__,                                                                 \
                 .steps = {.run = derny_run_##identifier},                                         \
                 .empty = {.run = derny_empty_##identifier}},                                      \
        .options = {__VA_ARGS__}};                                                                 \
    __attribute__((__constructor__)) static void derny_register_##identifier(void) {               \
        derny_c_register(&derny_benchmark_##identifier, is_self_timed);                            \
    }

#define DERNY_TIMED_(prefix, identifier, before, round)                                                \
    static DERNY_LOOP_FUNCTION void prefix##identifier(struct derny_lane *derny_lane_, uint64_t derny_calls) { \
        struct timespec derny_begin, derny_finish;                                                        \
        void *derny_context = derny_lane_->context;                                                    \
        before;                                                                                        \
        DERNY_READ_CLOCK(&derny_begin);                                                                \
        DERNY_ROLLED                                                                                   \
        for (; derny_calls > 0; derny_calls--) {                                                       \
            derny_context = derny_opaque_address(derny_context);                                       \
            round;                                                                                     \
        }                                                                                              \
        DERNY_READ_CLOCK(&derny_finish);                                                                  \
        derny_span(derny_lane_, &derny_begin, &derny_finish);                                             \
    }

#define DERNY_BODY_ static inline __attribute__((__always_inline__)) void
#define DERNY_UNUSED_ __attribute__((__unused__))

/* Defines a benchmark. Its body takes the result of `.setup` as `void *context`:
 *
 *     DERNY_BENCH(parse, .setup = text, .teardown = free) { derny_keep(parse(context)); } */
#define DERNY_BENCH(...) DERNY_BENCH_(__VA_ARGS__, .derny_end = 0)
#define DERNY_BENCH_(identifier, ...)                                                                  \
    DERNY_BODY_ derny_body_##identifier(void *context);                                                \
    DERNY_TIMED_(derny_run_, identifier, (void)0, derny_body_##identifier(derny_context))              \
    DERNY_TIMED_(derny_empty_, identifier, (void)0, (void)0)                                           \
    DERNY_DEFINE_(identifier, false, __VA_ARGS__)                                                      \
    DERNY_BODY_ derny_body_##identifier(DERNY_UNUSED_ void *context)

/* Defines a benchmark whose body takes a fresh `input` in every call. `.make` creates it, untimed:
 *
 *     DERNY_FRESH(sort, .input_size = sizeof(struct list), .make = shuffle) { sort(input); } */
#define DERNY_FRESH(...) DERNY_FRESH_(__VA_ARGS__, .derny_end = 0)
#define DERNY_FRESH_(identifier, ...)                                                                  \
    static struct derny_c_benchmark derny_benchmark_##identifier;                                      \
    DERNY_BODY_ derny_body_##identifier(void *context, void *input);                                   \
    DERNY_TIMED_(                                                                                      \
        derny_run_, identifier, const size_t derny_size_ = derny_benchmark_##identifier.options.input_size; \
        char *derny_input = derny_lane_->inputs,                                                       \
             (derny_body_##identifier(derny_context, derny_opaque_address(derny_input)), derny_input += derny_size_)) \
    DERNY_TIMED_(derny_empty_, identifier, (void)0, (void)0)                                           \
    DERNY_DEFINE_(identifier, false, __VA_ARGS__)                                                      \
    DERNY_BODY_ derny_body_##identifier(DERNY_UNUSED_ void *context, DERNY_UNUSED_ void *input)

/* Defines a benchmark whose body starts and stops the clock itself, for `iterations` operations:
 *
 *     DERNY_SELF_TIMED(pipe) { derny_start(timer); send(iterations); derny_stop(timer); } */
#define DERNY_SELF_TIMED(...) DERNY_SELF_TIMED_(__VA_ARGS__, .derny_end = 0)
#define DERNY_SELF_TIMED_(identifier, ...)                                                             \
    static void derny_body_##identifier(void *context, uint64_t iterations, derny_timer *timer);       \
    static DERNY_LOOP_FUNCTION void derny_run_##identifier(struct derny_lane *derny_lane_, uint64_t derny_calls) { \
        derny_timer derny_own = {0, 0, false, (double)derny_calls};                                    \
        derny_body_##identifier(derny_lane_->context, derny_calls, &derny_own);                        \
        derny_timed(derny_lane_, &derny_own);                                                          \
    }                                                                                                  \
    static DERNY_LOOP_FUNCTION void derny_empty_##identifier(struct derny_lane *derny_lane_, uint64_t derny_calls) { \
        derny_timer derny_own = {0, 0, false, (double)derny_calls};                                    \
        derny_start(&derny_own);                                                                       \
        derny_stop(&derny_own);                                                                        \
        derny_timed(derny_lane_, &derny_own);                                                          \
    }                                                                                                  \
    DERNY_DEFINE_(identifier, true, __VA_ARGS__)                                                       \
    static void derny_body_##identifier(DERNY_UNUSED_ void *context, DERNY_UNUSED_ uint64_t iterations, \
                                        derny_timer *timer)

#endif
