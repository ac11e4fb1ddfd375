// Linked into a program instead of the library. Contains the conversation with the engine, and a
// weak `main` for programs without one.
#include "benchmark/benchmark.h"
#include "live/run.h"

namespace {

int run_all(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

} // namespace

__attribute__((__weak__)) int main(int argc, char **argv) {
    return run_all(argc, argv);
}

/// Replaces `main` in programs that are linked with `--wrap=main`.
extern "C" int __wrap_main(int argc, char **argv) {
    return run_all(argc, argv);
}
