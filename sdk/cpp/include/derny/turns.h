/* Commands for an open case, and their answers. Code for another benchmark library can fill in a
 * `derny_opened` and use this file unchanged. */
#ifndef DERNY_TURNS_H
#define DERNY_TURNS_H

#include "clock.h"
#include "failure.h"
#include "wire.h"

DERNY_BEGIN

/* Maximum numbers of batches in a turn, metrics of a benchmark, and undeclared values that it may report. */
enum { DERNY_BATCHES = 4096, DERNY_METRICS = 16, DERNY_REPORTED = 64 };
#define DERNY_MODE "time"

#ifndef DERNY_VERSION
#define DERNY_VERSION "0.1.0"
#endif

/* Compiler settings of the program. */
struct derny_build {
    const char *language, *runtime;
    /*
     * Flags that limit optimisation, and instrumentation such as sanitizers. NULL if there are
     * none.
     */
    const char *compiler, *instrumented;
    bool counts_allocations, has_no_hashes;
};

struct derny_opened {
    void *self;
    /* Calls the body `iterations` times and returns the time in ns. A body that times itself sets `ops`. */
    uint64_t (*batch)(void *self, uint64_t iterations, double *ops);
    /* Like `batch`, with an empty body. */
    uint64_t (*empty)(void *self, uint64_t iterations, double *ops);
    void (*check)(void *self);
    /* Returns the hash of the last result. NULL if the benchmark does not hash results. */
    uint64_t (*hash)(void *self);
    /* Returns the value of a metric of the benchmark. */
    double (*value)(void *self, size_t index);
    size_t metrics;
    bool is_self_timed, has_no_times;
    /* True before turns whose last result must be hashed. */
    bool wants_hash;
};

/* Memory requested by a thread, as counted by the allocator in allocations.h. */
struct derny_requested {
    uint64_t bytes, calls;
};
DERNY_VARIABLE __thread struct derny_requested derny_requested;

/* A reported value, which the benchmark did not declare. */
struct derny_reported {
    char *key;
    double value;
};

/* State that the turns of a process share. */
struct derny_turns {
    struct derny_build build;
    uint64_t times[DERNY_BATCHES];
    size_t batches;
    struct derny_buffer ops;
    struct derny_requested requested;
    struct derny_reported reported[DERNY_REPORTED];
    size_t reports;
    double all_ops;
};
DERNY_VARIABLE struct derny_turns derny_turns;

struct derny_order {
    uint64_t iterations, batches, within_ns, lead_ns;
    bool wants_hash;
};

/*
 * Reads the fields that `measure` and `overhead` share. Returns false and adds a message to `why` if one is
 * wrong.
 */
DERNY_FUNCTION bool derny_read_turn(const struct derny_message *message, struct derny_order *order,
                                    struct derny_buffer *why) {
    memset(order, 0, sizeof *order);
    order->within_ns = UINT64_MAX;
    if (!derny_needed(message, "iterations", &order->iterations, why)) return false;
    if (!derny_needed(message, "batches", &order->batches, why)) return false;
    if (order->iterations == 0) derny_add(why, "iterations must be at least 1");
    else if (order->batches == 0 || order->batches > DERNY_BATCHES) {
        derny_add_format(why, "batches must be 1 to %d", DERNY_BATCHES);
    }
    return why->size == 0;
}

DERNY_FUNCTION bool derny_read_measure(const struct derny_message *message, struct derny_order *order,
                                       struct derny_buffer *why) {
    const char *mode = derny_value(message, "mode"), *hash = derny_value(message, "hash");
    if (!derny_read_turn(message, order, why)) return false;
    if (!derny_needed(message, "within", &order->within_ns, why)) return false;
    if (derny_value(message, "lead") != NULL && !derny_needed(message, "lead", &order->lead_ns, why)) {
        return false;
    }
    if (mode != NULL && strcmp(mode, DERNY_MODE) != 0) {
        derny_add_format(why, "measure: there is no mode %s", mode);
        return false;
    }
    order->wants_hash = hash != NULL && strcmp(hash, "1") == 0;
    return true;
}

/* Appends one part of a metric. Escapes colons, because they separate parts. */
DERNY_FUNCTION void derny_add_part(struct derny_buffer *to, const char *part) {
    for (; *part != '\0'; part++) {
        if (*part == ':' || *part == '%') derny_add_format(to, "%%%02X", (unsigned char)*part);
        else derny_add_bytes(to, part, 1);
    }
}

/* Reports a value that was not declared. A value from a body or hook belongs to the turn, one from the
 * tear-down to the case. `words` are those of a metric, such as "total:less", or "". */
DERNY_FUNCTION void derny_report(const char *name, const char *unit, const char *words, double value) {
    struct derny_buffer key = {NULL, 0, 0};
    derny_add(&key, "v.");
    derny_encode(&key, name, strlen(name), ":");
    derny_add(&key, ":");
    derny_encode(&key, unit, strlen(unit), ":");
    if (*words != '\0') derny_add(&key, ":");
    derny_encode(&key, words, strlen(words), "");
    size_t at = 0;
    while (at < derny_turns.reports && strcmp(derny_turns.reported[at].key, key.bytes) != 0) at++;
    if (at == DERNY_REPORTED) {
        derny_release(&key);
        derny_fail("a benchmark may report at most %d values", DERNY_REPORTED);
    }
    if (at < derny_turns.reports) free(key.bytes);
    else derny_turns.reported[derny_turns.reports++].key = key.bytes;
    derny_turns.reported[at].value = value;
}

DERNY_FUNCTION void derny_forget_reported(void) {
    while (derny_turns.reports > 0) free(derny_turns.reported[--derny_turns.reports].key);
}

/* Appends the reported values to the line that closes a turn or a case, and clears them. */
DERNY_FUNCTION void derny_add_reported(struct derny_buffer *line) {
    for (size_t i = 0; i < derny_turns.reports; i++) {
        const double value = derny_turns.reported[i].value;
        if (value - value == 0) { /* finite */
            derny_add_format(line, " %s=", derny_turns.reported[i].key);
            derny_add_number(line, value);
        }
    }
    derny_forget_reported();
}

/* A turn in progress. To run its batches, call `derny_begin_turn`, then `derny_end_batch` after
 * each batch until it returns false, then `derny_close_turn`. */
struct derny_turn {
    struct derny_opened *opened;
    struct derny_order order;
    bool is_overhead;
    /* True during the batches before the measured ones. */
    bool is_lead;
    uint64_t start_ns;
};

/* Reads the values of the benchmark's metrics. Each reading starts a new period of measurement. */
DERNY_FUNCTION void derny_read_values(const struct derny_opened *opened, double *values) {
    for (size_t i = 0; i < opened->metrics; i++) values[i] = opened->value(opened->self, i);
}

DERNY_FUNCTION void derny_begin_batches(struct derny_turn *turn) {
    if (!turn->is_overhead) {
        derny_forget_reported();
        turn->opened->wants_hash = !turn->is_lead && turn->order.wants_hash && turn->opened->hash != NULL;
    }
    derny_turns.batches = 0;
    derny_clear(&derny_turns.ops);
    memset(&derny_turns.requested, 0, sizeof derny_turns.requested);
    turn->start_ns = derny_now_ns();
}

DERNY_FUNCTION void derny_begin_turn(struct derny_turn *turn) {
    turn->is_lead = turn->order.lead_ns > 0;
    derny_begin_batches(turn);
}

/* Records a batch. Returns true if the turn has another one. */
DERNY_FUNCTION bool derny_end_batch(struct derny_turn *turn, uint64_t ns, double ops) {
    const struct derny_order *order = &turn->order;
    derny_turns.times[derny_turns.batches++] = ns;
    derny_turns.all_ops += ops;
    if (turn->opened->is_self_timed) {
        derny_add(&derny_turns.ops, " ");
        derny_add_number(&derny_turns.ops, ops);
    }
    const uint64_t most = turn->is_lead ? (uint64_t)DERNY_BATCHES : order->batches;
    const uint64_t within_ns = turn->is_lead ? order->lead_ns : order->within_ns;
    if (derny_turns.batches < most && derny_now_ns() - turn->start_ns < within_ns &&
        derny_turns.ops.size < DERNY_LINE - 100) {
        return true;
    }
    if (!turn->is_lead) return false;
    double values[DERNY_METRICS];
    derny_read_values(turn->opened, values);
    turn->is_lead = false;
    derny_begin_batches(turn);
    return true;
}

DERNY_FUNCTION void derny_close_turn(const struct derny_turn *turn, struct derny_buffer *answer) {
    const struct derny_opened *opened = turn->opened;
    double values[DERNY_METRICS];
    if (!turn->is_overhead) derny_read_values(opened, values);
    derny_add(answer, "times");
    if (opened->has_no_times) derny_add(answer, " -");
    for (size_t i = 0; !opened->has_no_times && i < derny_turns.batches; i++) {
        derny_add(answer, " ");
        derny_add_integer(answer, derny_turns.times[i]);
    }
    if (opened->is_self_timed && !opened->has_no_times) {
        derny_add_format(answer, "\nops%s", derny_turns.ops.bytes);
    }
    derny_add(answer, "\nend");
    if (derny_turns.build.counts_allocations) {
        derny_add(answer, " ");
        derny_add_integer(answer, derny_turns.requested.bytes);
        derny_add(answer, " ");
        derny_add_integer(answer, derny_turns.requested.calls);
    }
    for (size_t i = 0; i < opened->metrics; i++) {
        derny_add(answer, " ");
        if (turn->is_overhead || values[i] - values[i] != 0) derny_add(answer, "-");
        else derny_add_number(answer, values[i]);
    }
    if (turn->order.wants_hash && opened->hash != NULL) {
        derny_add_format(answer, " hash=%016llx", (unsigned long long)opened->hash(opened->self));
    }
    if (!turn->is_overhead) derny_add_reported(answer);
}

DERNY_FUNCTION void derny_take(struct derny_turn *turn, uint64_t (*batch)(void *, uint64_t, double *)) {
    double ops;
    uint64_t ns;
    derny_begin_turn(turn);
    do {
        ops = (double)turn->order.iterations;
        ns = batch(turn->opened->self, turn->order.iterations, &ops);
    } while (derny_end_batch(turn, ns, ops));
}

struct derny_request {
    struct derny_turn turn;
    struct derny_buffer *answer;
};

DERNY_FUNCTION void derny_measure(void *argument) {
    struct derny_request *request = (struct derny_request *)argument;
    derny_take(&request->turn, request->turn.opened->batch);
    derny_close_turn(&request->turn, request->answer);
}

DERNY_FUNCTION void derny_overhead(void *argument) {
    struct derny_request *request = (struct derny_request *)argument;
    const double before = derny_turns.all_ops;
    request->turn.is_overhead = true;
    derny_take(&request->turn, request->turn.opened->empty);
    derny_turns.all_ops = before;
    derny_close_turn(&request->turn, request->answer);
}

DERNY_FUNCTION void derny_check(void *argument) {
    struct derny_request *request = (struct derny_request *)argument;
    struct derny_opened *opened = request->turn.opened;
    opened->wants_hash = opened->hash != NULL;
    opened->check(opened->self);
    derny_turns.all_ops += 1;
    derny_add(request->answer, "checked");
    if (opened->hash != NULL) {
        derny_add_format(request->answer, " hash=%016llx", (unsigned long long)opened->hash(opened->self));
    }
}

/* Appends the line that answers `close` after a successful tear-down. */
DERNY_FUNCTION void derny_add_closed(struct derny_buffer *answer) {
    derny_add(answer, "closed");
    if (derny_turns.reports > 0) {
        derny_add(answer, " ops=");
        derny_add_number(answer, derny_turns.all_ops);
        derny_add_reported(answer);
    }
}

DERNY_FUNCTION void derny_add_error(struct derny_buffer *answer, const char *message, const char *detail) {
    derny_clear(answer);
    derny_add(answer, "error");
    derny_cut_field(answer, "message", message, DERNY_MESSAGE);
    if (detail != NULL && *detail != '\0') derny_cut_field(answer, "detail", detail, DERNY_DETAIL);
}

/* Replaces the answer with the error or the skip that `derny_failure` contains. */
DERNY_FUNCTION void derny_add_failure(struct derny_buffer *answer) {
    if (derny_failure.has_skipped) {
        derny_clear(answer);
        derny_add(answer, "skip");
        derny_cut_field(answer, "reason", derny_failure.message.bytes, DERNY_MESSAGE);
    } else {
        derny_add_error(answer, derny_failure.message.bytes, derny_failure.detail.bytes);
    }
}

DERNY_FUNCTION void derny_add_hello(struct derny_buffer *line) {
    const struct derny_build *build = &derny_turns.build;
    size_t settings = 0;
    derny_add(line, "derny 1");
    derny_field(line, "language", build->language);
    derny_field(line, "runtime", build->runtime);
    derny_field(line, "harness", DERNY_VERSION);
    derny_integer_field(line, "pid", (uint64_t)getpid());
#ifdef __linux__
    /* The main thread measures. Its id is the process id. */
    derny_integer_field(line, "thread", (uint64_t)getpid());
#endif
    derny_field(line, "clock", DERNY_CLOCK_NAME);
    derny_integer_field(line, "step_ns", derny_step_ns());
    derny_add(line, " collector=none can=overhead,check");
    if (!build->has_no_hashes) derny_add(line, ",hash");
    derny_add(line, " modes=" DERNY_MODE);
    if (build->counts_allocations) {
        derny_add(line, " metrics=allocated:B:total:less:exact,allocations:count:total:less:exact");
    }
    struct derny_buffer setting = {NULL, 0, 0};
    if (build->compiler != NULL) {
        derny_add_format(&setting, "compiler=%s", build->compiler);
        derny_item(line, "settings", &settings, setting.bytes);
        derny_clear(&setting);
    }
    if (build->instrumented != NULL) {
        derny_add_format(&setting, "instrumented=%s", build->instrumented);
        derny_item(line, "settings", &settings, setting.bytes);
    }
    derny_release(&setting);
}

DERNY_END

#endif
