// The files that objects depend on.
#ifndef DERNY_REPLAY_DEPFILE_HPP
#define DERNY_REPLAY_DEPFILE_HPP

#include "files.hpp"

namespace replay {

/// The files that each object depends on, with absolute paths.
using dependencies = std::map<path, std::set<path>>;

/// Returns an absolute path without following links, which would be slow for the many paths of a
/// build.
inline path lexical(const path &file, const path &folder) {
    return (file.is_absolute() ? file : folder / file).lexically_normal();
}

inline std::set<path> read_depfile(const path &file, const path &folder) {
    std::set<path> all;
    const std::string text = read_file(file);
    std::size_t at = text.find(':');
    std::string word;
    const auto end_word = [&] {
        if (!word.empty()) all.insert(lexical(word, folder));
        word.clear();
    };
    for (at = at == std::string::npos ? text.size() : at + 1; at < text.size(); at++) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (c == '\\' && next == '\n') {
            at++;
            end_word();
        } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
            word += next;
            at++;
        } else if (c == ' ' || c == '\n' || c == '\t') {
            end_word();
        } else {
            word += c;
        }
    }
    end_word();
    return all;
}

} // namespace replay

#endif
