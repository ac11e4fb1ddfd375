// All benchmarks of the program, and their cases.
#ifndef DERNY_BENCHMARK_FAMILIES_H
#define DERNY_BENCHMARK_FAMILIES_H

#pragma GCC system_header

#include "../../../include/derny/start.h"
#include "../../../include/derny/failure.hpp"
#include "../../program/files.h"
#include "identity.h"
#include <algorithm>
#include <limits>
#include <map>
#include <regex.h>

DERNY_BENCHMARK_BEGIN

std::vector<int64_t> CreateDenseRange(int64_t start, int64_t limit, int step) {
    std::vector<int64_t> values;
    for (int64_t each = start; each <= limit; each += step) values.push_back(each);
    return values;
}

DERNY_BENCHMARK_INTERNAL_BEGIN

/// Returns the powers of `multiplier` from `low` to `high`, both of which are positive.
std::vector<int64_t> Powers(int64_t low, int64_t high, int multiplier) {
    std::vector<int64_t> values;
    for (int64_t each = 1; each <= high; each *= multiplier) {
        if (each >= low) values.push_back(each);
        if (each > std::numeric_limits<int64_t>::max() / multiplier) break;
    }
    return values;
}

DERNY_BENCHMARK_INTERNAL_END

/// Returns `low` and `high`, and between them 0 and the powers of `multiplier` with either sign.
std::vector<int64_t> CreateRange(int64_t low, int64_t high, int multiplier) {
    std::vector<int64_t> values{low};
    if (low >= high) return values;
    if (low + 1 < 0) {
        std::vector<int64_t> powers = internal::Powers(std::max<int64_t>(1, 1 - high), -(low + 1), multiplier);
        for (auto each = powers.rbegin(); each != powers.rend(); ++each) values.push_back(-*each);
    }
    if (low < 0 && high >= 0) values.push_back(0);
    if (high > 1) {
        for (int64_t each : internal::Powers(std::max<int64_t>(low + 1, 1), high - 1, multiplier)) {
            values.push_back(each);
        }
    }
    if (values.back() != high) values.push_back(high);
    return values;
}

DERNY_BENCHMARK_INTERNAL_BEGIN

/// A benchmark with one combination of arguments, which is a case.
class BenchmarkInstance {
  public:
    BenchmarkInstance(::benchmark::Benchmark &family, const std::vector<int64_t> &args, int threads)
        : family_(&family), args_(args), threads_(threads) {
        name_.function_name = family.name_;
        for (std::size_t i = 0; i < args.size(); i++) {
            if (i > 0) name_.args += '/';
            if (i < family.arg_names_.size() && !family.arg_names_[i].empty()) name_.args += family.arg_names_[i] + ":";
            name_.args += std::to_string(args[i]);
        }
        if (family.min_time_ > 0) name_.min_time = "min_time:" + Seconds(family.min_time_);
        if (family.min_warmup_time_ > 0) name_.min_warmup_time = "min_warmup_time:" + Seconds(family.min_warmup_time_);
        if (family.iterations_ != 0) name_.iterations = "iterations:" + std::to_string(family.iterations_);
        if (family.repetitions_ != 0) name_.repetitions = "repeats:" + std::to_string(family.repetitions_);
        if (family.measures_process_) name_.time_type = "process_time";
        const char *own = family.uses_manual_time_ ? "manual_time" : family.uses_real_time_ ? "real_time" : "";
        if (*own != '\0') name_.time_type += (name_.time_type.empty() ? "" : "/") + std::string(own);
        if (!family.thread_counts_.empty()) name_.threads = "threads:" + std::to_string(threads);
        full_name_ = name_.str();
        identity_ = Identity(full_name_);
    }

    const BenchmarkName &name() const { return name_; }
    const std::string &full_name() const { return full_name_; }
    const Identity &identity() const { return identity_; }
    int threads() const { return threads_; }
    const Site &site() const { return family_->site_; }
    ::benchmark::Benchmark &family() const { return *family_; }
    IterationCount fixed_iterations() const { return family_->iterations_; }
    bool use_manual_time() const { return family_->uses_manual_time_; }

    /// Calls the hook that runs before or after each call of the benchmark's function.
    void Call(const callback_function &hook) const {
        if (!hook) return;
        const State state(name_.function_name, args_, 0, threads_, 1);
        hook(state);
    }

    /// Position among the cases with this identity, from 1, or 0 if it is unique.
    unsigned at = 0;
    /// True if the function must be called for each batch, with exactly its number of iterations.
    bool is_exact = false;

  private:
    friend class Live;

    static std::string Seconds(double seconds) {
        char text[400];
        snprintf(text, sizeof text, "%0.3f", seconds);
        return text;
    }

    ::benchmark::Benchmark *family_;
    std::vector<int64_t> args_;
    int threads_;
    BenchmarkName name_;
    std::string full_name_;
    Identity identity_{""};
};

class Families {
  public:
    static Families &Get() {
        static Families all;
        return all;
    }

    ::benchmark::Benchmark *Add(std::unique_ptr<::benchmark::Benchmark> benchmark, const Site &site) {
        pthread_mutex_lock(&mutex_);
        benchmark->site_ = site;
        if (site.compiler != nullptr) compiler_ = site.compiler;
        all_.push_back(std::move(benchmark));
        ::benchmark::Benchmark *const added = all_.back().get();
        pthread_mutex_unlock(&mutex_);
        return added;
    }
    void Clear() { all_.clear(); }
    const char *compiler() const { return compiler_; }

    /// Returns the cases that a pattern selects: those that match an extended regular expression
    /// or, after `-`, those that do not match it. Returns false after an error, and sets `why`.
    bool Find(const std::string &pattern, const derny::program::files &files, std::vector<BenchmarkInstance> *found,
              std::string *why) {
        const bool is_negative = !pattern.empty() && pattern[0] == '-';
        const bool is_all = pattern.empty() || pattern == "all";
        regex_t expression;
        const int error =
            regcomp(&expression, is_all ? "." : pattern.c_str() + is_negative, REG_EXTENDED | REG_NOSUB);
        if (error != 0) {
            char text[256];
            regerror(error, &expression, text, sizeof text);
            *why = text;
            return false;
        }
        for (const auto &family : all_) {
            const Site &site = family->site_;
            if (!files.has(site.file == nullptr ? "" : site.file, site.unit == nullptr ? "" : site.unit)) continue;
            // A benchmark with argument names but no arguments has no case.
            const std::vector<std::vector<int64_t>> none(family->arg_names_.empty() ? 1 : 0);
            const std::vector<int> one{1};
            for (const auto &args : family->args_.empty() ? none : family->args_) {
                for (int threads : family->thread_counts_.empty() ? one : family->thread_counts_) {
                    BenchmarkInstance instance(*family, args, threads);
                    const std::string &name = instance.full_name();
                    const bool matches = regexec(&expression, name.c_str(), 0, nullptr, 0) == 0;
                    if (matches != is_negative && name.compare(0, 9, "DISABLED_") != 0) found->push_back(instance);
                }
            }
        }
        regfree(&expression);
        Number(found);
        return true;
    }

  private:
    Families() { pthread_mutex_init(&mutex_, nullptr); }

    static void Number(std::vector<BenchmarkInstance> *cases) {
        std::map<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>, std::vector<BenchmarkInstance *>>
            named;
        for (auto &each : *cases) named[{each.identity().benchmark, each.identity().params}].push_back(&each);
        for (auto &each : named) {
            for (unsigned i = 0; each.second.size() > 1 && i < each.second.size(); i++) each.second[i]->at = i + 1;
        }
    }

    std::vector<std::unique_ptr<::benchmark::Benchmark>> all_;
    const char *compiler_ = nullptr;
    pthread_mutex_t mutex_;
};

::benchmark::Benchmark *RegisterAt(const Site &site, std::unique_ptr<::benchmark::Benchmark> benchmark) {
    return Families::Get().Add(std::move(benchmark), site);
}

void NoteException() {
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    derny::detail::record(nullptr);
#else
    derny_forget_failure();
    derny_failure.has_failed = true;
    derny_add(&derny_failure.message, "an exception");
#endif
}

DERNY_BENCHMARK_INTERNAL_END

Benchmark *Benchmark::ThreadPerCpu() {
    return Threads(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}
void ClearRegisteredBenchmarks() {
    internal::Families::Get().Clear();
}

DERNY_BENCHMARK_END

#endif
