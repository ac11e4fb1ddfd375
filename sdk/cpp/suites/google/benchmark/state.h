// The state of one thread of a benchmark. The benchmark's loop asks it for iterations.
#ifndef DERNY_BENCHMARK_STATE_H
#define DERNY_BENCHMARK_STATE_H

#pragma GCC system_header

#include "counter.h"
#include "statistics.h"
#include <cassert>
#include <cstddef>
#include <iterator>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN
class BenchmarkInstance;
class Live;
DERNY_BENCHMARK_INTERNAL_END

/// A number that can be read as a member or as a function, as in old and new versions.
class Number {
  public:
    explicit constexpr Number(int value) : value_(value) {}
    BENCHMARK_ALWAYS_INLINE constexpr operator int() const { return value_; }
    BENCHMARK_ALWAYS_INLINE constexpr int operator()() const { return value_; }

  private:
    int value_;
};

/// A number of iterations that records when it is read. A benchmark that reads it may have
/// allocated space for exactly this number, so it cannot run more iterations.
class IterationLimit {
  public:
    IterationLimit(const IterationLimit &other) : value_(other), is_read_(false) {}
    BENCHMARK_ALWAYS_INLINE operator IterationCount() const {
        is_read_ = true;
        return value_;
    }
    /// For loops that count a copy down or up.
    IterationCount operator--() { return --value_; }
    IterationCount operator--(int) { return value_--; }
    IterationCount operator++() { return ++value_; }
    IterationCount operator++(int) { return value_++; }

  private:
    friend class State;
    explicit IterationLimit(IterationCount value) : value_(value), is_read_(false) {}
    IterationLimit &operator=(const IterationLimit &) = delete;

    IterationCount value_;
    mutable bool is_read_;
};

inline Counter::Counter(const IterationLimit &v) : Counter(static_cast<double>(v)) {}
inline Counter::Counter(const Number &v) : Counter(static_cast<double>(v)) {}

class BENCHMARK_INTERNAL_CACHELINE_ALIGNED State {
  public:
    struct StateIterator;
    friend struct StateIterator;

    inline BENCHMARK_ALWAYS_INLINE StateIterator begin();
    inline BENCHMARK_ALWAYS_INLINE StateIterator end();

    BENCHMARK_ALWAYS_INLINE bool KeepRunning() { return KeepRunningInternal(1); }
    BENCHMARK_ALWAYS_INLINE bool KeepRunningBatch(IterationCount n) { return KeepRunningInternal(n); }

    /// Stop and start the clock. The time in between is not measured.
    void PauseTiming();
    void ResumeTiming();

    void SkipWithMessage(const std::string &reason) { Skip(internal::SkippedWithMessage, reason); }
    void SkipWithError(const std::string &message) { Skip(internal::SkippedWithError, message); }
    bool skipped() const { return skipped_ != internal::NotSkipped; }
    bool error_occurred() const { return skipped_ == internal::SkippedWithError; }

    /// Sets the time of an iteration, for benchmarks with `UseManualTime`.
    void SetIterationTime(double seconds) { manual_seconds_ += seconds; }

    void SetBytesProcessed(int64_t bytes) {
        counters["bytes_per_second"] = Counter(static_cast<double>(bytes), Counter::kIsRate, Counter::kIs1024);
    }
    int64_t bytes_processed() const { return ValueOf("bytes_per_second"); }
    void SetItemsProcessed(int64_t items) {
        counters["items_per_second"] = Counter(static_cast<double>(items), Counter::kIsRate);
    }
    int64_t items_processed() const { return ValueOf("items_per_second"); }

    void SetComplexityN(ComplexityN n) { complexity_n_ = n; }
    ComplexityN complexity_length_n() const { return complexity_n_; }
    ComplexityN complexity_n() const { return complexity_n_; }
    void SetLabel(const std::string &label) { label_ = label; }

    BENCHMARK_ALWAYS_INLINE int64_t range(std::size_t at = 0) const {
        assert(range_.size() > at);
        return range_[at];
    }
    int64_t range_x() const { return range(0); }
    int64_t range_y() const { return range(1); }
    std::size_t range_size() const { return range_.size(); }
    std::string name() const { return name_; }

    /// Returns the number of iterations that the loop has run. Within a loop `for (auto _ : state)`,
    /// returns 0.
    BENCHMARK_ALWAYS_INLINE IterationCount iterations() const {
        if (!finished_) was_counted_ = true;
        const IterationCount current = counts_down_ ? batch_ - left_ + extra_ : 0;
        return finished_ || counts_down_ ? done_ + current : 0;
    }

  private:
    /// Remaining iterations of a loop over KeepRunning.
    IterationCount left_ = 0;
    /// Iterations of the current batch, and those that a loop adds because it runs several at a
    /// time.
    IterationCount batch_ = 0, extra_ = 0;

  public:
    IterationLimit max_iterations;

  private:
    bool started_ = false, finished_ = false, counts_down_ = false, is_paused_ = false, is_empty_ = false;
    /// True if the benchmark has called `iterations` within its loop.
    mutable bool was_counted_ = false;
    internal::Skipped skipped_ = internal::NotSkipped;
    std::vector<int64_t> range_;
    ComplexityN complexity_n_ = 0;

  public:
    UserCounters counters;

  private:
    const std::string name_;

  public:
    const Number thread_index, threads;

  private:
    friend class internal::Live;
    friend class internal::BenchmarkInstance;

    State(const std::string &name, const std::vector<int64_t> &range, int index, int count, IterationCount most)
        : max_iterations(most), range_(range), name_(name), thread_index(index), threads(count) {}
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    BENCHMARK_ALWAYS_INLINE bool KeepRunningInternal(IterationCount n) {
        if (BENCHMARK_BUILTIN_EXPECT(left_ >= n, true)) {
            left_ -= n;
            return true;
        }
        return KeepMore(n);
    }
    DERNY_BENCHMARK_APART bool KeepMore(IterationCount n);
    /// Ends the current batch, if any. Returns the number of iterations to run next, or 0 to end the
    /// loop.
    DERNY_BENCHMARK_APART IterationCount Refill();
    DERNY_BENCHMARK_APART IterationCount BeginLoop() {
        if (!started_) return Refill();
        SkipWithError("the benchmark enters a second loop; Derny measures benchmarks with one loop");
        return 0;
    }
    DERNY_BENCHMARK_APART void Skip(internal::Skipped how, const std::string &why) {
        if (!skipped()) message_ = why;
        if (skipped_ != internal::SkippedWithError) skipped_ = how;
        left_ = 0;
    }

    bool MustBeExact() const { return max_iterations.is_read_ || was_counted_; }
    int64_t ValueOf(const char *counter) const {
        const auto at = counters.find(counter);
        return at == counters.end() ? 0 : static_cast<int64_t>(at->second.value);
    }
    void BeginBatch(IterationCount count) {
        started_ = true;
        batch_ = count;
        extra_ = 0;
        manual_seconds_ = 0;
        paused_ns_ = 0;
        if (!max_iterations.is_read_) max_iterations.value_ = count;
    }
    /// Ends the batch. Returns the time in ns that was not measured.
    uint64_t EndBatch(uint64_t now) {
        if (is_paused_) paused_ns_ += now - paused_at_ns_;
        done_ += batch_ + extra_;
        return paused_ns_;
    }
    void Finish() {
        started_ = finished_ = true;
        batch_ = left_ = extra_ = 0;
        max_iterations.value_ = done_;
    }

    /// Iterations of earlier batches.
    IterationCount done_ = 0;
    double manual_seconds_ = 0;
    uint64_t paused_ns_ = 0, paused_at_ns_ = 0;
    unsigned seen_ = 0;
    std::string message_, label_;
};

struct State::StateIterator {
    struct BENCHMARK_UNUSED Value {};
    typedef std::forward_iterator_tag iterator_category;
    typedef Value value_type;
    typedef Value reference;
    typedef Value pointer;
    typedef std::ptrdiff_t difference_type;

    BENCHMARK_ALWAYS_INLINE Value operator*() const { return Value(); }
    /// Counts down. The condition tells the compiler that iterations usually remain.
    BENCHMARK_ALWAYS_INLINE StateIterator &operator++() {
        if (BENCHMARK_BUILTIN_EXPECT(--left_ == 0, false)) left_ = state_->Refill();
        return *this;
    }
    BENCHMARK_ALWAYS_INLINE bool operator!=(const StateIterator &) const { return left_ != 0; }

  private:
    friend class State;
    BENCHMARK_ALWAYS_INLINE StateIterator(State *state, IterationCount left) : left_(left), state_(state) {}

    IterationCount left_;
    State *const state_;
};

inline BENCHMARK_ALWAYS_INLINE State::StateIterator State::begin() {
    return StateIterator(this, BeginLoop());
}
inline BENCHMARK_ALWAYS_INLINE State::StateIterator State::end() {
    return StateIterator(nullptr, 0);
}

inline bool State::KeepMore(IterationCount n) {
    counts_down_ = true;
    if (left_ > 0) {
        extra_ = n - left_;
        left_ = 0;
        return true;
    }
    const IterationCount count = Refill();
    if (count == 0) return false;
    extra_ = count < n ? n - count : 0;
    left_ = count < n ? 0 : count - n;
    return true;
}

class ScopedPauseTiming {
  public:
    explicit ScopedPauseTiming(State &state) : state_(state) { state_.PauseTiming(); }
    ~ScopedPauseTiming() { state_.ResumeTiming(); }
    BENCHMARK_DISALLOW_COPY_AND_ASSIGN(ScopedPauseTiming);

  private:
    State &state_;
};

DERNY_BENCHMARK_END

// The loop needs the definitions in this header.
#include "benchmark_api.h"

#endif
