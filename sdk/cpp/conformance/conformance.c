/* Benchmarks that `derny dev conform` runs. Their correct results are in protocol/IMPLEMENTING.md. */
#include <derny.h>

#define CONFORM .group = "conform"

static void busy(uint64_t us) {
    const uint64_t start = derny_now_ns();
    while (derny_now_ns() - start < us * 1000) {
    }
}

static void *number(const derny_params *params) {
    uint64_t *us = malloc(sizeof *us);
    if (us == NULL) derny_fail("out of memory");
    *us = (uint64_t)derny_int(params, "us");
    return us;
}

static uint64_t calls;

static double read_calls(void *context) {
    (void)context;
    const uint64_t all = calls;
    calls = 0;
    return (double)all;
}

static void wait_before(void *context, uint64_t iterations) {
    (void)context, (void)iterations;
    busy(2000);
}

static bool is_kept(const derny_params *params) {
    return strcmp(derny_text(params, "size"), "2") != 0 || strcmp(derny_text(params, "kind"), "b") != 0;
}

struct text {
    char *own, *result;
};

static void *make_text(const derny_params *params) {
    const char *value = derny_text(params, "text");
    struct text *text = calloc(1, sizeof *text);
    if (text == NULL) derny_fail("out of memory");
    text->own = derny_copy(value, strlen(value));
    text->result = derny_copy(value, strlen(value));
    return text;
}

static void drop_text(void *context) {
    struct text *text = context;
    free(text->own);
    free(text->result);
    free(text);
}

static uint64_t hash_text(void *context) {
    const struct text *text = context;
    return derny_hash(DERNY_HASH, text->result, strlen(text->result));
}

static void fail_at(const char *at, const char *place) {
    if (strcmp(at, place) == 0) derny_fail("failure: thrown in %s", place);
}

static void *set_up(const derny_params *params) {
    const char *at = derny_text(params, "at");
    fail_at(at, "setup");
    return derny_copy(at, strlen(at));
}

static void tear_down(void *context) {
    char place[16];
    snprintf(place, sizeof place, "%s", (char *)context);
    free(context);
    fail_at(place, "teardown");
}

static void *skip(const derny_params *params) {
    (void)params;
    derny_skip("not here");
}

static double answer(void *context) {
    (void)context;
    return 42;
}

static void report(void *context) {
    (void)context;
    derny_report("lines", "count", "more:total", 60);
}

DERNY_BENCH(empty, CONFORM) {}

DERNY_BENCH(busy, CONFORM, .params = {{"us", "20, 200"}}, .setup = number, .teardown = free) {
    busy(*(const uint64_t *)context);
}

DERNY_BENCH(count, CONFORM, .metrics = {{"calls", "count", "total:exact", read_calls}}) { calls++; }

DERNY_BENCH(setup, CONFORM, .before_batch = wait_before) { busy(20); }

DERNY_BENCH(params, CONFORM, .params = {{"size", "1,2"}, {"kind", "a,b"}}, .filter = is_kept) {}

DERNY_BENCH(text, CONFORM, .params = {{"text", "plain"}}, .setup = make_text, .teardown = drop_text,
            .hash = hash_text) {
    struct text *text = context;
    strcpy(text->result, text->own);
    derny_keep(text->result);
}

DERNY_BENCH(throw, CONFORM, .params = {{"at", "setup,call,teardown"}}, .setup = set_up, .teardown = tear_down) {
    fail_at(context, "call");
}

DERNY_BENCH(print, CONFORM) {
    printf("times 1 2 3\n");
    fflush(stdout);
    fprintf(stderr, "error message=printed fatal=1\n");
}

DERNY_SELF_TIMED(self, CONFORM, .params = {{"us", "20"}}, .setup = number, .teardown = free) {
    derny_start(timer);
    for (uint64_t i = 0; i < iterations; i++) busy(*(const uint64_t *)context);
    derny_stop(timer);
}

DERNY_BENCH(value, CONFORM, .untimed = true, .metrics = {{"answer", "count", "level:more:exact", answer}}) {}

DERNY_BENCH(skip, CONFORM, .setup = skip) {}

DERNY_BENCH(report, CONFORM, .teardown = report) {
    derny_report("ns/op", "ns", "", 1.5);
    derny_report("a:b", "B", "peak:less", 1);
}

DERNY_BENCH(twin, CONFORM) { busy(20); }

DERNY_BENCH(other_twin, CONFORM, .name = "twin") { busy(200); }

DERNY_MAIN();
