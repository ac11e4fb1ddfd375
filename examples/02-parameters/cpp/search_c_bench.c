#include <derny.h>

/* The body's context, made once per case, untimed. */
struct search {
    size_t count;
    int wanted, items[];
};

static void *make(const derny_params *params) {
    const size_t count = derny_size(params, "n");
    const char *where = derny_text(params, "where");
    struct search *in = malloc(sizeof *in + count * sizeof *in->items);
    if (in == NULL) derny_fail("out of memory");
    in->count = count;
    for (size_t i = 0; i < count; i++) in->items[i] = (int)i;
    in->wanted = strcmp(where, "first") == 0 ? 0 : strcmp(where, "last") == 0 ? (int)count - 1 : -1;
    return in;
}

/* Excludes one combination: an absent item in a short list. */
static bool is_kept(const derny_params *params) {
    return derny_int(params, "n") > 10 || strcmp(derny_text(params, "where"), "absent") != 0;
}

/* All combinations of the values: 2 × 3 = 6 cases per benchmark. n is the outer parameter, because it is the first. */
#define CASES .group = "search", .params = {{"n", "10, 1000"}, {"where", "first, last, absent"}}

DERNY_BENCH(linear, CASES, .setup = make, .teardown = free) {
    const struct search *in = context;
    size_t at = 0;
    while (at < in->count && in->items[at] != in->wanted) at++;
    derny_keep(at);
}

DERNY_BENCH(binary, CASES, .filter = is_kept, .setup = make, .teardown = free) {
    const struct search *in = context;
    size_t begin = 0, end = in->count;
    while (begin < end) {
        const size_t middle = (begin + end) / 2;
        if (in->items[middle] < in->wanted) begin = middle + 1;
        else end = middle;
    }
    derny_keep(begin);
}

DERNY_MAIN();
