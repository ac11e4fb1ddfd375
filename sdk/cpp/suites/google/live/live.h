// Measures the open case. All turns run inside one call of the benchmark's function, whose loop
// waits here between them. If the function needs its number of iterations in advance, it is called
// for each batch.
#ifndef DERNY_BENCHMARK_LIVE_H
#define DERNY_BENCHMARK_LIVE_H

#pragma GCC system_header

#include "../../../include/derny/conversation.h"
#include "../../../include/derny/lanes.h"
#include "flags.h"
#include "results.h"
#include <sys/syscall.h>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

class Live {
  public:
    static Live &Get() {
        static Live *const live = new Live;
        return *live;
    }

    derny_conversation *talk() { return &talk_; }

    /// Measures a case until it is closed. Leaves the answer to the last command in the
    /// conversation.
    void Visit(BenchmarkInstance *instance);

    /// Ends the current batch in one thread, if any. Returns the number of iterations to run next.
    IterationCount Refill(State &state, uint64_t now_ns);

  private:
    enum Work { kNone, kCheck, kMeasure };

    Live() : talk_(), turn_(), opened_(), lanes_() {
        opened_.self = this;
        opened_.empty = RunEmpty;
        turn_.opened = &opened_;
    }

    // Called only by the thread that communicates with the engine.
    IterationCount Next();
    bool Await();
    bool Read(const derny_message &message);
    bool Count(uint64_t ns);
    void Conclude();
    IterationCount Wanted() const {
        return (work_ == kMeasure ? static_cast<IterationCount>(turn_.order.iterations) : 1) * scale_;
    }
    static uint64_t RunEmpty(void *self, uint64_t iterations, double *ops);

    // Called by all threads.
    void Enter();
    void FailByException();
    bool CallHook(const callback_function &hook);
    void RunThread(unsigned index);
    void RunThreads(unsigned count);
    void Stop(State &state, uint64_t now_ns);
    void Fail(Skipped how, const std::string &message, const std::string &detail);
    bool HasFailed() const { return __atomic_load_n(&has_failed_, __ATOMIC_ACQUIRE); }
    static void *RunThreadOf(void *index);

    derny_conversation talk_;
    derny_turn turn_;
    derny_opened opened_;
    BenchmarkInstance *case_ = nullptr;
    /// Iterations of the loop per iteration of the engine.
    IterationCount scale_ = 1;

    /// The work that the unanswered command requests.
    Work work_ = kNone;
    bool has_opened_ = false, is_closing_ = false, is_over_ = false;

    /// The current call of the benchmark's function.
    derny_lanes lanes_;
    IterationCount planned_ = 1, count_ = 0;
    /// In this order: whether the loop has begun, whether its iterations are not measured, and
    /// whether a batch has ended.
    bool has_begun_ = false, is_spare_ = false, has_ended_ = false;
    uint64_t batch_ns_ = 0, entry_ns_ = 0;
    Results entry_, results_;

    bool has_failed_ = false;
    Skipped failure_ = NotSkipped;
    std::string message_, detail_;
};

/// Runs the same loop as benchmarks, with an empty body.
__attribute__((__noinline__)) void RunEmptyLoop(State &state) {
    for (auto _ : state) __asm__ __volatile__("");
}

/// Records the first failure of a case. The caller holds the lock of the lanes, or is the only
/// thread.
void Live::Fail(Skipped how, const std::string &message, const std::string &detail) {
    if (HasFailed()) return;
    failure_ = how;
    message_ = message;
    detail_ = detail;
    __atomic_store_n(&has_failed_, true, __ATOMIC_RELEASE);
}

/// Handles one command while a case is open. Returns true if it requests iterations.
bool Live::Read(const derny_message &message) {
    derny_buffer *const why = &talk_.why;
    const std::string verb = message.verb;
    if (verb == "close") {
        is_closing_ = true;
        return false;
    }
    if (HasFailed()) {
        derny_add_format(why, "%s: the benchmark has ended", message.verb);
        return false;
    }
    if (verb == "check") {
        work_ = kCheck;
        return true;
    }
    if (verb == "measure") {
        turn_.is_overhead = false;
        if (!derny_read_measure(&message, &turn_.order, why)) return false;
        derny_begin_turn(&turn_);
        work_ = kMeasure;
        return true;
    }
    if (verb == "overhead") {
        derny_request request = {turn_, &talk_.answer};
        if (derny_read_turn(&message, &request.turn.order, why)) derny_overhead(&request);
    } else if (verb == "open" || verb == "list") {
        derny_add_format(why, "%s: a case is open already", message.verb);
    } else {
        derny_unsupported(&talk_, message.verb);
    }
    return false;
}

/// Answers commands until one requests iterations. Returns false if the case is closed or the
/// conversation ends.
bool Live::Await() {
    derny_message message = derny_message();
    while (derny_next(&talk_, &message)) {
        const bool has_work = Read(message);
        if (!has_work && !is_closing_) continue;
        derny_message_release(&message);
        return has_work;
    }
    derny_message_release(&message);
    // The engine has ended without `quit`.
    if (!talk_.has_quit) _exit(talk_.status);
    is_over_ = is_closing_ = true;
    return false;
}

/// Records a batch, and answers after the last one. Returns true if another batch is requested.
bool Live::Count(uint64_t ns) {
    entry_ns_ += ns;
    if (work_ == kMeasure) {
        const double ops = static_cast<double>(Wanted());
        if (derny_end_batch(&turn_, ns, ops)) return true;
        derny_close_turn(&turn_, &talk_.answer);
    } else {
        derny_turns.all_ops += static_cast<double>(scale_);
        derny_add(&talk_.answer, "checked");
    }
    work_ = kNone;
    return false;
}

/// Returns the number of iterations of the next batch in each thread, or 0 to end the loop.
IterationCount Live::Next() {
    if (HasFailed()) return 0;
    if (!has_begun_) {
        has_begun_ = true;
        if (!has_opened_) {
            derny::program::tell(Settings::Get().remarks, &talk_.answer);
            derny_add(&talk_.answer, "opened");
#ifdef SYS_gettid
            // This may not be the main thread, because the program may start its own threads.
            const uint64_t own = static_cast<uint64_t>(syscall(SYS_gettid));
            if (own != static_cast<uint64_t>(getpid())) derny_integer_field(&talk_.answer, "thread", own);
#endif
            has_opened_ = true;
        }
        const bool has_work = work_ != kNone || Await(), is_exact = __atomic_load_n(&case_->is_exact, __ATOMIC_ACQUIRE);
        // If the function relies on its number of iterations and another one is wanted, this call
        // is not measured.
        is_spare_ = is_exact && (!has_work || Wanted() != planned_);
        return is_spare_ ? planned_ : has_work ? Wanted() : 0;
    }
    has_ended_ = true;
    batch_ns_ = derny_lanes_span(&lanes_);
    // The batch counts only after the function has returned.
    if (is_spare_ || __atomic_load_n(&case_->is_exact, __ATOMIC_ACQUIRE)) return 0;
    has_ended_ = false;
    if (Count(batch_ns_) || Await()) return Wanted();
    return 0;
}

void Live::Stop(State &state, uint64_t now_ns) {
    derny_lane *const lane = &lanes_.lanes[state.thread_index];
    const IterationCount wanted = state.batch_, actual = state.batch_ + state.extra_;
    const uint64_t paused_ns = state.EndBatch(now_ns);
    if (state.MustBeExact()) __atomic_store_n(&case_->is_exact, true, __ATOMIC_RELEASE);
    if (case_->use_manual_time()) {
        // The function may set the time after the loop.
        if (state.manual_seconds_ == 0) __atomic_store_n(&case_->is_exact, true, __ATOMIC_RELEASE);
        lane->start_ns = 0;
        lane->stop_ns = static_cast<uint64_t>(state.manual_seconds_ * 1e9 + 0.5);
        return;
    }
    uint64_t ns = now_ns - lane->start_ns - paused_ns;
    // A loop that runs several iterations at a time may have run more than requested.
    if (actual != wanted) {
        ns = static_cast<uint64_t>(static_cast<double>(ns) * static_cast<double>(wanted) / static_cast<double>(actual));
    }
    lane->stop_ns = lane->start_ns + ns;
}

IterationCount Live::Refill(State &state, uint64_t now_ns) {
    if (state.finished_) return 0;
    if (state.started_) Stop(state, now_ns);
    else if (state.MustBeExact()) __atomic_store_n(&case_->is_exact, true, __ATOMIC_RELEASE);
    IterationCount count = 0;
    if (state.skipped()) {
        // RunThread notifies the other threads.
    } else if (state.thread_index == 0) {
        derny_lanes_gather(&lanes_);
        count = count_ = Next();
        derny_lanes_begin(&lanes_);
    } else {
        derny_lanes_arrive(&lanes_);
        derny_lanes_await(&lanes_, &state.seen_);
        count = count_;
    }
    if (count == 0) {
        state.Finish();
        return 0;
    }
    state.BeginBatch(count);
    derny_lanes_meet(&lanes_);
    lanes_.lanes[state.thread_index].start_ns = state.paused_at_ns_ = derny_now_ns();
    return count;
}

/// Fails the case with the recorded exception.
void Live::FailByException() {
    const Site &site = case_->site();
    derny_add_format(&derny_failure.detail, "in benchmark %s", case_->full_name().c_str());
    if (site.file != nullptr) derny_add_format(&derny_failure.detail, " (%s:%d)", site.file, site.line);
    Fail(SkippedWithError, derny_failure.message.bytes, derny_failure.detail.bytes);
    derny_forget_failure();
}

/// Calls a hook of the benchmark. Returns false if it threw an exception.
bool Live::CallHook(const callback_function &hook) {
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    try {
        case_->Call(hook);
    } catch (...) {
        NoteException();
        FailByException();
        return false;
    }
#else
    case_->Call(hook);
#endif
    return true;
}

void Live::RunThread(unsigned index) {
    State state(case_->name_.function_name, case_->args_, static_cast<int>(index), case_->threads_, planned_);
    const bool has_returned = case_->family().site_.run(case_->family(), state);
    // If this thread left its loop early, the other threads still wait for it.
    const bool has_left = count_ != 0;
    if (index == 0 && has_left) derny_lanes_gather(&lanes_);
    pthread_mutex_lock(&lanes_.mutex);
    if (!has_returned) {
        FailByException();
    } else if (state.skipped()) {
        Fail(state.skipped_, state.message_, "");
    } else if (!state.started_) {
        Fail(SkippedWithError, "the benchmark returned without running its loop", "");
    } else if (!state.finished_) {
        Fail(SkippedWithError, "the benchmark left its loop before the end", "");
    }
    if (case_->use_manual_time() && has_ended_) {
        lanes_.lanes[index].stop_ns = static_cast<uint64_t>(state.manual_seconds_ * 1e9 + 0.5);
    }
    entry_.Add(state.counters, state.done_, state.label_);
    pthread_mutex_unlock(&lanes_.mutex);
    if (has_left && index == 0) {
        count_ = 0;
        derny_lanes_begin(&lanes_);
    } else if (has_left) {
        derny_lanes_arrive(&lanes_);
    }
}

void *Live::RunThreadOf(void *index) {
    Get().RunThread(static_cast<unsigned>(reinterpret_cast<uintptr_t>(index)));
    return nullptr;
}

/// Calls the benchmark's function in this thread and in others that it starts.
inline void Live::RunThreads(unsigned count) {
    unsigned started = 1;
    int error = 0;
    while (started < count && error == 0) {
        void *const index = reinterpret_cast<void *>(uintptr_t{started});
        error = pthread_create(&lanes_.threads[started], nullptr, RunThreadOf, index);
        if (error == 0) started++;
    }
    if (error != 0) {
        pthread_mutex_lock(&lanes_.mutex);
        Fail(SkippedWithError, std::string("cannot start a thread: ") + strerror(error), "");
        pthread_mutex_unlock(&lanes_.mutex);
        for (unsigned i = started; i < count; i++) derny_lanes_arrive(&lanes_);
    }
    RunThread(0);
    for (unsigned i = 1; i < started; i++) pthread_join(lanes_.threads[i], nullptr);
}

void Live::Enter() {
    const unsigned count = static_cast<unsigned>(case_->threads_);
    derny_lanes_make(&lanes_, count);
    lanes_.count = count;
    lanes_.running = count - 1;
    count_ = -1;
    has_begun_ = is_spare_ = has_ended_ = false;
    entry_ns_ = 0;
    entry_ = Results();
    if (!CallHook(case_->family().setup_)) {
        derny_lanes_release(&lanes_);
        return;
    }
    if (case_->family().thread_runner_) {
        case_->family().thread_runner_(case_->threads_)->RunThreads([this](int index) {
            RunThread(static_cast<unsigned>(index));
        });
    } else {
        RunThreads(count);
    }
    CallHook(case_->family().teardown_);
    if (case_->use_manual_time() && has_ended_) batch_ns_ = derny_lanes_span(&lanes_);
    derny_lanes_release(&lanes_);
}

void Live::Visit(BenchmarkInstance *instance) {
    case_ = instance;
    scale_ = std::max<IterationCount>(1, instance->fixed_iterations());
    if (instance->fixed_iterations() > 0) instance->is_exact = true;
    planned_ = scale_;
    work_ = kNone;
    has_opened_ = is_closing_ = false;
    has_failed_ = false;
    results_ = Results();
    opened_.is_self_timed = instance->use_manual_time();
    derny_turns.all_ops = 0;
    derny_forget_reported();
    for (;;) {
        Enter();
        if (HasFailed()) break;
        // Count the batch for which the function was called.
        const bool has_counted = has_ended_ && !is_spare_;
        if (has_counted) Count(batch_ns_);
        if (!is_spare_) results_.Merge(entry_, static_cast<double>(entry_ns_) / 1e9, instance->threads());
        if (is_closing_ || (work_ == kNone && !Await())) break;
        planned_ = Wanted();
    }
    Conclude();
}

/// Answers the command during which the function returned. After a failure, waits until the case is
/// closed.
void Live::Conclude() {
    const bool was_closing = is_closing_;
    if (HasFailed()) {
        if (failure_ == SkippedWithMessage && !was_closing) {
            derny_clear(&talk_.answer);
            derny_add(&talk_.answer, "skip");
            derny_cut_field(&talk_.answer, "reason", message_.c_str(), DERNY_MESSAGE);
        } else {
            derny_add_error(&talk_.answer, message_.c_str(), detail_.c_str());
        }
        if (!has_opened_ || was_closing) return;
        work_ = kNone;
        Await();
        derny_add(&talk_.answer, "closed");
        return;
    }
    results_.Report();
    derny_add_closed(&talk_.answer);
    results_.AddLabel(&talk_.answer);
}

uint64_t Live::RunEmpty(void *self, uint64_t iterations, double *ops) {
    Live *const live = static_cast<Live *>(self);
    const IterationCount count = static_cast<IterationCount>(iterations) * live->scale_;
    *ops = static_cast<double>(count);
    if (live->case_->use_manual_time()) {
        const uint64_t start = derny_now_ns();
        return derny_now_ns() - start;
    }
    // The compiler may have removed the loop of a benchmark that does nothing, so that it takes no
    // time for any number of iterations. The empty loop does take time, so limit the number of its
    // iterations.
    const IterationCount most = std::min<IterationCount>(count, 1 << 20);
    State state("", std::vector<int64_t>(), 0, 1, most);
    state.is_empty_ = true;
    RunEmptyLoop(state);
    return static_cast<uint64_t>(static_cast<double>(state.paused_ns_) * static_cast<double>(count) /
                                 static_cast<double>(most));
}

DERNY_BENCHMARK_INTERNAL_END

void State::PauseTiming() {
    if (is_paused_) return;
    paused_at_ns_ = derny_now_ns();
    is_paused_ = true;
}
void State::ResumeTiming() {
    if (!is_paused_) return;
    is_paused_ = false;
    paused_ns_ += derny_now_ns() - paused_at_ns_;
}
IterationCount State::Refill() {
    const uint64_t now_ns = derny_now_ns();
    if (!is_empty_) return internal::Live::Get().Refill(*this, now_ns);
    if (started_) {
        paused_ns_ = now_ns - paused_at_ns_;
        return 0;
    }
    BeginBatch(max_iterations.value_);
    paused_at_ns_ = derny_now_ns();
    return batch_;
}

DERNY_BENCHMARK_END


#endif
