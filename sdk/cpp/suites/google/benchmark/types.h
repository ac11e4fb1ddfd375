// Types that the other headers of this folder share.
#ifndef DERNY_BENCHMARK_TYPES_H
#define DERNY_BENCHMARK_TYPES_H

#pragma GCC system_header

#include "macros.h"
#include <functional>
#include <memory>
#include <stdint.h>
#include <string>
#include <utility>

DERNY_BENCHMARK_BEGIN

class BenchmarkReporter;
class State;

using IterationCount = int64_t;
using callback_function = std::function<void(const State &)>;

enum TimeUnit { kNanosecond, kMicrosecond, kMillisecond, kSecond };

DERNY_BENCHMARK_INTERNAL_BEGIN

template <class T, class... Arguments> std::unique_ptr<T> make_unique(Arguments &&...arguments) {
    return std::unique_ptr<T>(new T(std::forward<Arguments>(arguments)...));
}

DERNY_BENCHMARK_INTERNAL_END

struct BenchmarkName {
    std::string function_name, args, min_time, min_warmup_time, iterations, repetitions, time_type, threads;

    std::string str() const {
        std::string all;
        for (const std::string *part :
             {&function_name, &args, &min_time, &min_warmup_time, &iterations, &repetitions, &time_type, &threads}) {
            if (!all.empty() && !part->empty()) all += '/';
            all += *part;
        }
        return all;
    }
};

DERNY_BENCHMARK_END

#endif
