// Lets a library's benchmarks be measured while the user's program runs. The program visits one benchmark after
// the other in a *walk*, and only the open one is run. For the library's side, see `walk.cpp` for the engine's.
#ifndef DERNY_WALK_H
#define DERNY_WALK_H

#pragma GCC system_header

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace derny {
namespace walk {

/// Properties of a benchmark that are known before it is run.
struct benchmark {
    std::string name;
    /// Name and value of each parameter.
    std::vector<std::pair<std::string, std::string>> params;
    /// Operations per iteration, and the name of one.
    double ops = 1;
    std::string unit;
    /// Exact number of iterations of each batch. 0 if Derny may choose it.
    std::uint64_t count = 0;
    /// Source file, if it is known.
    std::string file;
    unsigned line = 0;
};

/// Called when the program comes to a benchmark. Returns true if the benchmark must run now. If so, it calls
/// `begin`, then `batch` after each batch, and `end` when the library's function is over.
bool reached(const benchmark &own);

/// Returns the iterations of the first batch. 0 if there is none.
std::uint64_t begin();

/// Records the time of a batch. Returns the iterations of the next one. 0 if there is none.
std::uint64_t batch(std::uint64_t ns);

/// Ends the benchmark that runs.
void end();

/// Ends the benchmark that runs, with an error. Without a message, uses the exception that is being handled.
void fail(const std::string &message);

/// Ends the benchmark that runs, because it does not apply here.
void skip(const std::string &reason);

/// Reports that a part of a source file failed, so that benchmarks in it may be missing from the list.
void lose(const std::string &part, const std::string &file, const std::string &message);

/// Tells the user something, once in a run.
void remark(const std::string &text);

/// Begins a call of a benchmark that is not measured, because what follows may count on it. If it crashes, the walk
/// begins again without this call. Returns false if it has crashed before.
bool begin_unmeasured(const std::string &name);

/// Ends such a call.
void end_unmeasured();

/// Returns true if the program lists its benchmarks, or seeks one whose name begins with `part`.
bool is_near(const std::string &part);

/// Returns the words with which the program is started if the user gives none: to come to a benchmark, or to all if
/// `name` is empty. A library may define it.
std::vector<std::string> words_for(const std::string &name) __attribute__((__weak__));

} // namespace walk
} // namespace derny

#endif
