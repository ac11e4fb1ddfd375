/* Parameters: their values and all combinations of them. */
#ifndef DERNY_PARAMS_H
#define DERNY_PARAMS_H

#include "failure.h"
#include "wire.h"

DERNY_BEGIN

/* Maximum number of parameters of a benchmark. */
enum { DERNY_PARAMS = 12 };

/* A parameter and the list of its values, such as `{"n", "10, 1000"}`. A comma in a value is `%2C`. */
struct derny_axis {
    const char *name, *values;
};

struct derny_param {
    const char *name, *value;
};

/* Parameters of a case, in the order in which the benchmark defines them. */
typedef struct derny_params {
    size_t count;
    struct derny_param items[DERNY_PARAMS];
} derny_params;

/* Returns the value of a parameter. Fails if there is no such parameter. */
DERNY_FUNCTION const char *derny_text(const derny_params *params, const char *name) {
    for (size_t i = 0; i < params->count; i++) {
        if (strcmp(params->items[i].name, name) == 0) return params->items[i].value;
    }
    derny_fail("the benchmark has no parameter %s", name);
}

/* Returns the value of a parameter as an integer. Fails if it is not an integer. */
DERNY_FUNCTION long long derny_int(const derny_params *params, const char *name) {
    const char *text = derny_text(params, name);
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (*text == '\0' || *end != '\0' || errno != 0) {
        derny_fail("the parameter %s is not an integer: `%s`", name, text);
    }
    return value;
}

/* Returns the value of a parameter as a size. Fails if it is negative or not an integer. */
DERNY_FUNCTION size_t derny_size(const derny_params *params, const char *name) {
    const long long value = derny_int(params, name);
    if (value < 0) derny_fail("the parameter %s is negative: `%s`", name, derny_text(params, name));
    return (size_t)value;
}

/* Returns the value of a parameter as a number. Fails if it is not a number. */
DERNY_FUNCTION double derny_float(const derny_params *params, const char *name) {
    const char *text = derny_text(params, name);
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0') derny_fail("the parameter %s is not a number: `%s`", name, text);
    return value;
}

/* Decoded items of a list. The caller releases them. */
struct derny_items {
    char **items;
    size_t count;
};

DERNY_FUNCTION void derny_items_release(struct derny_items *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i]);
    free(list->items);
    list->items = NULL;
    list->count = 0;
}

/* Returns the decoded items of a comma-separated list. Ignores spaces after commas. */
DERNY_FUNCTION struct derny_items derny_items_of(const char *list) {
    struct derny_items all = {NULL, 0};
    for (const char *at = list;; at++) {
        const size_t size = strcspn(at, ",");
        char *item = derny_copy(at, size);
        const size_t decoded = derny_unescape(item, size);
        if (decoded != SIZE_MAX) item[decoded] = '\0';
        all.items = (char **)derny_allocate(all.items, (all.count + 1) * sizeof *all.items);
        all.items[all.count++] = item;
        at += size;
        if (*at == '\0') return all;
        while (at[1] == ' ') at++;
    }
}

/* Calls `visit` with each combination of values. The first parameter varies slowest. Values in `given`
 * replace those of the benchmark. */
DERNY_FUNCTION void derny_product(const struct derny_axis *axes, const struct derny_message *given,
                                  void (*visit)(void *, const derny_params *), void *argument) {
    struct derny_items values[DERNY_PARAMS];
    size_t at[DERNY_PARAMS] = {0};
    derny_params params;
    bool is_over = false;
    params.count = 0;
    for (; params.count < DERNY_PARAMS && axes[params.count].name != NULL; params.count++) {
        const char *name = axes[params.count].name, *list = axes[params.count].values;
        for (size_t i = 0; i < given->count; i++) {
            const struct derny_pair *pair = &given->pairs[i];
            if (strncmp(pair->key, "p.", 2) == 0 && strcmp(pair->key + 2, name) == 0) list = pair->encoded;
        }
        params.items[params.count].name = name;
        values[params.count] = derny_items_of(list);
    }
    while (!is_over) {
        for (size_t i = 0; i < params.count; i++) params.items[i].value = values[i].items[at[i]];
        visit(argument, &params);
        is_over = true;
        for (size_t i = params.count; is_over && i-- > 0;) {
            at[i] = (at[i] + 1) % values[i].count;
            is_over = at[i] == 0;
        }
    }
    for (size_t i = 0; i < params.count; i++) derny_items_release(&values[i]);
}

DERNY_END

#endif
