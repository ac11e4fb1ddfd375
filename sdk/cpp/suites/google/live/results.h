// Values that a benchmark reports: counters, throughput and a label.
#ifndef DERNY_BENCHMARK_RESULTS_H
#define DERNY_BENCHMARK_RESULTS_H

#pragma GCC system_header

#include "../../../include/derny/turns.h"
#include "../benchmark/counter.h"

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

class Results {
  public:
    void Add(const UserCounters &counters, IterationCount iterations, const std::string &label) {
        Increment(&counters_, counters);
        iterations_ += iterations;
        if (!label.empty()) label_ = label;
    }

    /// Adds the values of all threads of one call. Their loops took `seconds`.
    void Merge(const Results &call, double seconds, int threads) {
        if (call.iterations_ == 0) return;
        for (const auto &each : call.counters_) {
            Value &value = values_[each.first];
            value.flags = each.second.flags;
            value.sum += Finished(each.second, static_cast<double>(call.iterations_), seconds, threads);
            value.count += 1;
        }
        if (!call.label_.empty()) label_ = call.label_;
    }

    /// Reports the values for the case: the means over all calls of its function.
    void Report() const {
        std::size_t count = 0;
        for (const auto &each : values_) {
            if (count++ == DERNY_REPORTED) break;
            derny_report(each.first.c_str(), UnitOf(each.first, each.second.flags), WordsOf(each.second.flags),
                         each.second.sum / each.second.count);
        }
    }

    /// Appends the label to the line that closes the case.
    void AddLabel(derny_buffer *line) const {
        std::size_t count = 0;
        if (!label_.empty()) derny_item(line, "texts", &count, ("label=" + label_).c_str());
    }

  private:
    struct Value {
        Counter::Flags flags = Counter::kDefaults;
        double sum = 0, count = 0;
    };

    static const char *UnitOf(const std::string &name, Counter::Flags flags) {
        if (name == "bytes_per_second") return "B/s";
        if (name == "items_per_second") return "items/s";
        if ((flags & Counter::kIsRate) == 0) return "count";
        return (flags & Counter::kInvert) != 0 ? "s" : "count/s";
    }
    static const char *WordsOf(Counter::Flags flags) {
        return (flags & Counter::kIsRate) != 0 ? "rate" : "level";
    }

    UserCounters counters_;
    IterationCount iterations_ = 0;
    std::string label_;
    std::map<std::string, Value> values_;
};

DERNY_BENCHMARK_INTERNAL_END

DERNY_BENCHMARK_END

#endif
