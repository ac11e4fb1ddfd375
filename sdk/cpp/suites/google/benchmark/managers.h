// Managers that a program may register. Derny does not use them to measure memory or profiles.
#ifndef DERNY_BENCHMARK_MANAGERS_H
#define DERNY_BENCHMARK_MANAGERS_H

#pragma GCC system_header

#include "benchmark_api.h"
#include <limits>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

/// Static constants of classes. In C++11, headers may define only static members of templates.
template <class Nothing> struct MemoryConstants {
    static constexpr int64_t TombstoneValue = std::numeric_limits<int64_t>::max();
};
template <class Nothing> constexpr int64_t MemoryConstants<Nothing>::TombstoneValue;

DERNY_BENCHMARK_INTERNAL_END

class MemoryManager : public internal::MemoryConstants<void> {
  public:
    struct Result {
        int64_t num_allocs = 0;
        int64_t max_bytes_used = 0;
        int64_t total_allocated_bytes = std::numeric_limits<int64_t>::max();
        int64_t net_heap_growth = std::numeric_limits<int64_t>::max();
        IterationCount memory_iterations = 0;
    };

    virtual ~MemoryManager() {}
    virtual void Start() = 0;
    virtual void Stop(Result &) {}
    /// The signature before version 1.8.
    virtual void Stop(Result *result) { Stop(*result); }
};

class ProfilerManager {
  public:
    virtual ~ProfilerManager() {}
    virtual void AfterSetupStart() = 0;
    virtual void BeforeTeardownStop() = 0;
};

void RegisterMemoryManager(MemoryManager *manager);
void RegisterProfilerManager(ProfilerManager *manager);

DERNY_BENCHMARK_END

#endif
