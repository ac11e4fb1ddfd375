// The user's own commands, changed to find Derny's header first and to write their output
// elsewhere.
#ifndef DERNY_REPLAY_COMMANDS_HPP
#define DERNY_REPLAY_COMMANDS_HPP

#include "model.hpp"

namespace replay {

/// Returns the position of the source file in a command that compiles.
inline std::size_t source_at(const words &command) {
    for (std::size_t i = 1; i + 1 < command.size(); i++) {
        if (command[i] == "-c" && is_source(command[i + 1])) return i + 1;
    }
    for (std::size_t i = 1; i < command.size(); i++) {
        if (is_source(command[i]) && command[i - 1] != "-o" && command[i - 1] != "-include") return i;
    }
    return 0;
}

/// Returns the path of a header that a command includes. If the header is precompiled, returns a
/// copy as text, in a folder without the compiled form. The compiled form contains the user's
/// version of the library, or would not match the changed include path.
inline std::string plain_header(const std::string &header, const path &folder, const path &below) {
    const path own = resolved(header, folder);
    if (!fs::exists(own.string() + ".gch") && !fs::exists(own.string() + ".pch")) return header;
    const path copy = below / "headers" / hash_of(own.string()) / own.filename();
    write_file(copy, read_file(own));
    return copy.string();
}

struct compiled {
    /// Folders that come first on the include path.
    std::vector<path> includes;
    path output;
    /// The source to compile instead of the command's own, or empty.
    path source;
    words flags;
    path below;
};

/// Returns a command that compiles the same source with the same flags and the changes of `to`.
inline words compile_with(const step &own, const compiled &to) {
    words all;
    const std::size_t source = source_at(own.command);
    bool has_includes = false;
    for (std::size_t i = 0; i < own.command.size(); i++) {
        const std::string &word = own.command[i];
        const auto next_is = [&](std::size_t ahead, const char *text) {
            return i + ahead < own.command.size() && own.command[i + ahead] == text;
        };
        if (i > 0 && !has_includes && starts_with(word, "-")) {
            for (const path &folder : to.includes) all.push_back("-I" + folder.string());
            all.insert(all.end(), to.flags.begin(), to.flags.end());
            has_includes = true;
        }
        if (word == "-MD" || word == "-MMD") continue;
        if (word == "-MF" || word == "-MT" || word == "-MQ") {
            i++;
        } else if (word == "-Xclang" && (next_is(1, "-include-pch") || next_is(1, "-emit-pch"))) {
            i += next_is(1, "-include-pch") ? 3 : 1;
        } else if (word == "-o") {
            all.insert(all.end(), {"-o", to.output.string()});
            i++;
        } else if (word == "-include" && i + 1 < own.command.size()) {
            all.insert(all.end(), {"-include", plain_header(own.command[++i], own.folder, to.below)});
        } else if (word == "-Xclang" && next_is(1, "-include") && next_is(2, "-Xclang") && i + 3 < own.command.size()) {
            all.insert(all.end(), {"-include", plain_header(own.command[i + 3], own.folder, to.below)});
            i += 3;
        } else if (i == source && !to.source.empty()) {
            all.push_back(to.source.string());
        } else {
            all.push_back(word);
        }
    }
    // Warnings about Derny's code must not fail the user's build.
    all.insert(all.end(), {"-Wno-error", "-MD", "-MF", to.output.string() + ".d"});
    return all;
}

/// Returns a command that links or archives, with the files replaced according to `moved`.
inline words link_with(const words &command, const path &folder, const std::map<path, path> &moved, const path &output) {
    words all;
    for (const std::string &word : command) {
        if (starts_with(word, "-Wl,--dependency-file=")) continue;
        std::string own = word;
        if (!word.empty() && word[0] != '-') {
            const auto found = moved.find(resolved(word, folder));
            if (found != moved.end()) own = found->second.string();
        } else if (contains(word, "$ORIGIN")) {
            // Libraries beside the original program must still be found.
            own = replaced(word, "$ORIGIN", output.parent_path().string());
        }
        all.push_back(own);
    }
    return all;
}

} // namespace replay

#endif
