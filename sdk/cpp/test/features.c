/* Benchmarks whose behaviour `test.sh` checks, through the protocol. */
#include <derny.h>

/* Number of inputs that were made, that are alive, and that were alive at once
 * at most. */
struct census {
    int made, alive, most;
};

struct input {
    struct census *all;
    char padding[5000];
};

static void *new_census(const derny_params *params) {
    (void)params;
    return calloc(1, sizeof(struct census));
}

static void tell_census(void *context) {
    const struct census *all = context;
    derny_report("made", "count", "", all->made);
    derny_report("alive", "count", "", all->alive);
    derny_report("most", "count", "", all->most);
    free(context);
}

static void make_input(void *context, void *input) {
    struct census *all = context;
    all->made++;
    if (++all->alive > all->most) all->most = all->alive;
    ((struct input *)input)->all = all;
}

static void drop_input(void *context, void *input) {
    (void)context;
    ((struct input *)input)->all->alive--;
}

DERNY_FRESH(fresh, .group = "life", .setup = new_census, .teardown = tell_census, .input_size = sizeof(struct input),
            .make = make_input, .drop = drop_input) {
    derny_keep(((const struct input *)input)->all);
}

/* State shared by several threads. */
struct shared {
    int calls, of_thread[8];
};

static void *new_shared(const derny_params *params) {
    (void)params;
    return calloc(1, sizeof(struct shared));
}

static void tell_shared(void *context) {
    const struct shared *all = context;
    int taking_part = 0;
    for (int i = 0; i < 8; i++) taking_part += all->of_thread[i] > 0;
    derny_report("calls", "count", "", all->calls);
    derny_report("threads", "count", "", taking_part);
    free(context);
}

static uint64_t threads_of(const derny_params *params) { return derny_size(params, "threads"); }

DERNY_BENCH(threads, .params = {{"threads", "1, 3"}}, .threads_of = threads_of, .setup = new_shared,
            .teardown = tell_shared) {
    struct shared *all = context;
    __atomic_add_fetch(&all->calls, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&all->of_thread[derny_thread()], 1, __ATOMIC_RELAXED);
}

DERNY_BENCH(thread_fails, .threads = 2) {
    if (derny_thread() == 1) derny_fail("failure: in thread %u", derny_thread());
}

DERNY_BENCH(skips) { derny_skip("not now"); }

static bool is_kept(const derny_params *params) {
    return derny_int(params, "n") > 2 && derny_float(params, "half") < 1;
}

static uint64_t bytes_of(const derny_params *params) { return derny_size(params, "n") * 10; }

static double one_and_a_half(void *context) {
    (void)context;
    return 1.5;
}

DERNY_BENCH(options, .params = {{"n", "2, 3"}, {"text", "a%2Cb, c d"}, {"half", "0.5"}}, .filter = is_kept, .ops = 4,
            .bytes_of = bytes_of, .items = 7, .unit = "word", .tags = "x%2Cy,z", .env = "K=v%2Cw", .isolate = true,
            .max_iterations = 5, .metrics = {{"a:b", "c%", "peak:less", one_and_a_half}}) {}

/* Record of the hooks that were called. */
struct trace {
    char seen[100];
};

static void add_trace(void *context, const char *more) {
    struct trace *trace = context;
    strncat(trace->seen, more, sizeof trace->seen - strlen(trace->seen) - 1);
}

static void *begin_trace(const derny_params *params) {
    (void)params;
    void *trace = calloc(1, sizeof(struct trace));
    add_trace(trace, "s");
    return trace;
}

static void before(void *context, uint64_t iterations) {
    char text[30];
    snprintf(text, sizeof text, "b%d", (int)iterations);
    add_trace(context, text);
}

static void after(void *context, uint64_t iterations) {
    (void)iterations;
    add_trace(context, "a");
}

static void end_trace(void *context) {
    fprintf(stderr, "hooks: %st\n", ((struct trace *)context)->seen);
    free(context);
}

DERNY_BENCH(hooks, .setup = begin_trace, .before_batch = before, .after_batch = after, .teardown = end_trace) {
    add_trace(context, "c");
}

DERNY_BENCH(crash) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}

DERNY_BENCH(abort) { abort(); }

DERNY_MAIN();
