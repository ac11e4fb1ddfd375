// Counters: values that a benchmark reports.
#ifndef DERNY_BENCHMARK_COUNTER_H
#define DERNY_BENCHMARK_COUNTER_H

#pragma GCC system_header

#include "types.h"
#include <map>

DERNY_BENCHMARK_BEGIN

class IterationLimit;
class Number;

class Counter {
  public:
    enum Flags {
        kDefaults = 0,
        /// The value is divided by the time in seconds.
        kIsRate = 1,
        /// The value is divided by the number of threads.
        kAvgThreads = 2,
        kAvgThreadsRate = kIsRate | kAvgThreads,
        /// The value applies to each iteration, and is multiplied by their number.
        kIsIterationInvariant = 4,
        kIsIterationInvariantRate = kIsRate | kIsIterationInvariant,
        /// The value is divided by the number of iterations.
        kAvgIterations = 8,
        kAvgIterationsRate = kIsRate | kAvgIterations,
        /// The reciprocal is reported.
        kInvert = 1 << 30 << 1
    };
    enum OneK { kIs1000 = 1000, kIs1024 = 1024 };

    double value;
    Flags flags;
    OneK oneK;

    BENCHMARK_ALWAYS_INLINE Counter(double v = 0, Flags f = kDefaults, OneK k = kIs1000)
        : value(v), flags(f), oneK(k) {}
    Counter(const IterationLimit &v);
    Counter(const Number &v);

    BENCHMARK_ALWAYS_INLINE operator const double &() const { return value; }
    BENCHMARK_ALWAYS_INLINE operator double &() { return value; }
};

inline Counter::Flags operator|(const Counter::Flags &one, const Counter::Flags &other) {
    return static_cast<Counter::Flags>(static_cast<int>(one) | static_cast<int>(other));
}

using UserCounters = std::map<std::string, Counter>;

DERNY_BENCHMARK_INTERNAL_BEGIN

/// Returns the value to report for a counter.
inline double Finished(const Counter &counter, double iterations, double seconds, double threads) {
    double value = counter.value;
    if ((counter.flags & Counter::kIsRate) != 0) value /= seconds;
    if ((counter.flags & Counter::kAvgThreads) != 0) value /= threads;
    if ((counter.flags & Counter::kIsIterationInvariant) != 0) value *= iterations;
    if ((counter.flags & Counter::kAvgIterations) != 0) value /= iterations;
    return (counter.flags & Counter::kInvert) != 0 ? 1 / value : value;
}

/// Adds the counters of one thread to those of others.
inline void Increment(UserCounters *sum, const UserCounters &more) {
    for (const auto &each : more) {
        const auto at = sum->find(each.first);
        if (at == sum->end()) sum->insert(each);
        else at->second.value += each.second.value;
    }
}

DERNY_BENCHMARK_INTERNAL_END

DERNY_BENCHMARK_END

#endif
