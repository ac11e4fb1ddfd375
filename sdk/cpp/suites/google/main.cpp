// What a program is linked with instead of the library: the conversation with the engine, and a `main` for
// programs that have none of their own.
#include "benchmark/benchmark.h"
#include "live/run.h"

__attribute__((__weak__)) int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
