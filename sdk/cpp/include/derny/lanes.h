/* Lanes: the threads of an open case. They run a batch in pieces, between which the clock is
 * stopped. All threads start a piece together, and its time is from the first start to the last
 * finish. A case with one thread runs in the caller. */
#ifndef DERNY_LANES_H
#define DERNY_LANES_H

#include "failure.h"
#include "loop.h"

DERNY_BEGIN

/* The steps of a piece: a part of a batch that runs without stopping the clock. `prepare` and `finish`
   are untimed and may be NULL. */
struct derny_steps {
    void (*prepare)(struct derny_lane *lane, uint64_t calls);
    void (*run)(struct derny_lane *lane, uint64_t calls);
    void (*finish)(struct derny_lane *lane);
};

struct derny_lanes {
    unsigned count;
    struct derny_lane *lanes;
    void (*leave)(struct derny_lane *lane);
    const struct derny_steps *steps;
    uint64_t calls;
    /* All threads except the caller. */
    pthread_t *threads;
    struct derny_failure *failures;
    pthread_mutex_t mutex;
    pthread_cond_t begins, ends;
    unsigned piece, running, arrived;
    bool is_over;
};

struct derny_lane_call {
    struct derny_lanes *all;
    struct derny_lane *lane;
};

DERNY_FUNCTION void derny_lane_prepare(void *argument) {
    const struct derny_lane_call *call = (const struct derny_lane_call *)argument;
    if (call->all->steps->prepare != NULL) call->all->steps->prepare(call->lane, call->all->calls);
}

DERNY_FUNCTION void derny_lane_run(void *argument) {
    const struct derny_lane_call *call = (const struct derny_lane_call *)argument;
    call->all->steps->run(call->lane, call->all->calls);
}

DERNY_FUNCTION void derny_lane_finish(void *argument) {
    const struct derny_lane_call *call = (const struct derny_lane_call *)argument;
    if (call->all->steps->finish != NULL) call->all->steps->finish(call->lane);
}

/* Waits in a busy loop until all threads have arrived, because they arrive within microseconds of each
 * other. */
DERNY_FUNCTION void derny_lanes_meet(struct derny_lanes *all) {
    if (all->count == 1) return;
    __atomic_add_fetch(&all->arrived, 1, __ATOMIC_ACQ_REL);
    for (unsigned looks = 0; __atomic_load_n(&all->arrived, __ATOMIC_ACQUIRE) < all->count; looks++) {
        /* There may be more threads than processors, so let others run. */
        if (looks > 1000) sched_yield();
    }
}

/* Runs a piece in this thread. Returns false if it failed or was skipped. */
DERNY_FUNCTION bool derny_lane_piece(struct derny_lanes *all, struct derny_lane *lane) {
    struct derny_lane_call call = {all, lane};
    const bool is_ready = derny_protected(derny_lane_prepare, &call);
    derny_lanes_meet(all);
    return is_ready && derny_protected(derny_lane_run, &call) && derny_protected(derny_lane_finish, &call);
}

DERNY_VARIABLE __thread unsigned derny_own_index;

/* Returns the index of the thread that calls the body, from 0. */
DERNY_FUNCTION unsigned derny_thread(void) { return derny_own_index; }

/* Waits for the piece after number `seen`, and updates `seen`. Returns false if the case is being closed. */
DERNY_FUNCTION bool derny_lanes_await(struct derny_lanes *all, unsigned *seen) {
    pthread_mutex_lock(&all->mutex);
    while (all->piece == *seen && !all->is_over) pthread_cond_wait(&all->begins, &all->mutex);
    const bool goes_on = !all->is_over;
    *seen = all->piece;
    pthread_mutex_unlock(&all->mutex);
    return goes_on;
}

DERNY_FUNCTION void derny_lanes_arrive(struct derny_lanes *all) {
    pthread_mutex_lock(&all->mutex);
    if (--all->running == 0) pthread_cond_signal(&all->ends);
    pthread_mutex_unlock(&all->mutex);
}

DERNY_FUNCTION void derny_lanes_begin(struct derny_lanes *all) {
    if (all->count == 1) return;
    __atomic_store_n(&all->arrived, 0, __ATOMIC_RELEASE);
    pthread_mutex_lock(&all->mutex);
    all->running = all->count - 1;
    all->piece++;
    pthread_cond_broadcast(&all->begins);
    pthread_mutex_unlock(&all->mutex);
}

DERNY_FUNCTION void derny_lanes_gather(struct derny_lanes *all) {
    if (all->count == 1) return;
    pthread_mutex_lock(&all->mutex);
    while (all->running > 0) pthread_cond_wait(&all->ends, &all->mutex);
    pthread_mutex_unlock(&all->mutex);
}

DERNY_FUNCTION void derny_lanes_finish(struct derny_lanes *all) {
    pthread_mutex_lock(&all->mutex);
    all->is_over = true;
    pthread_cond_broadcast(&all->begins);
    pthread_mutex_unlock(&all->mutex);
}

/* Returns the time of the last piece in ns, from the first start to the last finish. */
DERNY_FUNCTION uint64_t derny_lanes_span(const struct derny_lanes *all) {
    uint64_t start = all->lanes[0].start_ns, stop = all->lanes[0].stop_ns;
    for (unsigned i = 1; i < all->count; i++) {
        if (all->lanes[i].start_ns < start) start = all->lanes[i].start_ns;
        if (all->lanes[i].stop_ns > stop) stop = all->lanes[i].stop_ns;
    }
    return stop - start;
}

DERNY_FUNCTION void *derny_lane_thread(void *argument) {
    struct derny_lane_call *call = (struct derny_lane_call *)argument;
    struct derny_lanes *all = call->all;
    struct derny_lane *lane = call->lane;
    unsigned seen = 0;
    free(call);
    derny_own_index = lane->index;
    while (derny_lanes_await(all, &seen)) {
        if (!derny_lane_piece(all, lane)) {
            all->failures[lane->index] = derny_failure;
            memset(&derny_failure, 0, sizeof derny_failure);
        }
        derny_lanes_arrive(all);
    }
    derny_release(&derny_failure.message);
    derny_release(&derny_failure.detail);
    return NULL;
}

DERNY_FUNCTION void derny_lanes_make(struct derny_lanes *all, unsigned count) {
    memset(all, 0, sizeof *all);
    pthread_mutex_init(&all->mutex, NULL);
    pthread_cond_init(&all->begins, NULL);
    pthread_cond_init(&all->ends, NULL);
    all->lanes = (struct derny_lane *)calloc(count, sizeof *all->lanes);
    all->threads = (pthread_t *)calloc(count, sizeof *all->threads);
    all->failures = (struct derny_failure *)calloc(count, sizeof *all->failures);
    if (all->lanes == NULL || all->threads == NULL || all->failures == NULL) derny_fail("out of memory");
}

DERNY_FUNCTION void derny_lanes_release(struct derny_lanes *all) {
    pthread_mutex_destroy(&all->mutex);
    pthread_cond_destroy(&all->begins);
    pthread_cond_destroy(&all->ends);
    free(all->lanes);
    free(all->threads);
    free(all->failures);
    memset(all, 0, sizeof *all);
}

/* Starts the threads of a case. `enter` and `leave` make and release a lane's data and may be NULL. Fails if
 * the system cannot start more threads. After a failure, closing the case ends the threads that were
 * started. */
DERNY_FUNCTION void derny_lanes_open(struct derny_lanes *all, unsigned count, void *benchmark, void *context,
                                     void (*enter)(struct derny_lane *), void (*leave)(struct derny_lane *)) {
    derny_lanes_make(all, count);
    all->leave = leave;
    for (unsigned i = 0; i < count; i++) {
        struct derny_lane *lane = &all->lanes[i];
        lane->benchmark = benchmark;
        lane->context = context;
        lane->index = i;
        if (enter != NULL) enter(lane);
        if (i > 0) {
            struct derny_lane_call *call = (struct derny_lane_call *)derny_allocate(NULL, sizeof *call);
            call->all = all;
            call->lane = lane;
            const int error = pthread_create(&all->threads[i], NULL, derny_lane_thread, call);
            if (error != 0) {
                free(call);
                if (leave != NULL) leave(lane);
                derny_fail("cannot start thread %u of %u: %s", i + 1, count, strerror(error));
            }
        }
        all->count++;
    }
}

DERNY_FUNCTION void derny_lanes_close(struct derny_lanes *all) {
    if (all->lanes == NULL) return;
    derny_lanes_finish(all);
    for (unsigned i = 1; i < all->count; i++) pthread_join(all->threads[i], NULL);
    for (unsigned i = 0; all->leave != NULL && i < all->count; i++) all->leave(&all->lanes[i]);
    derny_lanes_release(all);
}

/* Runs a piece in all threads. Returns its time in ns. Fails if one of the threads fails. */
DERNY_FUNCTION uint64_t derny_lanes_piece(struct derny_lanes *all, const struct derny_steps *steps,
                                          uint64_t calls) {
    all->steps = steps;
    all->calls = calls;
    derny_lanes_begin(all);
    bool is_good = derny_lane_piece(all, &all->lanes[0]);
    derny_lanes_gather(all);
    for (unsigned i = 1; i < all->count; i++) {
        if (!all->failures[i].has_failed && !all->failures[i].has_skipped) continue;
        if (is_good) derny_take_failure(&all->failures[i]);
        is_good = false;
        derny_release(&all->failures[i].message);
        derny_release(&all->failures[i].detail);
        memset(&all->failures[i], 0, sizeof all->failures[i]);
    }
    if (!is_good) derny_end_call();
    return derny_lanes_span(all);
}

DERNY_END

#endif
