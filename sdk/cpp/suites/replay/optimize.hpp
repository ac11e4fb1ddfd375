// The text of `DoNotOptimize` in the user's version of Google Benchmark.
#ifndef DERNY_REPLAY_OPTIMIZE_HPP
#define DERNY_REPLAY_OPTIMIZE_HPP

#include "files.hpp"

namespace replay {

/// Name of the file that holds the result of `optimize_text`. Derny's own header includes it if it exists.
inline const char *const optimize_name = "derny_user_optimize.h";

/// Returns the part of a header that defines `DoNotOptimize` and `ClobberMemory`, or "" if there is
/// none.
///
/// Each version implements these functions differently, which affects benchmarks of a few ns.
inline std::string optimize_text(const std::string &header) {
    const std::vector<std::string> lines = lines_of(header);
    std::size_t begin = 0;
    while (begin < lines.size() && !starts_with(lines[begin], "#define BENCHMARK_HAS_NO_INLINE_ASSEMBLY")) begin++;
    if (begin == lines.size()) return "";
    while (begin > 0 && !starts_with(lines[begin], "#if")) begin--;
    // The part ends before the next class, or at the end of its namespace.
    int depth = 0;
    std::ptrdiff_t braces = 0;
    std::string text;
    for (std::size_t i = begin; i < lines.size(); i++) {
        const std::string &line = lines[i];
        const bool ends = starts_with(line, "// This class is used") || starts_with(line, "class ");
        if (starts_with(line, "#if")) depth++;
        if (starts_with(line, "#endif")) depth--;
        braces += std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}');
        if (depth < 0 || braces < 0 || (depth == 0 && ends)) break;
        text += line + "\n";
    }
    return contains(text, "DoNotOptimize") ? text : "";
}

/// Writes what `optimize_text` finds in a user's header into a folder below `below`. Returns that folder, for
/// the include path, or "" if the header has no such part.
inline path write_optimize(const path &header, const path &below) {
    path from = header;
    std::string text = optimize_text(read_file(from));
    if (text.empty()) text = optimize_text(read_file(from = header.parent_path() / "utils.h"));
    if (text.empty()) return "";
    const path folder = below / ("optimize-" + hash_of(text));
    write_file(folder / optimize_name, text);
    return folder;
}

} // namespace replay

#endif
