// Benchmarks with known behaviour. They report what they observe as counters.
#include <benchmark/benchmark.h>

#include <chrono>
#include <csignal>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using benchmark::Counter;
using benchmark::State;

static void Busy(int us) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
    while (std::chrono::steady_clock::now() < end) {
    }
}

// Number of calls of the function, and of iterations of its loop.
static int entries, bodies;
static void Count(State &state) {
    entries++;
    for (auto _ : state) bodies++;
    state.counters["entries"] = entries;
    state.counters["bodies"] = bodies;
    state.counters["iterations"] = static_cast<double>(state.iterations());
}
BENCHMARK(Count);
static void CountKeep(State &state) {
    entries++;
    while (state.KeepRunning()) bodies++;
    state.counters["entries"] = entries;
    state.counters["bodies"] = bodies;
    state.counters["iterations"] = static_cast<double>(state.iterations());
}
BENCHMARK(CountKeep);
static void CountBatch(State &state) {
    entries++;
    while (state.KeepRunningBatch(8)) bodies += 8;
    state.counters["entries"] = entries;
    state.counters["bodies"] = bodies;
    state.counters["iterations"] = static_cast<double>(state.iterations());
}
BENCHMARK(CountBatch);
static void Fixed(State &state) {
    entries++;
    int64_t own = 0;
    for (auto _ : state) own++;
    if (own != 5 || state.iterations() != 5 || state.max_iterations != 5) state.SkipWithError("not 5 iterations");
    state.counters["entries"] = entries;
}
BENCHMARK(Fixed)->Iterations(5);

// Functions that rely on a number of iterations.
static void Room(State &state) {
    entries++;
    std::vector<int> room(static_cast<std::size_t>(state.max_iterations));
    std::size_t used = 0;
    for (auto _ : state) room.at(used++) = 1;
    if (used != room.size()) state.SkipWithError("room is left");
    state.counters["entries"] = entries;
    bodies += static_cast<int>(used);
    state.counters["bodies"] = bodies;
}
BENCHMARK(Room);
static void ReadInside(State &state) {
    entries++;
    int64_t own = 0, most = 0;
    while (state.KeepRunning()) {
        if (state.iterations() != ++own) state.SkipWithError("iterations() is wrong");
        most = state.max_iterations;
    }
    if (own != most) state.SkipWithError("max_iterations is wrong");
    state.counters["entries"] = entries;
}
BENCHMARK(ReadInside);
static void Together(State &state) {
    while (state.KeepRunningBatch(state.max_iterations)) bodies += static_cast<int>(state.max_iterations);
    state.counters["bodies"] = bodies;
}
BENCHMARK(Together);
static void Copied(State &state) {
    const auto most = state.max_iterations;
    int64_t own = 0;
    for (auto _ : state) own++;
    if (own != most || most + 1 <= own || 2 * most < own) state.SkipWithError("the copy is wrong");
    state.counters["entries"] = ++entries;
}
BENCHMARK(Copied);

// Time.
static void Wait(State &state) {
    for (auto _ : state) Busy(static_cast<int>(state.range(0)));
}
BENCHMARK(Wait)->Arg(200);
static void Paused(State &state) {
    for (auto _ : state) {
        state.PauseTiming();
        Busy(2000);
        state.ResumeTiming();
        Busy(200);
    }
}
BENCHMARK(Paused);
static void PausedOver(State &state) {
    Busy(2000);
    for (auto _ : state) {
        Busy(200);
        state.PauseTiming();
        Busy(2000);
        if (entries++ % 2 == 0) state.ResumeTiming();
    }
}
BENCHMARK(PausedOver);
static void Manual(State &state) {
    entries++;
    for (auto _ : state) state.SetIterationTime(0.25);
    state.counters["entries"] = entries;
}
BENCHMARK(Manual)->UseManualTime();
static void ManualAfter(State &state) {
    entries++;
    for (auto _ : state) benchmark::ClobberMemory();
    state.SetIterationTime(0.25);
    state.counters["entries"] = entries;
}
BENCHMARK(ManualAfter)->UseManualTime();
BENCHMARK(Manual)->Name("ManualFixed")->UseManualTime()->Iterations(4);

// Threads.
static void Threads(State &state) {
    int own = 0;
    for (auto _ : state) own++;
    state.counters["sum"] = own;
    state.counters["average"] = Counter(own, Counter::kAvgThreads);
    state.counters["each"] = Counter(own, Counter::kAvgIterations);
    state.counters["indexes"] = 1 << state.thread_index();
    if (state.iterations() != own) state.SkipWithError("iterations() is wrong");
}
BENCHMARK(Threads)->Threads(3);
BENCHMARK(Wait)->Name("WaitThreads")->Arg(200)->Threads(2);
static void RoomThreads(State &state) {
    std::vector<int> room(static_cast<std::size_t>(state.max_iterations));
    std::size_t used = 0;
    for (auto _ : state) room.at(used++) = 1;
    state.counters["threads"] = 1;
}
BENCHMARK(RoomThreads)->Threads(3);
static void ThreadFails(State &state) {
    int own = 0;
    for (auto _ : state) {
        if (state.thread_index() == state.range(0) && ++own == 3) {
            state.SkipWithError("in a thread");
            break;
        }
    }
}
BENCHMARK(ThreadFails)->Arg(0)->Arg(1)->Threads(3);
static void ThreadThrows(State &state) {
    for (auto _ : state) {
        if (state.thread_index() == state.range(0)) throw std::runtime_error("in a thread");
    }
}
BENCHMARK(ThreadThrows)->Arg(0)->Arg(2)->Threads(3);
static void ThreadSkipsKeep(State &state) {
    while (state.KeepRunning()) {
        if (state.thread_index() == 1) state.SkipWithError("in a thread");
    }
}
BENCHMARK(ThreadSkipsKeep)->Threads(2);
static void ThreadReturns(State &state) {
    if (state.thread_index() == state.range(0)) return;
    for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(ThreadReturns)->Arg(0)->Arg(1)->Threads(2);
#ifdef DERNY_BENCHMARK_API_H
struct Runner : benchmark::ThreadRunnerBase {
    explicit Runner(int count) : count_(count) {}
    void RunThreads(const std::function<void(int)> &run) override {
        std::vector<std::thread> all;
        for (int i = 0; i < count_; i++) all.emplace_back(run, i);
        for (auto &each : all) each.join();
    }
    int count_;
};
BENCHMARK(Threads)->Name("OwnThreads")->Threads(3)->ThreadRunner([](int count) {
    return std::unique_ptr<benchmark::ThreadRunnerBase>(new Runner(count));
});
#endif

// Counters and texts.
static void Counters(State &state) {
    for (auto _ : state) Busy(100);
    const double n = static_cast<double>(state.iterations());
    state.counters["plain"] = 7;
    state.counters["per_iteration"] = Counter(3 * n, Counter::kAvgIterations);
    state.counters["invariant"] = Counter(2, Counter::kIsIterationInvariant);
    state.counters["inverted"] = Counter(4, Counter::kInvert);
    state.counters["not_finite"] = Counter(0, Counter::kInvert);
    state.counters["a:b c"] = 1;
    state.SetLabel("a label, with a comma");
}
BENCHMARK(Counters);
static void Rates(State &state) {
    for (auto _ : state) Busy(1000);
    state.SetBytesProcessed(state.iterations() * 1000);
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Rates);
static void Many(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    for (int i = 0; i < 100; i++) state.counters["counter " + std::to_string(i)] = i;
}
BENCHMARK(Many);

// Failures.
static void SkipBefore(State &state) {
    state.SkipWithError("before the loop");
    for (auto _ : state) bodies++;
}
BENCHMARK(SkipBefore);
static void SkipMessage(State &state) {
    state.SkipWithMessage("not here");
    for (auto _ : state) bodies++;
}
BENCHMARK(SkipMessage);
static void SkipInside(State &state) {
    int own = 0;
    for (auto _ : state) {
        if (++own == 5) state.SkipWithError("inside the loop");
    }
}
BENCHMARK(SkipInside);
static void SkipAfter(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    state.SkipWithError("after the loop");
}
BENCHMARK(SkipAfter);
static void Breaks(State &state) {
    for (auto _ : state) break;
}
BENCHMARK(Breaks);
static void Throws(State &state) {
    for (auto _ : state) throw std::logic_error("thrown");
}
BENCHMARK(Throws);
static void ThrowsBefore(State &) {
    throw std::logic_error("thrown");
}
BENCHMARK(ThrowsBefore);
static void ThrowsAfter(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    throw std::logic_error("thrown");
}
BENCHMARK(ThrowsAfter);
static void NoLoop(State &) {}
BENCHMARK(NoLoop);
static void Twice(State &state) {
    for (auto _ : state) bodies++;
    for (auto _ : state) std::abort();
}
BENCHMARK(Twice);
static void Nested(State &state) {
    for (auto _ : state) {
        for (auto inner : state) std::abort();
    }
}
BENCHMARK(Nested);
static void Crash(State &state) {
    for (auto _ : state) std::raise(SIGSEGV);
}
BENCHMARK(Crash);

// Hooks.
static int ups, downs;
static void Hooked(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    state.counters["ups"] = ups;
    state.counters["downs"] = downs;
}
BENCHMARK(Hooked)->Setup([](const State &) { ups++; })->Teardown([](const State &) { downs++; });
static void HookThrows(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
}
static void Throw(const State &) {
    throw std::logic_error("in a hook");
}
BENCHMARK(HookThrows)->Name("SetupThrows")->Setup(Throw);
BENCHMARK(HookThrows)->Name("TeardownThrows")->Teardown(Throw);
class Fix : public benchmark::Fixture {
  public:
    void SetUp(const State &) override { ups++; }
    void TearDown(const State &) override { downs++; }
};
BENCHMARK_F(Fix, Body)(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    state.counters["ups"] = ups;
    state.counters["downs"] = downs;
}

// Two benchmarks with the same name.
BENCHMARK(Count)->Name("twin");
BENCHMARK(Wait)->Arg(5)->Name("twin");
static void Twin(State &state) {
    for (auto _ : state) benchmark::ClobberMemory();
    state.SetLabel("second");
}
BENCHMARK(Twin)->Arg(5)->Name("twin");

BENCHMARK(Count)->Name("Often")->MinTime(0.1)->Repetitions(3);

// The compiler removes the loop of this benchmark.
static void Nothing(State &state) {
    for (auto _ : state) {
    }
}
BENCHMARK(Nothing);
