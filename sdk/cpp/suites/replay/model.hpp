// A build as described by its tool: steps that compile, archive and link.
#ifndef DERNY_REPLAY_MODEL_HPP
#define DERNY_REPLAY_MODEL_HPP

#include "depfile.hpp"
#include "shell.hpp"

namespace replay {

struct step {
    words command;
    path folder;
    /// Absolute path of the command's output.
    path output;
    /// Source file that the command compiles, or empty.
    path source;
    /// For an archive: the commands that remove the old one, and those that write the index of the new one.
    std::vector<words> before, after;
    bool compiles() const { return !source.empty(); }
};

struct program {
    std::string target;
    path file;
};

struct build {
    path folder;
    std::vector<program> programs;
    /// Steps by their output.
    std::map<path, step> steps;

    const step *maker(const path &output) const {
        const auto found = steps.find(output);
        return found == steps.end() ? nullptr : &found->second;
    }

    /// Returns the steps that build a program, in the order of their dependencies.
    std::vector<const step *> closure(const path &output) const {
        std::vector<const step *> order;
        std::set<path> seen;
        visit(output, seen, order);
        return order;
    }

  private:
    void visit(const path &output, std::set<path> &seen, std::vector<const step *> &order) const {
        const step *own = maker(output);
        if (own == nullptr || !seen.insert(output).second) return;
        if (!own->compiles()) {
            for (const std::string &word : own->command) {
                if (word.empty() || word[0] == '-') continue;
                const path input = resolved(word, own->folder);
                if (input != output) visit(input, seen, order);
            }
        }
        order.push_back(own);
    }
};

/// A tool that runs builds in a configured folder.
class build_tool {
  public:
    virtual ~build_tool() = default;
    /// Updates the description of the build, as the first step of every build does.
    virtual ended refresh() const = 0;
    /// Builds these targets. Continues after errors.
    virtual ended make(const words &targets) const = 0;
    virtual build read() const = 0;
    virtual dependencies read_dependencies(const build &own) const = 0;
    /// Returns true if `make` builds nothing, so that all commands of a program must run again.
    virtual bool only_describes() const { return false; }
};

/// Returns the position of the value of `-o`, or 0.
inline std::size_t output_of(const words &command) {
    for (std::size_t i = 1; i + 1 < command.size(); i++) {
        if (command[i] == "-o") return i + 1;
    }
    return 0;
}

inline bool is_source(const std::string &word) {
    static const char *const ends[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cppm", ".ixx"};
    return std::any_of(std::begin(ends), std::end(ends), [&](const char *end) { return ends_with(word, end); });
}

/// Adds the steps of one line of commands, which runs in `folder`.
inline void add_line(build &all, const std::string &line, path folder) {
    std::vector<words> before;
    step *archive = nullptr;
    for (words &command : parse_line(line)) {
        if (command.empty() || command[0] == ":") continue;
        if (command[0] == "cd" && command.size() == 2) {
            folder = resolved(command[1], folder);
            continue;
        }
        const std::size_t at = output_of(command);
        const std::string tool = path(command[0]).filename().string();
        const bool archives = command.size() > 3 && (tool == "ar" || ends_with(tool, "-ar") || ends_with(tool, "llvm-ar") ||
                                                     contains(tool, "gcc-ar") || contains(tool, "llvm-ar"));
        if (at == 0 && !archives) {
            // `ranlib LIBRARY` follows an archive, and the removal of the old archive precedes it.
            if (archive != nullptr && resolved(command.back(), folder) == archive->output) archive->after.push_back(command);
            else before.push_back(command);
            continue;
        }
        step own;
        own.folder = folder;
        own.output = resolved(archives ? command[2] : command[at], folder);
        const auto compiled = std::find(command.begin(), command.end(), "-c");
        if (!archives && compiled != command.end()) {
            const auto is_own = [&](const std::string &word) { return is_source(word); };
            const auto source = compiled + 1 != command.end() && is_source(compiled[1])
                                    ? compiled + 1
                                    : std::find_if(command.begin() + 1, command.end(), is_own);
            if (source == command.end()) continue;
            own.source = resolved(*source, folder);
        }
        if (archives) {
            for (const words &first : before) {
                if (resolved(first.back(), folder) == own.output) own.before.push_back(first);
            }
        }
        own.command = std::move(command);
        step &kept = all.steps[own.output] = std::move(own);
        archive = archives ? &kept : nullptr;
        before.clear();
    }
}

} // namespace replay

#endif
