// Replaces the control of the loop in nanobench's header. A copy of that header includes this file
// first, so this file cannot use nanobench's types.
#ifndef DERNY_NANOBENCH_LIVE_HPP
#define DERNY_NANOBENCH_LIVE_HPP

#pragma GCC system_header

#include "../walk/walk.h"
#include <chrono>
#include <cmath>
#include <cstdio>

namespace derny {
namespace nanobench {

/// Reports options that have no effect under Derny.
template <class Bench> void remark_options(const Bench &bench) {
    const Bench plain;
    const bool has_counts = bench.warmup() != plain.warmup() || bench.epochs() != plain.epochs() ||
                            bench.minEpochIterations() != plain.minEpochIterations() ||
                            bench.minEpochTime() != plain.minEpochTime() || bench.maxEpochTime() != plain.maxEpochTime();
    if (has_counts) {
        walk::remark("warmup, epochs, minEpochTime, maxEpochTime and minEpochIterations have no effect: Derny "
                     "chooses the number and duration of measurements; use --budget and --set precision=SHARE");
    }
    if (bench.relative()) walk::remark("relative has no effect: compare variants with -x");
}

/// Returns the benchmark that `run` measures. Its name begins with the title, if the user has set
/// one.
template <class Bench> walk::benchmark described(const Bench &bench, const std::string &name, const char *file) {
    walk::benchmark own;
    own.name = bench.title() == "benchmark" ? name : bench.title() + "/" + name;
    own.file = file;
    own.unit = bench.unit() == "op" ? "" : bench.unit();
    own.count = bench.epochIterations();
    if (bench.batch() > 0 && std::isfinite(bench.batch())) own.ops = bench.batch();
    if (bench.complexityN() > 0) {
        char number[32];
        std::snprintf(number, sizeof number, "%.15g", bench.complexityN());
        own.params.emplace_back("N", number);
    }
    return own;
}

/// Sets the number of iterations of a benchmark's loop. Has the interface of nanobench's
/// `IterationLogic`, which it replaces.
class logic {
  public:
    template <class Bench> logic(const Bench &bench, const std::string &name, const char *file) {
        is_reached_ = walk::reached(described(bench, name, file));
        if (!is_reached_) return;
        remark_options(bench);
        count_ = walk::begin();
    }
    logic(const logic &) = delete;
    logic &operator=(const logic &) = delete;

    /// If the body throws, the loop ends without `moveResultTo`.
    ~logic() {
        if (is_reached_) walk::fail("");
    }

    std::uint64_t numIters() const noexcept { return count_; }

    template <class Counters> void add(std::chrono::nanoseconds elapsed, const Counters &) {
        elapsed_ = elapsed;
        done_ = count_;
        count_ = walk::batch(static_cast<std::uint64_t>(elapsed.count()));
    }

    /// Adds a result that the program may read: the last batch, or 1 ns if there was none.
    template <class Result, class Counters, class Config>
    void moveResultTo(std::vector<Result> &results, const Counters &counters, const Config &config) {
        results.emplace_back(config);
        results.back().add(elapsed_, done_, counters);
        if (!is_reached_) return;
        is_reached_ = false;
        walk::end();
    }

  private:
    bool is_reached_ = false;
    std::uint64_t count_ = 0, done_ = 1;
    std::chrono::nanoseconds elapsed_{1};
};

/// Measures each alternative of a comparison as a separate case.
template <class CompareResult, class Result, class Bench, class Counters, class Ops>
CompareResult compare(const Bench &bench, const Counters &counters, const std::vector<std::string> &names,
                      const Ops &ops, const char *file) {
    std::vector<typename CompareResult::Entry> entries;
    for (std::size_t i = 0; i < names.size(); i++) {
        std::vector<Result> results;
        logic own(bench, names[i], file);
        while (const std::uint64_t count = own.numIters()) {
            const auto before = std::chrono::steady_clock::now();
            ops[i].run(ops[i].op, count);
            const auto after = std::chrono::steady_clock::now();
            own.add(std::chrono::duration_cast<std::chrono::nanoseconds>(after - before), counters);
        }
        own.moveResultTo(results, counters, bench.config());
        entries.emplace_back(names[i], std::move(results.back()), 1.0, 1.0, 1.0, std::size_t{0});
    }
    return CompareResult(std::move(entries), 1);
}

} // namespace nanobench
} // namespace derny

#endif
