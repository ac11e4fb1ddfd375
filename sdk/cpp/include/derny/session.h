/* Handles each verb of the conversation and keeps the open case. Does not time bodies. */
#ifndef DERNY_SESSION_H
#define DERNY_SESSION_H

#include "conversation.h"
#include "registry.h"

DERNY_BEGIN

struct derny_session {
    struct derny_conversation talk;
    derny_benchmark *open;
    bool was_open;
    derny_params params;
    struct derny_lanes lanes;
    struct derny_opened opened;
};

/* Runs a batch in pieces. Returns its time in ns. */
DERNY_FUNCTION uint64_t derny_pieces(struct derny_session *session, const struct derny_steps *steps,
                                     uint64_t iterations, double *ops) {
    derny_benchmark *benchmark = session->open;
    struct derny_lanes *lanes = &session->lanes;
    /* If the last result is to be hashed, the last call is a separate piece. */
    uint64_t left = iterations, ns = 0;
    const uint64_t last = session->opened.wants_hash && !benchmark->is_self_timed ? 1 : 0;
    while (left > 0) {
        uint64_t calls = left > last ? left - last : left;
        if (calls > benchmark->most) calls = benchmark->most;
        lanes->lanes[0].wants_hash = session->opened.wants_hash && left == calls;
        lanes->lanes[0].ops = (double)iterations;
        if (benchmark->is_self_timed) calls = iterations;
        ns += derny_lanes_piece(lanes, steps, calls);
        left -= calls;
    }
    if (benchmark->is_self_timed) *ops = lanes->lanes[0].ops;
    return ns;
}

DERNY_FUNCTION uint64_t derny_session_batch(void *self, uint64_t iterations, double *ops) {
    struct derny_session *session = (struct derny_session *)self;
    derny_benchmark *benchmark = session->open;
    benchmark->kind->before_batch(benchmark, iterations);
    const uint64_t ns = derny_pieces(session, &benchmark->steps, iterations, ops);
    benchmark->kind->after_batch(benchmark, iterations);
    return ns;
}

DERNY_FUNCTION uint64_t derny_session_empty(void *self, uint64_t iterations, double *ops) {
    struct derny_session *session = (struct derny_session *)self;
    const bool wanted = session->opened.wants_hash;
    session->opened.wants_hash = false;
    const uint64_t ns = derny_pieces(session, &session->open->empty, iterations, ops);
    session->opened.wants_hash = wanted;
    return ns;
}

DERNY_FUNCTION void derny_session_check(void *self) {
    double ops;
    derny_session_batch(self, 1, &ops);
}

DERNY_FUNCTION uint64_t derny_session_hash(void *self) {
    derny_benchmark *benchmark = ((struct derny_session *)self)->open;
    return benchmark->kind->hash(benchmark);
}

DERNY_FUNCTION double derny_session_value(void *self, size_t index) {
    derny_benchmark *benchmark = ((struct derny_session *)self)->open;
    return benchmark->kind->value(benchmark, index);
}

/*
 * Finds the benchmark that `open` names. If there is none or more than one, returns NULL and adds a message
 * to `why`.
 */
DERNY_FUNCTION derny_benchmark *derny_named(const struct derny_message *message, struct derny_buffer *why) {
    const char *name = derny_value(message, "benchmark"), *at = derny_value(message, "at");
    derny_benchmark *found = NULL;
    uint64_t place = 0;
    if (name == NULL) {
        derny_add(why, "open: the key benchmark is missing");
        return NULL;
    }
    if (at != NULL && !derny_read_integer(at, &place)) place = UINT64_MAX;
    for (derny_benchmark *each = derny_registry.first; each != NULL; each = each->next) {
        if (!derny_has_name(each, name)) continue;
        const unsigned own = derny_place(each);
        if (at != NULL && own != place) continue;
        if (at == NULL && own > 0) {
            derny_add_format(why, "two benchmarks have the name %s", name);
            return NULL;
        }
        found = each;
    }
    if (found == NULL) derny_add_format(why, "there is no benchmark %s", name);
    return found;
}

/* Reads the parameters of a case from `open`. Returns false and adds a message to `why` unless they are
 * exactly those of the benchmark. */
DERNY_FUNCTION bool derny_take_params(const struct derny_message *message, const derny_benchmark *benchmark,
                                      derny_params *params, struct derny_buffer *why) {
    size_t given = 0;
    params->count = 0;
    for (size_t i = 0; i < DERNY_PARAMS && benchmark->params[i].name != NULL; i++) {
        struct derny_buffer key = {NULL, 0, 0};
        derny_add_format(&key, "p.%s", benchmark->params[i].name);
        const char *value = derny_value(message, key.bytes);
        derny_release(&key);
        if (value == NULL) {
            derny_add_format(why, "open: the parameter %s is missing", benchmark->params[i].name);
            return false;
        }
        params->items[params->count].name = benchmark->params[i].name;
        params->items[params->count++].value = derny_copy(value, strlen(value));
    }
    for (size_t i = 0; i < message->count; i++) given += strncmp(message->pairs[i].key, "p.", 2) == 0;
    if (given != params->count) {
        derny_add_format(why, "open: %s has %zu parameters, not %zu", benchmark->name, params->count, given);
    }
    return given == params->count;
}

DERNY_FUNCTION void derny_drop_params(derny_params *params) {
    for (size_t i = 0; i < params->count; i++) free((void *)(uintptr_t)params->items[i].value);
    params->count = 0;
}

DERNY_FUNCTION void derny_set_up(void *argument) {
    struct derny_session *session = (struct derny_session *)argument;
    derny_benchmark *benchmark = session->open;
    struct derny_quantities quantities = {0, 0, 0, 0};
    benchmark->kind->measures(benchmark, &session->params, &quantities);
    benchmark->kind->open(benchmark, &session->params);
    derny_lanes_open(&session->lanes, quantities.threads > 1 ? quantities.threads : 1, benchmark,
                     benchmark->context, benchmark->kind->enter, benchmark->kind->leave);
    session->opened.metrics = 0;
    while (session->opened.metrics < DERNY_METRICS && benchmark->metrics[session->opened.metrics].name != NULL) {
        session->opened.metrics++;
    }
    session->opened.self = session;
    session->opened.batch = derny_session_batch;
    session->opened.empty = derny_session_empty;
    session->opened.check = derny_session_check;
    session->opened.hash = benchmark->has_hash ? derny_session_hash : NULL;
    session->opened.value = derny_session_value;
    session->opened.is_self_timed = benchmark->is_self_timed;
    session->opened.has_no_times = benchmark->has_no_times;
}

DERNY_FUNCTION void derny_tear_down(void *argument) {
    struct derny_session *session = (struct derny_session *)argument;
    derny_lanes_close(&session->lanes);
    session->open->kind->close(session->open);
}

DERNY_FUNCTION void derny_answer_open(struct derny_session *session, const struct derny_message *message,
                                      struct derny_buffer *why) {
    if (session->open != NULL) {
        derny_add(why, "open: a case is open already");
        return;
    }
    derny_benchmark *benchmark = derny_named(message, why);
    if (benchmark == NULL) return;
    if (derny_take_params(message, benchmark, &session->params, why)) {
        session->open = benchmark;
        session->was_open = true;
        derny_turns.all_ops = 0;
        if (derny_protected(derny_set_up, session)) {
            derny_forget_reported();
            derny_add(&session->talk.answer, "opened");
            return;
        }
        derny_add_failure(&session->talk.answer);
        derny_lanes_close(&session->lanes);
        session->open = NULL;
    }
    derny_drop_params(&session->params);
}

DERNY_FUNCTION void derny_answer_close(struct derny_session *session) {
    derny_forget_reported();
    if (derny_protected(derny_tear_down, session)) derny_add_closed(&session->talk.answer);
    else derny_add_failure(&session->talk.answer);
    derny_forget_reported();
    derny_drop_params(&session->params);
    session->open = NULL;
}

DERNY_FUNCTION void derny_answer_list(struct derny_session *session, const struct derny_message *message,
                                      struct derny_buffer *why) {
    struct derny_listing listing = {NULL, message, &session->talk.answer};
    if (session->was_open) derny_add(why, "list: only allowed before the first open");
    else if (derny_protected(derny_list_all, &listing)) derny_add(&session->talk.answer, "end");
    else derny_add_failure(&session->talk.answer);
}

DERNY_FUNCTION void derny_answer_turn(struct derny_session *session, const struct derny_message *message,
                                      struct derny_buffer *why) {
    struct derny_request request = {{&session->opened, {0, 0, 0, 0, false}, false, false, 0}, &session->talk.answer};
    void (*act)(void *) = derny_check;
    if (session->open == NULL) {
        derny_add_format(why, "%s: no case is open", message->verb);
        return;
    }
    if (strcmp(message->verb, "measure") == 0) {
        act = derny_measure;
        if (!derny_read_measure(message, &request.turn.order, why)) return;
    } else if (strcmp(message->verb, "overhead") == 0) {
        act = derny_overhead;
        if (!derny_read_turn(message, &request.turn.order, why)) return;
    }
    if (!derny_protected(act, &request)) derny_add_failure(&session->talk.answer);
}

DERNY_FUNCTION void derny_answer(struct derny_session *session, const struct derny_message *message) {
    struct derny_buffer *why = &session->talk.why;
    const char *verb = message->verb;
    if (strcmp(verb, "list") == 0) derny_answer_list(session, message, why);
    else if (strcmp(verb, "open") == 0) derny_answer_open(session, message, why);
    else if (strcmp(verb, "close") == 0 && session->open == NULL) derny_add(why, "close: no case is open");
    else if (strcmp(verb, "close") == 0) derny_answer_close(session);
    else if (strcmp(verb, "check") == 0 || strcmp(verb, "measure") == 0 || strcmp(verb, "overhead") == 0) {
        derny_answer_turn(session, message, why);
    } else {
        derny_unsupported(&session->talk, verb);
    }
}

/* Serves the engine until `quit` or the end of the stream. Returns the exit status. */
DERNY_FUNCTION int derny_serve(struct derny_session *session) {
    struct derny_message message;
    memset(&message, 0, sizeof message);
    if (!derny_protected(derny_define_all, NULL)) {
        derny_end_fatally(&session->talk, derny_failure.message.bytes, derny_failure.detail.bytes);
        return session->talk.status;
    }
    derny_add_hello(&session->talk.answer);
    while (derny_next(&session->talk, &message)) derny_answer(session, &message);
    derny_message_release(&message);
    if (session->talk.has_quit && session->open != NULL) derny_answer_close(session);
    return session->talk.status;
}

DERNY_END

#endif
