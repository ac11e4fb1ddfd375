// `main` of a program that has none of its own. It is linked in place of the library's.
#include "benchmark/benchmark.h"

__attribute__((__weak__)) int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
