#include <derny.h>

enum { COUNT = 1000 };

struct numbers {
    unsigned all[COUNT];
};

/* Returns the same unsorted numbers in every process, so that all processes sort the same input. */
static void disorder(void *context, void *input) {
    unsigned state = 42, *all = ((struct numbers *)input)->all;
    (void)context;
    for (int i = 0; i < COUNT; i++) all[i] = state = (state * 1103515245u + 12345u) % 2147483648u;
}

static void *make(const derny_params *params) {
    (void)params;
    struct numbers *numbers = malloc(sizeof *numbers);
    if (numbers == NULL) derny_fail("out of memory");
    disorder(NULL, numbers);
    return numbers;
}

static int compare(const void *one, const void *other) {
    const unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return (a > b) - (a < b);
}

static void sort(struct numbers *numbers) { qsort(numbers->all, COUNT, sizeof *numbers->all, compare); }

static void clear(void *context, uint64_t iterations) {
    (void)iterations;
    memset(context, 0, sizeof(struct numbers));
}

/* WRONG: the first iteration sorts, all later ones get a list that is already sorted. */
DERNY_BENCH(once, .name = "1 wrong: sorted once", .setup = make, .teardown = free) { sort(context); }

/* BETTER: every iteration sorts a copy, but the copying is timed too. */
DERNY_BENCH(copied, .name = "2 copy timed", .setup = make, .teardown = free) {
    struct numbers copy = *(const struct numbers *)context;
    sort(&copy);
    derny_keep(&copy);
}

/* RIGHT: a fresh input for every iteration, made before the batch and outside of the timed region. */
DERNY_FRESH(fresh, .name = "3 fresh input", .input_size = sizeof(struct numbers), .make = disorder) { sort(input); }

/* .before_batch runs once per batch, untimed. Here each batch begins with equal numbers. */
DERNY_BENCH(batch, .name = "4 before each batch", .setup = make, .teardown = free, .before_batch = clear) {
    sort(context);
}

DERNY_MAIN();
