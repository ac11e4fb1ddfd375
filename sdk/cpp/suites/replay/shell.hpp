// Parses and runs the commands of a build.
#ifndef DERNY_REPLAY_SHELL_HPP
#define DERNY_REPLAY_SHELL_HPP

#include "files.hpp"
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace replay {

using words = std::vector<std::string>;

/// Splits a line of a build at `&&`. Returns the words of each command.
inline std::vector<words> parse_line(const std::string &line) {
    std::vector<words> commands(1);
    std::string word;
    bool has_word = false;
    const auto end_word = [&] {
        if (has_word) commands.back().push_back(word);
        word.clear();
        has_word = false;
    };
    for (std::size_t i = 0; i < line.size(); i++) {
        const char c = line[i];
        if (c == '\\' && i + 1 < line.size()) {
            word += line[++i];
            has_word = true;
        } else if (c == '\'' || c == '"') {
            has_word = true;
            for (i++; i < line.size() && line[i] != c; i++) {
                const bool is_escape = c == '"' && line[i] == '\\' && i + 1 < line.size() &&
                                       std::strchr("\"\\$`", line[i + 1]) != nullptr;
                word += line[is_escape ? ++i : i];
            }
        } else if (c == '&' && i + 1 < line.size() && line[i + 1] == '&') {
            end_word();
            i++;
            commands.emplace_back();
        } else if (c == ' ' || c == '\t' || c == '\n') {
            end_word();
        } else {
            word += c;
            has_word = true;
        }
    }
    end_word();
    return commands;
}

/// Returns the words as a line that a user can paste into a shell.
inline std::string line_of(const words &all) {
    std::string line;
    for (const std::string &word : all) {
        if (!line.empty()) line += ' ';
        const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return std::isalnum(c) || std::strchr("-_./=:,+@%", c) != nullptr;
        });
        if (is_plain) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

/// The status of a command, and its output on both streams.
struct ended {
    int status = 0;
    std::string printed;
    bool is_good() const { return status == 0; }
};

inline std::string uncoloured(const std::string &text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); i++) {
        if (text[i] == '\033' && i + 1 < text.size() && text[i + 1] == '[') {
            for (i += 2; i < text.size() && !(text[i] >= '@' && text[i] <= '~'); i++) {}
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// Runs a command in a folder, and waits for it. `log` receives its output.
inline ended run(const words &command, const path &folder, const path &log) {
    std::vector<char *> argv;
    // Use a shell to change the folder, because `posix_spawn` cannot do that on all systems.
    const words whole = [&] {
        words all = {"sh", "-c", "cd \"$0\" && exec \"$@\"", folder.string()};
        all.insert(all.end(), command.begin(), command.end());
        return all;
    }();
    for (const std::string &word : whole) argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    fs::create_directories(log.parent_path());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    ended result;
    result.status = posix_spawnp(&child, "sh", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (result.status != 0) {
        result.printed = "cannot start sh: " + std::string(std::strerror(result.status));
        return result;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.printed = uncoloured(read_file(log));
    return result;
}

/// Returns the path of a program of the search path, or "".
inline std::string path_of_program(const std::string &name) {
    const char *all = std::getenv("PATH");
    std::stringstream folders(all != nullptr ? all : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const path file = path(folder) / name;
        if (access(file.c_str(), X_OK) == 0) return file.string();
    }
    return "";
}

inline bool has_program(const std::string &name) {
    if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
    return !path_of_program(name).empty();
}

} // namespace replay

#endif
