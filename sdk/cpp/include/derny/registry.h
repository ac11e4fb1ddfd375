/* Benchmarks and their cases. */
#ifndef DERNY_REGISTRY_H
#define DERNY_REGISTRY_H

#include "lanes.h"
#include "params.h"
#include "turns.h"

DERNY_BEGIN

/* Amounts of work in one call of a case, and the number of threads. */
struct derny_quantities {
    uint64_t ops, bytes, items;
    unsigned threads;
};

/* A metric of a benchmark. `words` describe it as PROTOCOL.md, 3.6 specifies, for example "total:less:exact". */
struct derny_metric {
    const char *name, *unit, *words;
    double (*read)(void *context);
};

struct derny_benchmark;

/* The functions that implement a kind of benchmark. Only `keeps` may be called while no case is open or being
 * opened. */
struct derny_kind {
    bool (*keeps)(struct derny_benchmark *benchmark, const derny_params *params);
    void (*measures)(struct derny_benchmark *benchmark, const derny_params *params,
                     struct derny_quantities *quantities);
    void (*open)(struct derny_benchmark *benchmark, const derny_params *params);
    void (*close)(struct derny_benchmark *benchmark);
    void (*before_batch)(struct derny_benchmark *benchmark, uint64_t iterations);
    void (*after_batch)(struct derny_benchmark *benchmark, uint64_t iterations);
    /* Make and release a lane's data. May be NULL. */
    void (*enter)(struct derny_lane *lane);
    void (*leave)(struct derny_lane *lane);
    uint64_t (*hash)(struct derny_benchmark *benchmark);
    double (*value)(struct derny_benchmark *benchmark, size_t index);
};

/*
 * A benchmark of any kind. Lists are comma-separated strings. A comma in an item is `%2C`.
 */
typedef struct derny_benchmark {
    const char *name, *group, *file;
    int line;
    struct derny_axis params[DERNY_PARAMS];
    struct derny_metric metrics[DERNY_METRICS];
    const char *unit, *tags, *env;
    uint64_t max_iterations;
    bool is_isolated, is_self_timed, has_no_times, has_hash;
    const struct derny_kind *kind;
    struct derny_steps steps, empty;
    /* Largest number of calls in a piece. The clock is stopped between pieces. */
    uint64_t most;
    void *context;
    struct derny_benchmark *next;
} derny_benchmark;

/* A function that defines benchmarks once the program has started. */
struct derny_suite {
    void (*define)(void);
    struct derny_suite *next;
};

struct derny_registry {
    derny_benchmark *first;
    struct derny_suite *suites;
};
DERNY_VARIABLE struct derny_registry derny_registry;

/*
 * Adds a benchmark. Benchmarks of one file are sorted by line, because the compiler may register them in any
 * order.
 */
DERNY_FUNCTION void derny_register(derny_benchmark *benchmark) {
    derny_benchmark **at = &derny_registry.first, **behind = NULL;
    for (; *at != NULL; at = &(*at)->next) {
        const bool is_same_file = strcmp((*at)->file, benchmark->file) == 0;
        if (is_same_file && (*at)->line > benchmark->line) break;
        if (is_same_file) behind = &(*at)->next;
    }
    if (*at == NULL && behind != NULL) at = behind;
    benchmark->next = *at;
    *at = benchmark;
}

DERNY_FUNCTION void derny_register_suite(struct derny_suite *suite) {
    struct derny_suite **at = &derny_registry.suites;
    while (*at != NULL) at = &(*at)->next;
    suite->next = NULL;
    *at = suite;
}

DERNY_FUNCTION void derny_add_name(struct derny_buffer *to, const derny_benchmark *benchmark) {
    if (benchmark->group != NULL) derny_add_format(to, "%s/", benchmark->group);
    derny_add(to, benchmark->name);
}

DERNY_FUNCTION bool derny_has_name(const derny_benchmark *benchmark, const char *name) {
    const size_t group = benchmark->group != NULL ? strlen(benchmark->group) : 0;
    if (group > 0 && (strncmp(name, benchmark->group, group) != 0 || name[group] != '/')) return false;
    return strcmp(name + (group > 0 ? group + 1 : 0), benchmark->name) == 0;
}

DERNY_FUNCTION bool derny_is_twin(const derny_benchmark *one, const derny_benchmark *other) {
    return strcmp(one->name, other->name) == 0 &&
           strcmp(one->group != NULL ? one->group : "", other->group != NULL ? other->group : "") == 0;
}

/* Returns the position of a benchmark among those with its name, from 1. Returns 0 if the name is unique. */
DERNY_FUNCTION unsigned derny_place(const derny_benchmark *benchmark) {
    unsigned place = 0, count = 0;
    for (const derny_benchmark *other = derny_registry.first; other != NULL; other = other->next) {
        if (!derny_is_twin(benchmark, other)) continue;
        count++;
        if (other == benchmark) place = count;
    }
    return count > 1 ? place : 0;
}

/* Runs the functions that define benchmarks, each once. */
DERNY_FUNCTION void derny_define_all(void *nothing) {
    (void)nothing;
    while (derny_registry.suites != NULL) {
        struct derny_suite *suite = derny_registry.suites;
        derny_registry.suites = suite->next;
        suite->define();
    }
}

struct derny_listing {
    derny_benchmark *benchmark;
    const struct derny_message *given;
    struct derny_buffer *lines;
};

DERNY_FUNCTION void derny_add_list(struct derny_buffer *line, const char *key, const char *list) {
    size_t count = 0;
    if (list == NULL || *list == '\0') return;
    struct derny_items items = derny_items_of(list);
    for (size_t i = 0; i < items.count; i++) derny_item(line, key, &count, items.items[i]);
    derny_items_release(&items);
}

DERNY_FUNCTION void derny_add_metrics(struct derny_buffer *line, const derny_benchmark *benchmark) {
    size_t count = 0;
    struct derny_buffer item = {NULL, 0, 0};
    for (size_t i = 0; i < DERNY_METRICS && benchmark->metrics[i].name != NULL; i++) {
        const struct derny_metric *metric = &benchmark->metrics[i];
        derny_clear(&item);
        derny_add_part(&item, metric->name);
        derny_add(&item, ":");
        derny_add_part(&item, metric->unit != NULL ? metric->unit : "count");
        if (metric->words != NULL && *metric->words != '\0') derny_add_format(&item, ":%s", metric->words);
        derny_item(line, "metrics", &count, item.bytes);
    }
    derny_release(&item);
}

DERNY_FUNCTION void derny_add_case(void *argument, const derny_params *params) {
    const struct derny_listing *listing = (const struct derny_listing *)argument;
    derny_benchmark *benchmark = listing->benchmark;
    struct derny_buffer *line = listing->lines, name = {NULL, 0, 0};
    struct derny_quantities quantities = {0, 0, 0, 0};
    if (!benchmark->kind->keeps(benchmark, params)) return;
    benchmark->kind->measures(benchmark, params, &quantities);
    derny_add(line, "case");
    derny_add_name(&name, benchmark);
    derny_field(line, "benchmark", name.bytes);
    for (size_t i = 0; i < params->count; i++) {
        derny_clear(&name);
        derny_add_format(&name, "p.%s", params->items[i].name);
        derny_field(line, name.bytes, params->items[i].value);
    }
    derny_release(&name);
    if (benchmark->is_self_timed) derny_add(line, " timing=self again=1");
    if (quantities.ops > 0) derny_integer_field(line, "ops", quantities.ops);
    if (quantities.bytes > 0) derny_integer_field(line, "bytes", quantities.bytes);
    if (quantities.items > 0) derny_integer_field(line, "items", quantities.items);
    if (quantities.threads > 1) derny_integer_field(line, "threads", quantities.threads);
    if (benchmark->unit != NULL) derny_field(line, "unit", benchmark->unit);
    if (benchmark->max_iterations > 0) {
        derny_integer_field(line, "max_iterations", benchmark->max_iterations);
    }
    if (benchmark->is_isolated) derny_add(line, " isolate=1");
    derny_add_list(line, "env", benchmark->env);
    derny_add_list(line, "tags", benchmark->tags);
    derny_add_metrics(line, benchmark);
    if (benchmark->group != NULL) derny_field(line, "group", benchmark->group);
    derny_field(line, "file", benchmark->file);
    derny_integer_field(line, "line", (uint64_t)benchmark->line);
    if (derny_place(benchmark) > 0) derny_integer_field(line, "at", derny_place(benchmark));
    derny_add(line, "\n");
}

/* Appends the lines of all cases. Called within a protected call. */
DERNY_FUNCTION void derny_list_all(void *argument) {
    struct derny_listing *listing = (struct derny_listing *)argument;
    for (derny_benchmark *each = derny_registry.first; each != NULL; each = each->next) {
        listing->benchmark = each;
        derny_product(each->params, listing->given, derny_add_case, listing);
    }
}

DERNY_END

#endif
