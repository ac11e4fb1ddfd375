// A substitute for nanobench, for tests without a network: the parts that Derny replaces, and their
// dependencies.
#ifndef ANKERL_NANOBENCH_H_INCLUDED
#define ANKERL_NANOBENCH_H_INCLUDED

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ankerl {
namespace nanobench {

using Clock = std::chrono::steady_clock;

struct Config {
    std::string title = "benchmark", name = "noname", unit = "op";
    double batch = 1, complexityN = -1;
    size_t epochs = 11;
    uint64_t epochIterations = 0, minEpochIterations = 1, warmup = 0;
    bool relative = false;
};

namespace detail {
struct PerformanceCounters {
    void beginMeasure() {}
    void endMeasure() {}
    void updateResults(uint64_t) {}
};
PerformanceCounters &performanceCounters();
class IterationLogic;
} // namespace detail

class Result {
public:
    explicit Result(Config config) : mConfig(std::move(config)) {}
    void add(Clock::duration elapsed, uint64_t iters, detail::PerformanceCounters const &) {
        mTimes.push_back(std::chrono::duration<double>(elapsed).count() / static_cast<double>(iters));
    }
    double median() const { return mTimes.at(mTimes.size() / 2); }

private:
    Config mConfig;
    std::vector<double> mTimes;
};

class Bench {
public:
    template <typename Op> Bench &run(Op &&op);
    template <typename Op> Bench &run(std::string const &benchmarkName, Op &&op) {
        mConfig.name = benchmarkName;
        return run(std::forward<Op>(op));
    }
    Bench &title(std::string const &t) { mConfig.title = t; return *this; }
    Bench &unit(std::string const &u) { mConfig.unit = u; return *this; }
    Bench &batch(double b) { mConfig.batch = b; return *this; }
    Bench &complexityN(double n) { mConfig.complexityN = n; return *this; }
    Bench &epochs(size_t n) { mConfig.epochs = n; return *this; }
    Bench &epochIterations(uint64_t n) { mConfig.epochIterations = n; return *this; }
    Bench &relative(bool on) { mConfig.relative = on; return *this; }
    std::string const &title() const { return mConfig.title; }
    std::string const &name() const { return mConfig.name; }
    std::string const &unit() const { return mConfig.unit; }
    double batch() const { return mConfig.batch; }
    double complexityN() const { return mConfig.complexityN; }
    size_t epochs() const { return mConfig.epochs; }
    uint64_t epochIterations() const { return mConfig.epochIterations; }
    uint64_t minEpochIterations() const { return mConfig.minEpochIterations; }
    uint64_t warmup() const { return mConfig.warmup; }
    std::chrono::nanoseconds minEpochTime() const { return std::chrono::milliseconds(1); }
    std::chrono::nanoseconds maxEpochTime() const { return std::chrono::milliseconds(100); }
    bool relative() const { return mConfig.relative; }
    Config const &config() const { return mConfig; }
    std::vector<Result> const &results() const { return mResults; }

private:
    Config mConfig;
    std::vector<Result> mResults;
};

namespace detail {
class IterationLogic {
public:
    explicit IterationLogic(Bench const &bench);
    uint64_t numIters() const noexcept;
    void add(std::chrono::nanoseconds elapsed, PerformanceCounters const &pc) noexcept;
    void moveResultTo(std::vector<Result> &results) noexcept;

private:
    Bench const &mBench;
    Result mResult;
    size_t mLeft;
};
} // namespace detail

template <typename Op>
Bench &Bench::run(Op &&op) {
    detail::IterationLogic iterationLogic(*this);
    auto &pc = detail::performanceCounters();
    while (auto n = iterationLogic.numIters()) {
        pc.beginMeasure();
        Clock::time_point const before = Clock::now();
        while (n-- > 0) {
            op();
        }
        Clock::time_point const after = Clock::now();
        pc.endMeasure();
        pc.updateResults(iterationLogic.numIters());
        iterationLogic.add(after - before, pc);
    }
    iterationLogic.moveResultTo(mResults);
    return *this;
}

template <typename Arg> void doNotOptimizeAway(Arg &&arg) { asm volatile("" : : "r,m"(arg) : "memory"); }

} // namespace nanobench
} // namespace ankerl

#if defined(ANKERL_NANOBENCH_IMPLEMENT)

#include <cstdio>

namespace ankerl {
namespace nanobench {
namespace detail {

PerformanceCounters &performanceCounters() {
    static PerformanceCounters pc;
    return pc;
}

IterationLogic::IterationLogic(Bench const &bench) : mBench(bench), mResult(bench.config()), mLeft(bench.epochs()) {}
uint64_t IterationLogic::numIters() const noexcept {
    return mLeft == 0 ? 0 : mBench.epochIterations() > 0 ? mBench.epochIterations() : 1000;
}
void IterationLogic::add(std::chrono::nanoseconds elapsed, PerformanceCounters const &pc) noexcept {
    mResult.add(elapsed, numIters(), pc);
    mLeft--;
}
void IterationLogic::moveResultTo(std::vector<Result> &results) noexcept {
    std::printf("%s/%s\n", mBench.title().c_str(), mBench.name().c_str());
    results.emplace_back(std::move(mResult));
}

} // namespace detail
} // namespace nanobench
} // namespace ankerl

#endif // ANKERL_NANOBENCH_IMPLEMENT
#endif // ANKERL_NANOBENCH_H_INCLUDED
