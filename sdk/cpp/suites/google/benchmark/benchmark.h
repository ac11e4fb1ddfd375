// The interface of Google Benchmark, with loops that Derny controls. Where a loop of the library
// would end, Derny's loop waits for the next turn.
#ifndef DERNY_BENCHMARK_BENCHMARK_H
#define DERNY_BENCHMARK_BENCHMARK_H

#pragma GCC system_header

// Headers that programs use without including them.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmark_api.h"
#include "counter.h"
#include "macros.h"
#include "managers.h"
#include "registration.h"
#include "reporter.h"
#include "state.h"
#include "statistics.h"
#include "sysinfo.h"
#include "types.h"
#include "utils.h"

#endif
