// Measures a library's benchmarks while the user's program runs. In a *walk*, the program visits
// one benchmark after the other, and runs only the open one. This is the interface for the library.
// `walk.cpp` contains the engine's side.
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

/// Called when the program reaches a benchmark. Returns true if the benchmark must run now. The
/// library then calls `begin`, `batch` after each batch, and `end` after its function.
bool reached(const benchmark &own);

/// Returns the number of iterations of the first batch, or 0 if there is none.
std::uint64_t begin();

/// Records the time of a batch. Returns the number of iterations of the next batch, or 0 if there
/// is none.
std::uint64_t batch(std::uint64_t ns);

void end();

/// Ends the running benchmark with an error. Without a message, uses the exception being handled.
void fail(const std::string &message);

/// Ends the running benchmark, because it does not apply here.
void skip(const std::string &reason);

/// Reports that a part of a source file failed, so that benchmarks in it may be missing from the list.
void lose(const std::string &part, const std::string &file, const std::string &message);

/// Shows a remark to the user, once per run.
void remark(const std::string &text);

/// Begins an unmeasured call of a benchmark, because later code may depend on it. If the call
/// crashes, the walk restarts without it. Returns false if it has crashed before.
bool begin_unmeasured(const std::string &name);

void end_unmeasured();

/// Returns true if the program lists its benchmarks, or seeks one whose name begins with `part`.
bool is_near(const std::string &part);

/// Returns the default arguments of the program. With them, the program reaches the named
/// benchmark, or all if `name` is empty. A library may define this function.
std::vector<std::string> words_for(const std::string &name) __attribute__((__weak__));

} // namespace walk
} // namespace derny

#endif
