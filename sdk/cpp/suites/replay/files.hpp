// Functions for files and strings.
#ifndef DERNY_REPLAY_FILES_HPP
#define DERNY_REPLAY_FILES_HPP

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace replay {

namespace fs = std::filesystem;
using path = fs::path;

/// The reason why nothing can be built, as shown to the user.
struct problem : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns the bytes of a file. Empty if it cannot be read.
inline std::string read_file(const path &file) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    if (in) text << in.rdbuf();
    return text.str();
}

/// Writes a file, unless it already has these bytes. Replaces an existing file atomically, because
/// it may be a running program.
inline void write_file(const path &file, const std::string &bytes, bool is_program = false) {
    if (fs::exists(file) && read_file(file) == bytes) return;
    fs::create_directories(file.parent_path());
    const path fresh = file.string() + ".new";
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << bytes;
    out.close();
    if (!out) throw problem("cannot write " + file.string());
    if (is_program) fs::permissions(fresh, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec,
                                    fs::perm_options::add);
    fs::rename(fresh, file);
}

inline std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    std::stringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

inline bool starts_with(const std::string &text, const std::string &start) {
    return text.compare(0, start.size(), start) == 0;
}

inline bool ends_with(const std::string &text, const std::string &end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

inline bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

/// Returns a path without links and dots. Relative paths are resolved in `folder`. The file need
/// not exist.
inline path resolved(const path &file, const path &folder) {
    std::error_code error;
    const path whole = file.is_absolute() ? file : folder / file;
    const path canonical = fs::weakly_canonical(whole, error);
    return error ? whole.lexically_normal() : canonical;
}

/// Returns true if `file` is `folder` or below it. Both must be resolved.
inline bool is_within(const path &file, const path &folder) {
    const auto end = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end.first == folder.end();
}

/// Returns the modification time of a file, or the oldest time if there is none.
inline fs::file_time_type time_of(const path &file) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(file, error);
    return error ? fs::file_time_type::min() : time;
}

inline std::string replaced(std::string text, const std::string &from, const std::string &to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
    return text;
}

/// Returns a file name derived from a path.
inline std::string flat(const std::string &file) { return replaced(replaced(file, "..", "__"), "/", "_"); }

inline std::string hash_of(const std::string &text) {
    unsigned long long hash = 14695981039346656037ULL;
    for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ULL;
    char word[17];
    std::snprintf(word, sizeof word, "%016llx", hash);
    return word;
}

} // namespace replay

#endif
