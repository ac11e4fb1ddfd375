// Replaces the measurement in Catch2's benchmark header. A copy of that header includes this file
// first, so this file cannot use Catch2's types.
#ifndef DERNY_CATCH2_LIVE_HPP
#define DERNY_CATCH2_LIVE_HPP

#pragma GCC system_header

#include "../walk/walk.h"
#include <chrono>
#include <climits>

#if defined(__cpp_exceptions)
#define DERNY_CATCH2_TRY try
#define DERNY_CATCH2_OTHERWISE catch (...)
#else
#define DERNY_CATCH2_TRY
#define DERNY_CATCH2_OTHERWISE while (false)
#endif

namespace derny {
namespace catch2 {

/// The ways of handling a benchmark: measure it, call it once because the rest of the test may
/// depend on it, or skip it.
enum class means { measure, call, nothing };

means reached(const std::string &name);

/// Returns the full name of the last benchmark that was reached.
const std::string &whole_name();

/// Returns true if an assertion has failed since the benchmark was reached.
bool has_failed_assertion();

/// Ends the benchmark because of the exception being handled, or of the failed assertion.
void fail();

/// Calls a benchmark once. If it fails, the test continues with its other benchmarks.
template <class Model, class Chronometer, class Function> void call_once(const Function &function) {
    if (!walk::begin_unmeasured(whole_name())) return;
    DERNY_CATCH2_TRY {
        Model model;
        function(Chronometer(model, 1));
    } DERNY_CATCH2_OTHERWISE {
    }
    walk::end_unmeasured();
}

/// Handles a benchmark that the test has reached: measures it, calls it once or skips it.
template <class Model, class Chronometer, class Function> void serve(const std::string &name, const Function &function) {
    const means what = reached(name);
    if (what == means::call) {
        call_once<Model, Chronometer>(function);
        return;
    }
    if (what == means::nothing) return;
    DERNY_CATCH2_TRY {
        std::uint64_t count = walk::begin();
        while (count > 0) {
            Model model;
            function(Chronometer(model, count > INT_MAX ? INT_MAX : static_cast<int>(count)));
            if (has_failed_assertion()) {
                fail();
                return;
            }
            const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(model.elapsed());
            count = walk::batch(static_cast<std::uint64_t>(elapsed.count()));
        }
        walk::end();
    } DERNY_CATCH2_OTHERWISE {
        fail();
    }
}

} // namespace catch2
} // namespace derny

#endif
