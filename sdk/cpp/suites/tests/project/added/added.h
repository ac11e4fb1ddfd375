#pragma once
#include "words.h"
#include <benchmark/benchmark.h>

// Registers a benchmark at run time.
benchmark::internal::Benchmark *add(const char *name, int count);
// Counts the iterations of a state.
void count(benchmark::State &state);
