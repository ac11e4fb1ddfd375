// Uses every part of the library's interface. Also compiles with the library itself, to compare the
// names that the two programs list.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#if !defined(DERNY_BENCHMARK_API_H) && !defined(SINCE)
#define SINCE 107 // Debian's version of the library
#elif !defined(SINCE)
#define SINCE 999
#endif

using benchmark::State;

// Loops.
static void Plain(State &state) {
    for (auto _ : state) {
        int x = 1;
        benchmark::DoNotOptimize(x);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(Plain);
static void Keep(State &state) {
    while (state.KeepRunning()) benchmark::DoNotOptimize(std::string("a"));
}
BENCHMARK(Keep)->Name("renamed");
static void KeepBatch(State &state) {
    while (state.KeepRunningBatch(1000)) benchmark::ClobberMemory();
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(KeepBatch);
static void Names(State &state) {
    for (BENCHMARK_UNUSED auto value : state) benchmark::DoNotOptimize(&state);
}
BENCHMARK(Names)->Unit(benchmark::kMicrosecond)->Unit(benchmark::kSecond);
#if SINCE >= 108
BENCHMARK([](State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
});
#endif

// Arguments.
static void Args(State &state) {
    int64_t sum = 0;
#if SINCE >= 108
    for (std::size_t i = 0; i < state.range_size(); i++) sum += state.range(i);
#endif
    for (auto _ : state) benchmark::DoNotOptimize(sum);
    state.SetComplexityN(state.complexity_length_n() + 1);
}
BENCHMARK(Args)->Arg(1)->Arg(-2)->Arg(1000000);
BENCHMARK(Args)->Args({1, 2})->Args({3, 4})->ArgPair(5, 6);
BENCHMARK(Args)->ArgName("n")->Arg(8);
BENCHMARK(Args)->ArgNames({"n", "", "k"})->Args({1, 2, 3});
BENCHMARK(Args)->Range(1, 1 << 12)->Range(0, 100)->Range(5, 5)->Range(7, 8);
BENCHMARK(Args)->Range(-100, 100)->Range(-64, -8)->Range(-8, 0)->Range(-1, 1)->Range(0, 1)->Range(-5, -4);
BENCHMARK(Args)->RangeMultiplier(2)->Range(3, 17);
BENCHMARK(Args)->RangeMultiplier(10)->Ranges({{1, 100}, {-10, 10}});
BENCHMARK(Args)->RangePair(1, 16, 2, 9);
BENCHMARK(Args)->DenseRange(0, 3)->DenseRange(10, 20, 4);
BENCHMARK(Args)->ArgsProduct({{1, 2, 3}, {4, 5}, {6}});
BENCHMARK(Args)->ArgsProduct({benchmark::CreateRange(8, 128, 2), benchmark::CreateDenseRange(1, 4, 1)});
BENCHMARK(Args)->ArgNames({"a", "b"});
static void Apply(benchmark::internal::Benchmark *b) {
    for (int i = 0; i < 3; i++) b->Args({i, i * i});
}
BENCHMARK(Args)->Apply(Apply);
BENCHMARK_WITH_ARG(Args, 77);
BENCHMARK_WITH_ARG2(Args, 77, 78);
BENCHMARK_WITH_UNIT(Args, benchmark::kMillisecond);
BENCHMARK_RANGE(Args, 3, 9);
#if SINCE == 999 // does not compile with the library
BENCHMARK_RANGE2(Args, 3, 9, 4, 5);
#endif

// Options that become parts of names.
BENCHMARK(Plain)->MinTime(0.1);
BENCHMARK(Plain)->MinTime(1.2345)->MinWarmUpTime(0.25);
BENCHMARK(Plain)->Iterations(5);
BENCHMARK(Plain)->Arg(3)->Iterations(1)->Repetitions(3)->ReportAggregatesOnly();
BENCHMARK(Plain)->Repetitions(2)->DisplayAggregatesOnly(true);
BENCHMARK(Plain)->MeasureProcessCPUTime();
BENCHMARK(Plain)->UseRealTime();
BENCHMARK(Plain)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(Args)->Arg(1)->Complexity();
BENCHMARK(Args)->Arg(2)->Complexity(benchmark::oN);
BENCHMARK(Args)->Arg(3)->Complexity([](benchmark::IterationCount n) -> double { return static_cast<double>(n); });
BENCHMARK(Plain)->ComputeStatistics("max", [](const std::vector<double> &v) { return v[0]; });
static void Manual(State &state) {
    for (auto _ : state) state.SetIterationTime(1e-6);
}
BENCHMARK(Manual)->UseManualTime();
BENCHMARK(Manual)->UseManualTime()->MeasureProcessCPUTime()->Iterations(4);
static void ManualAfter(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    state.SetIterationTime(1e-6);
}
BENCHMARK(ManualAfter)->UseManualTime();

// Threads.
static void Threads(State &state) {
    int own = state.thread_index() + state.threads();
    for (auto _ : state) benchmark::DoNotOptimize(own);
    state.counters["threads"] = benchmark::Counter(1, benchmark::Counter::kAvgThreads);
}
BENCHMARK(Threads)->Threads(2)->Threads(1);
BENCHMARK(Threads)->ThreadRange(1, 3)->UseRealTime();
BENCHMARK(Threads)->Arg(4)->DenseThreadRange(1, 4, 2)->Name("dense");
BENCHMARK(Threads)->ThreadPerCpu();

// Templates and captured arguments.
template <class T> static void One(State &state) {
    T value = T();
    for (auto _ : state) benchmark::DoNotOptimize(value);
}
template <class T, class U> static void Two(State &state) {
    One<U>(state);
}
template <class T, class U, class V> static void Three(State &state) {
    One<V>(state);
}
template <int n> static void Value(State &state) {
    One<int>(state);
}
BENCHMARK_TEMPLATE(One, int);
BENCHMARK_TEMPLATE(One, std::vector<int>)->Arg(3);
BENCHMARK_TEMPLATE(Three, char, std::pair<int, int>, double);
BENCHMARK_TEMPLATE1(One, unsigned long);
BENCHMARK_TEMPLATE2(Two, int, double);
BENCHMARK_TEMPLATE(Value, 1 << 3);
BENCHMARK(Two<int, char>);
static void Captured(State &state, int number, const std::string &text) {
    for (auto _ : state) benchmark::DoNotOptimize(number + static_cast<int>(text.size()));
}
BENCHMARK_CAPTURE(Captured, name, 3, std::string("a"))->Arg(7);
BENCHMARK_CAPTURE(Captured, other name, 4, "b");
template <class T> static void CapturedOne(State &state, T value) {
    for (auto _ : state) benchmark::DoNotOptimize(value);
}
template <class T, class U> static void CapturedTwo(State &state, T value, U) {
    for (auto _ : state) benchmark::DoNotOptimize(value);
}
#if SINCE >= 108
BENCHMARK_CAPTURE(CapturedOne<int>, seven, 7);
BENCHMARK_NAMED(Plain, special);
BENCHMARK_TEMPLATE1_CAPTURE(CapturedOne, int, seven, 7);
BENCHMARK_TEMPLATE2_CAPTURE(CapturedTwo, int, char, seven, 7, 'a');
#endif

// Fixtures.
class Fix : public benchmark::Fixture {
  public:
    void SetUp(const State &state) override {
        if (state.thread_index() == 0) value.reset(new int(42));
    }
    void TearDown(const State &state) override {
        if (state.thread_index() == 0) value.reset();
    }
    std::unique_ptr<int> value;
};
BENCHMARK_F(Fix, Declared)(State &state) {
    for (auto _ : state) benchmark::DoNotOptimize(*value);
}
BENCHMARK_DEFINE_F(Fix, Defined)(State &state) {
    for (auto _ : state) benchmark::DoNotOptimize(*value);
}
BENCHMARK_REGISTER_F(Fix, Defined)->Arg(42)->Threads(2);
class FixOfState : public benchmark::Fixture {
  public:
    void SetUp(State &state) override { state.SetLabel("set up"); }
    void TearDown(State &) override {}
};
BENCHMARK_F(FixOfState, Body)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
template <class... Types> class FixOf : public benchmark::Fixture {};
BENCHMARK_TEMPLATE_F(FixOf, Declared, int, char)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK_TEMPLATE1_F(FixOf, One, int)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK_TEMPLATE2_F(FixOf, Two, int, char)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK_TEMPLATE_DEFINE_F(FixOf, Defined, double)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK_REGISTER_F(FixOf, Defined)->Arg(1);
BENCHMARK_TEMPLATE1_DEFINE_F(FixOf, DefinedOne, double)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK_REGISTER_F(FixOf, DefinedOne);
BENCHMARK_TEMPLATE2_DEFINE_F(FixOf, DefinedTwo, double, int)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK_REGISTER_F(FixOf, DefinedTwo);
#if SINCE >= 109
template <class T> class FixMethod : public benchmark::Fixture {
  public:
    T value = T();
};
BENCHMARK_TEMPLATE_METHOD_F(FixMethod, Method)(State &state) {
    for (auto _ : state) benchmark::DoNotOptimize(this->value);
}
BENCHMARK_TEMPLATE_INSTANTIATE_F(FixMethod, Method, int);
BENCHMARK_TEMPLATE_INSTANTIATE_F(FixMethod, Method, double)->Arg(2);
#endif

// Values that a benchmark reports.
static void Reports(State &state) {
    for (auto _ : state) {
        state.PauseTiming();
        benchmark::ClobberMemory();
        state.ResumeTiming();
    }
    state.SetBytesProcessed(state.iterations() * 8);
    state.SetItemsProcessed(state.iterations());
    state.SetLabel("a label");
    state.counters["plain"] = 3;
    state.counters["rate"] = benchmark::Counter(1, benchmark::Counter::kIsRate);
    state.counters["inverted"] = benchmark::Counter(1, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters.insert({{"average", benchmark::Counter(8, benchmark::Counter::kAvgIterations,
                                                          benchmark::Counter::OneK::kIs1024)}});
    if (state.bytes_processed() < 0 || state.items_processed() < 0 || state.error_occurred()) std::abort();
}
BENCHMARK(Reports);
static void Skips(State &state) {
    state.SkipWithError("not here");
    for (auto _ : state) std::abort();
}
BENCHMARK(Skips);
#if SINCE >= 108
static void SkipsQuietly(State &state) {
    if (state.skipped()) std::abort();
    state.SkipWithMessage("not here");
    for (auto _ : state) std::abort();
}
BENCHMARK(SkipsQuietly);
static void Scoped(State &state) {
    for (auto _ : state) {
#if SINCE >= 109
        benchmark::ScopedPauseTiming pause(state);
#endif
        benchmark::ClobberMemory();
    }
    if (state.name().empty()) std::abort();
}
BENCHMARK(Scoped);
#endif
static void Counted(State &state) {
    std::vector<int64_t> values(static_cast<std::size_t>(state.max_iterations));
    const benchmark::IterationCount most = state.max_iterations;
    std::size_t i = 0;
    for (auto _ : state) values.at(i++) = most;
    if (state.iterations() != state.max_iterations) std::abort();
    state.counters["most"] = state.max_iterations;
    std::string text = std::to_string(state.max_iterations);
    text.reserve(static_cast<std::size_t>(state.max_iterations));
    delete[] new char[static_cast<std::size_t>(state.max_iterations)];
    if (state.max_iterations * 2 < most || state.max_iterations % 2 > 1) std::abort();
}
BENCHMARK(Counted);
static int setups = 0;
static void SetUp(const State &) {
    setups++;
}
static void TearDown(const State &) {
    setups--;
}
static void Hooked(State &state) {
    if (setups != 1) state.SkipWithError("the set-up has not run");
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(Hooked)->Setup(SetUp)->Teardown(TearDown);
static void DISABLED_Function(State &) {}
BENCHMARK(DISABLED_Function);

// Other definitions.
static const benchmark::internal::Benchmark *const registered =
    benchmark::RegisterBenchmark("at run time", Plain)->Arg(1);
class Own : public benchmark::internal::Benchmark {
  public:
    Own() : Benchmark("own class") {}
    void Run(State &state) override { Plain(state); }
};
static benchmark::internal::Benchmark *own = benchmark::internal::RegisterBenchmarkInternal(new Own);
struct Callable {
    void operator()(State &state) const { Plain(state); }
};

// A user-defined `main`, and the functions that it may call.
class Reporter : public benchmark::ConsoleReporter {
  public:
    bool ReportContext(const Context &context) override { return ConsoleReporter::ReportContext(context); }
    void ReportRuns(const std::vector<Run> &runs) override {
        for (const Run &run : runs) {
            if (run.iterations == 0 || run.run_type == Run::RT_Aggregate || run.benchmark_name().empty()) continue;
            last = run.GetAdjustedRealTime() + run.GetAdjustedCPUTime();
        }
        ConsoleReporter::ReportRuns(runs);
    }
    double last = 0;
};
class Memory : public benchmark::MemoryManager {
  public:
    void Start() override {}
#if SINCE >= 108
    void Stop(Result &result) override { result.num_allocs = 1; }
#else
    void Stop(Result *result) override { result->num_allocs = 1; }
#endif
};

int main(int argc, char **argv) {
    own->Arg(5);
    benchmark::RegisterBenchmark("lambda", [](State &state) {
        for (auto _ : state) benchmark::ClobberMemory();
    });
    const std::string text = "text";
    benchmark::RegisterBenchmark("lambda with arguments", [](State &state, int number, const std::string &word) {
        for (auto _ : state) benchmark::DoNotOptimize(number + static_cast<int>(word.size()));
    }, 3, text);
    benchmark::RegisterBenchmark("callable", Callable());
    benchmark::SetDefaultTimeUnit(benchmark::kMillisecond);
    benchmark::AddCustomContext("key", "value");
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    if (benchmark::GetBenchmarkFilter() == "nothing") benchmark::ClearRegisteredBenchmarks();
    if (benchmark::CPUInfo::Get().num_cpus < 1 || benchmark::SystemInfo::Get().name.empty()) return 1;
    if (std::string(benchmark::GetTimeUnitString(benchmark::kMicrosecond)) != "us") return 1;
    Memory memory;
    benchmark::RegisterMemoryManager(&memory);
    Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::RegisterMemoryManager(nullptr);
    benchmark::Shutdown();
    return registered == nullptr;
}
