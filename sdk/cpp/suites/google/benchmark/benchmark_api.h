// Definitions of benchmarks, and functions for `main`.
#ifndef DERNY_BENCHMARK_API_H
#define DERNY_BENCHMARK_API_H

#pragma GCC system_header

#include "../../../include/derny/compiler.h"
#include "state.h"

DERNY_BENCHMARK_BEGIN

const char kDefaultMinTimeStr[] = "0.5s";

inline void MaybeReenterWithoutASLR(int, char **) {}
inline std::string GetBenchmarkVersion() { return "derny"; }
void PrintDefaultHelp();
void Initialize(int *argc, char **argv, void (*print_help)() = PrintDefaultHelp);
inline void Shutdown() {}
bool ReportUnrecognizedArguments(int argc, char **argv);
std::string GetBenchmarkFilter();
void SetBenchmarkFilter(std::string value);
int32_t GetBenchmarkVerbosity();
std::unique_ptr<BenchmarkReporter> CreateDefaultDisplayReporter();

/// Runs the benchmarks that a pattern selects, as the engine requests. Reporters receive nothing.
/// Only the first call in a program runs any.
size_t RunSpecifiedBenchmarks();
size_t RunSpecifiedBenchmarks(std::string spec);
size_t RunSpecifiedBenchmarks(BenchmarkReporter *display);
size_t RunSpecifiedBenchmarks(BenchmarkReporter *display, std::string spec);
size_t RunSpecifiedBenchmarks(BenchmarkReporter *display, BenchmarkReporter *file);
size_t RunSpecifiedBenchmarks(BenchmarkReporter *display, BenchmarkReporter *file, std::string spec);

TimeUnit GetDefaultTimeUnit();
void SetDefaultTimeUnit(TimeUnit unit);
void ClearRegisteredBenchmarks();
void AddCustomContext(std::string key, std::string value);

struct ThreadRunnerBase {
    virtual ~ThreadRunnerBase() {}
    virtual void RunThreads(const std::function<void(int)> &run) = 0;
};
using threadrunner_factory = std::function<std::unique_ptr<ThreadRunnerBase>(int)>;

std::vector<int64_t> CreateRange(int64_t low, int64_t high, int multiplier);
std::vector<int64_t> CreateDenseRange(int64_t start, int64_t limit, int step);

class Benchmark;

DERNY_BENCHMARK_INTERNAL_BEGIN

class Families;

/// The place of a benchmark's definition, and the compiler's settings there.
struct Site {
    const char *file;
    int line;
    /// Compiler settings that limit optimisation, or NULL.
    const char *compiler;
    /// Runs the benchmark. Returns false if it threw.
    bool (*run)(::benchmark::Benchmark &benchmark, State &state);
    /// The source file that the compiler was called with. `file` may be a header included by it.
    const char *unit;
};

/// A name, and the place in the user's code where it was given. Default arguments record the
/// place.
struct NameAt {
    NameAt(const char *text, const char *file = __builtin_FILE(), int line = __builtin_LINE(),
           const char *unit = __BASE_FILE__)
        : NameAt(std::string(text), file, line, unit) {}
    NameAt(const std::string &text, const char *file = __builtin_FILE(), int line = __builtin_LINE(),
           const char *unit = __BASE_FILE__)
        : name(text), site(SiteAt(file, line, unit)) {}
    static Site SiteAt(const char *file, int line, const char *unit);
    std::string name;
    Site site;
};

Benchmark *RegisterAt(const Site &site, std::unique_ptr<Benchmark> benchmark);
void NoteException();

DERNY_BENCHMARK_INTERNAL_END

class Benchmark {
  public:
    virtual ~Benchmark() {}

    Benchmark *Name(const std::string &name) {
        name_ = name;
        return this;
    }
    Benchmark *Arg(int64_t value) { return Args({value}); }
    Benchmark *Args(const std::vector<int64_t> &values) {
        args_.push_back(values);
        return this;
    }
    Benchmark *ArgPair(int64_t first, int64_t second) { return Args({first, second}); }
    Benchmark *ArgName(const std::string &name) { return ArgNames({name}); }
    Benchmark *ArgNames(const std::vector<std::string> &names) {
        arg_names_ = names;
        return this;
    }
    Benchmark *Range(int64_t start, int64_t limit) {
        for (int64_t each : CreateRange(start, limit, range_multiplier_)) Arg(each);
        return this;
    }
    Benchmark *DenseRange(int64_t start, int64_t limit, int step = 1) {
        for (int64_t each : CreateDenseRange(start, limit, step)) Arg(each);
        return this;
    }
    Benchmark *Ranges(const std::vector<std::pair<int64_t, int64_t>> &ranges) {
        std::vector<std::vector<int64_t>> lists;
        for (const auto &each : ranges) lists.push_back(CreateRange(each.first, each.second, range_multiplier_));
        return ArgsProduct(lists);
    }
    Benchmark *RangePair(int64_t low1, int64_t high1, int64_t low2, int64_t high2) {
        return Ranges({{low1, high1}, {low2, high2}});
    }
    /// Adds all combinations. The first list varies fastest.
    Benchmark *ArgsProduct(const std::vector<std::vector<int64_t>> &lists) {
        std::size_t total = 1;
        for (const auto &list : lists) total *= list.size();
        for (std::size_t i = 0; i < total; i++) {
            std::vector<int64_t> values;
            std::size_t rest = i;
            for (const auto &list : lists) {
                values.push_back(list[rest % list.size()]);
                rest /= list.size();
            }
            args_.push_back(values);
        }
        return this;
    }
    Benchmark *RangeMultiplier(int multiplier) {
        range_multiplier_ = multiplier;
        return this;
    }
    Benchmark *Apply(const std::function<void(Benchmark *)> &define) {
        define(this);
        return this;
    }
    Benchmark *Setup(callback_function function) {
        setup_ = std::move(function);
        return this;
    }
    Benchmark *Teardown(callback_function function) {
        teardown_ = std::move(function);
        return this;
    }
    Benchmark *Unit(TimeUnit unit) {
        time_unit_ = unit;
        has_time_unit_ = true;
        return this;
    }
    TimeUnit GetTimeUnit() const { return has_time_unit_ ? time_unit_ : GetDefaultTimeUnit(); }

    Benchmark *MinTime(double seconds) {
        min_time_ = seconds;
        return this;
    }
    Benchmark *MinWarmUpTime(double seconds) {
        min_warmup_time_ = seconds;
        return this;
    }
    /// Sets the number of iterations of every call. Derny uses exactly this number.
    Benchmark *Iterations(IterationCount count) {
        iterations_ = count;
        return this;
    }
    Benchmark *Repetitions(int count) {
        repetitions_ = count;
        return this;
    }
    Benchmark *ReportAggregatesOnly(bool = true) { return this; }
    Benchmark *DisplayAggregatesOnly(bool = true) { return this; }
    Benchmark *MeasureProcessCPUTime() {
        measures_process_ = true;
        return this;
    }
    Benchmark *UseRealTime() {
        uses_real_time_ = true;
        return this;
    }
    Benchmark *UseManualTime() {
        uses_manual_time_ = true;
        return this;
    }
    Benchmark *Complexity(BigO = oAuto) {
        wants_complexity_ = true;
        return this;
    }
    Benchmark *Complexity(BigOFunc *) { return Complexity(oLambda); }
    Benchmark *ComputeStatistics(const std::string &, StatisticsFunc *, StatisticUnit = kTime) { return this; }

    Benchmark *Threads(int count) {
        thread_counts_.push_back(count);
        return this;
    }
    Benchmark *ThreadRange(int least, int most) {
        for (int64_t each : CreateRange(least, most, 2)) Threads(static_cast<int>(each));
        return this;
    }
    Benchmark *DenseThreadRange(int least, int most, int stride = 1) {
        for (int each = least; each < most; each += stride) Threads(each);
        return Threads(most);
    }
    Benchmark *ThreadPerCpu();
    Benchmark *ThreadRunner(threadrunner_factory &&factory) {
        thread_runner_ = std::move(factory);
        return this;
    }

    virtual void Run(State &state) = 0;

    const char *GetName() const { return name_.c_str(); }
    int ArgsCnt() const {
        if (!args_.empty()) return static_cast<int>(args_.front().size());
        return arg_names_.empty() ? -1 : static_cast<int>(arg_names_.size());
    }
    const char *GetArgName(int arg) const { return arg_names_[static_cast<std::size_t>(arg)].c_str(); }

    /// Returns true if the benchmark sets its time, warm-up or repetitions.
    bool has_counts() const { return min_time_ > 0 || min_warmup_time_ > 0 || repetitions_ > 0; }
    bool wants_complexity() const { return wants_complexity_; }

  protected:
    explicit Benchmark(const std::string &name) : name_(name) {}
    void SetName(const std::string &name) { name_ = name; }

  private:
    friend class internal::Families;
    friend class internal::BenchmarkInstance;
    friend class internal::Live;

    std::string name_;
    std::vector<std::string> arg_names_;
    std::vector<std::vector<int64_t>> args_;
    std::vector<int> thread_counts_;
    int range_multiplier_ = 8, repetitions_ = 0;
    TimeUnit time_unit_ = kNanosecond;
    double min_time_ = 0, min_warmup_time_ = 0;
    IterationCount iterations_ = 0;
    bool has_time_unit_ = false, measures_process_ = false, uses_real_time_ = false, uses_manual_time_ = false;
    bool wants_complexity_ = false;
    callback_function setup_, teardown_;
    threadrunner_factory thread_runner_;
    internal::Site site_ = internal::Site();

    BENCHMARK_DISALLOW_COPY_AND_ASSIGN(Benchmark);
};

class Fixture : public Benchmark {
  public:
    Fixture() : Benchmark("") {}
    void Run(State &state) override {
        this->SetUp(state);
        this->BenchmarkCase(state);
        this->TearDown(state);
    }
    virtual void SetUp(const State &) {}
    virtual void TearDown(const State &) {}
    virtual void SetUp(State &state) { SetUp(const_cast<const State &>(state)); }
    virtual void TearDown(State &state) { TearDown(const_cast<const State &>(state)); }

  protected:
    virtual void BenchmarkCase(State &) = 0;
};

DERNY_BENCHMARK_INTERNAL_BEGIN

using Benchmark = ::benchmark::Benchmark;
using threadrunner_factory = ::benchmark::threadrunner_factory;
typedef void(Function)(State &);

class FunctionBenchmark : public ::benchmark::Benchmark {
  public:
    FunctionBenchmark(const std::string &name, Function *function)
        : ::benchmark::Benchmark(name), function_(function) {}
    void Run(State &state) override { function_(state); }

  private:
    Function *function_;
};

template <class Lambda> class LambdaBenchmark : public ::benchmark::Benchmark {
  public:
    template <class Other>
    LambdaBenchmark(const std::string &name, Other &&lambda)
        : ::benchmark::Benchmark(name), lambda_(std::forward<Other>(lambda)) {}
    void Run(State &state) override { lambda_(state); }

  private:
    LambdaBenchmark(const LambdaBenchmark &) = delete;
    Lambda lambda_;
};

/// Runs a benchmark and records its exception. Files of a program may be compiled with and without
/// exceptions, so each kind has its own version.
template <bool has_exceptions> struct Guard {
    static bool Run(::benchmark::Benchmark &benchmark, State &state) {
        benchmark.Run(state);
        return true;
    }
};
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
template <> struct Guard<true> {
    static bool Run(::benchmark::Benchmark &benchmark, State &state) {
        try {
            benchmark.Run(state);
        } catch (...) {
            NoteException();
            return false;
        }
        return true;
    }
};
#endif

inline Site NameAt::SiteAt(const char *file, int line, const char *unit) {
    return Site{file, line, DERNY_COMPILER, &Guard<DERNY_BENCHMARK_EXCEPTIONS>::Run, unit};
}
inline ::benchmark::Benchmark *RegisterAt(const Site &site, ::benchmark::Benchmark *benchmark) {
    return RegisterAt(site, std::unique_ptr<::benchmark::Benchmark>(benchmark));
}
inline ::benchmark::Benchmark *RegisterBenchmarkInternal(std::unique_ptr<::benchmark::Benchmark> benchmark) {
    return RegisterAt(NameAt::SiteAt(nullptr, 0, nullptr), std::move(benchmark));
}
inline ::benchmark::Benchmark *RegisterBenchmarkInternal(::benchmark::Benchmark *benchmark) {
    return RegisterBenchmarkInternal(std::unique_ptr<::benchmark::Benchmark>(benchmark));
}

DERNY_BENCHMARK_INTERNAL_END

template <class Lambda> Benchmark *RegisterBenchmark(const internal::NameAt &name, Lambda &&run) {
    using Defined = internal::LambdaBenchmark<typename std::decay<Lambda>::type>;
    return internal::RegisterAt(name.site, internal::make_unique<Defined>(name.name, std::forward<Lambda>(run)));
}
inline Benchmark *RegisterBenchmark(const internal::NameAt &name, internal::Function *run) {
    return internal::RegisterAt(name.site, internal::make_unique<internal::FunctionBenchmark>(name.name, run));
}
template <class Lambda, class... Arguments>
Benchmark *RegisterBenchmark(const internal::NameAt &name, Lambda &&run, Arguments &&...arguments) {
    return ::benchmark::RegisterBenchmark(name, [=](State &state) { run(state, arguments...); });
}

DERNY_BENCHMARK_END

#endif
