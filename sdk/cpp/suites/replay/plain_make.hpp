// Reads a build from a hand-written Makefile. `make` only prints its commands. Derny then runs all
// of them with other outputs, so that the user's tree does not change.
#ifndef DERNY_REPLAY_PLAIN_MAKE_HPP
#define DERNY_REPLAY_PLAIN_MAKE_HPP

#include "model.hpp"
#include <atomic>
#include <thread>

namespace replay {

inline bool has_makefile(const path &folder) {
    return fs::exists(folder / "GNUmakefile") || fs::exists(folder / "makefile") || fs::exists(folder / "Makefile");
}

inline bool is_compiler(const std::string &tool) {
    const std::string name = path(tool).filename().string();
    return contains(name, "g++") || contains(name, "gcc") || contains(name, "clang") || name == "c++" || name == "cc" ||
           ends_with(name, "-c++") || ends_with(name, "-cc");
}

/// Returns true if a word of a command concerns only linking: a library, an object, or a flag for
/// the linker.
inline bool is_linked(const std::string &word) {
    return starts_with(word, "-l") || starts_with(word, "-Wl,") || ends_with(word, ".o") || ends_with(word, ".a") || ends_with(word, ".so");
}

/// Splits a command that compiles and links at once into a step for each source, and one that
/// links.
inline void add_whole(build &all, const words &command, const path &folder) {
    for (const std::string &source : command) {
        if (!is_source(source)) continue;
        step own;
        own.folder = folder;
        own.source = own.output = resolved(source, folder);
        for (const std::string &word : command) {
            if (!is_linked(word) && (!is_source(word) || word == source)) own.command.push_back(word);
        }
        own.command.insert(own.command.begin() + 1, "-c");
        all.steps[own.output] = std::move(own);
    }
    step link;
    link.folder = folder;
    link.command = command;
    link.output = resolved(command[output_of(command)], folder);
    all.steps[link.output] = std::move(link);
}

/// Adds one command that `make` printed. Returns the program that it links, or "".
inline path add_printed(build &all, words command, const path &folder) {
    const auto has = [&](const char *word) { return std::find(command.begin(), command.end(), word) != command.end(); };
    std::size_t tool = 0;
    while (tool + 1 < command.size() && (ends_with(command[tool], "ccache") || ends_with(command[tool], "distcc"))) tool++;
    if (!is_compiler(command[tool])) {
        add_line(all, line_of(command), folder);
        return "";
    }
    const bool compiles = has("-c");
    if (output_of(command) == 0) {
        const auto source = std::find_if(command.begin(), command.end(), is_source);
        if (compiles && source == command.end()) return "";
        command.insert(command.end(), {"-o", compiles ? path(*source).stem().string() + ".o" : "a.out"});
    }
    if (compiles || has("-E") || has("-M") || has("-MM") || has("-S")) {
        if (compiles) add_line(all, line_of(command), folder);
        return "";
    }
    const path file = resolved(command[output_of(command)], folder);
    if (std::any_of(command.begin(), command.end(), is_source)) add_whole(all, command, folder);
    else add_line(all, line_of(command), folder);
    return has("-shared") ? path() : file;
}

class plain_make_tool : public build_tool {
  public:
    /// `variables` contains assignments. Flags are set in the environment, because on the command
    /// line they would replace those of the Makefile.
    plain_make_tool(path folder, path below, const words &variables) : folder_(std::move(folder)), below_(std::move(below)) {
        for (const std::string &each : variables) {
            const std::size_t sign = each.find('=');
            if (sign == std::string::npos) throw problem("a Makefile takes NAME=VALUE, not `" + each + "`");
            (ends_with(each.substr(0, sign), "FLAGS") ? flags_ : assigned_).push_back(each);
        }
    }

    ended refresh() const override { return {}; }
    ended make(const words &) const override { return {}; }
    bool only_describes() const override { return true; }

    /// Reads the commands of the default goal, and of the goals with usual names for benchmarks.
    build read() const override {
        build all;
        all.folder = folder_;
        std::string error;
        for (const char *goal : {"", "bench", "benchmark", "benchmarks", "benches"}) {
            words command = {"env"};
            command.insert(command.end(), flags_.begin(), flags_.end());
            command.insert(command.end(), {"make", "-n", "-B", "-w"});
            command.insert(command.end(), assigned_.begin(), assigned_.end());
            if (*goal != '\0') command.push_back(goal);
            const ended printed = run(command, folder_, below_ / "make.log");
            if (printed.is_good()) add(all, printed.printed);
            else if (*goal == '\0') error = printed.printed;
        }
        if (all.programs.empty() && !error.empty()) throw problem("`make -n` fails in " + folder_.string() + "\n" + error);
        check_flags(all);
        return all;
    }

    /// Asks the compiler which files each source includes, unless none has changed since the last
    /// time.
    dependencies read_dependencies(const build &own) const override {
        std::vector<const step *> compiles;
        for (const auto &[object, maker] : own.steps) {
            if (maker.compiles()) compiles.push_back(&maker);
        }
        std::vector<std::set<path>> found(compiles.size());
        std::atomic<std::size_t> next{0};
        const auto work = [&] {
            for (std::size_t i = next++; i < compiles.size(); i = next++) found[i] = included(*compiles[i]);
        };
        std::vector<std::thread> others;
        for (unsigned i = 1; i < std::thread::hardware_concurrency(); i++) others.emplace_back(work);
        work();
        for (std::thread &each : others) each.join();
        dependencies all;
        for (std::size_t i = 0; i < compiles.size(); i++) all[compiles[i]->output] = std::move(found[i]);
        return all;
    }

  private:
    /// Adds the commands that `make` printed. `-w` prints each folder that it enters and leaves.
    void add(build &all, const std::string &printed) const {
        std::vector<path> folders = {folder_};
        for (const std::string &line : lines_of(replaced(printed, "\\\n", " "))) {
            const std::size_t entered = line.find(": Entering directory '");
            if (starts_with(line, "make") && entered != std::string::npos) {
                folders.push_back(line.substr(entered + 22, line.size() - entered - 23));
            } else if (starts_with(line, "make") && contains(line, ": Leaving directory '")) {
                if (folders.size() > 1) folders.pop_back();
            } else {
                add_commands(all, line, folders.back());
            }
        }
    }

    static void add_commands(build &all, const std::string &line, path folder) {
        for (const words &command : parse_line(line)) {
            if (command.size() < 2) continue;
            if (command[0] == "cd") {
                folder = resolved(command[1], folder);
                continue;
            }
            const path file = add_printed(all, command, folder);
            const auto is_same = [&](const program &each) { return each.file == file; };
            if (!file.empty() && std::none_of(all.programs.begin(), all.programs.end(), is_same)) {
                all.programs.push_back({is_within(file, all.folder) ? fs::relative(file, all.folder).string() : file.string(), file});
            }
        }
    }

    /// Fails if no command contains the first flag of a variable that the user set, such as
    /// CXXFLAGS.
    void check_flags(const build &all) const {
        for (const std::string &each : flags_) {
            const std::size_t sign = each.find('=');
            const std::vector<words> flags = parse_line(each.substr(sign + 1));
            const auto is_used = [&](const auto &own) {
                const words &command = own.second.command;
                return flags.empty() || std::find(command.begin(), command.end(), flags[0][0]) != command.end();
            };
            if (std::none_of(all.steps.begin(), all.steps.end(), is_used)) {
                throw problem("the Makefile in " + folder_.string() + " ignores " + each + "\ntry: set " + each.substr(0, sign) +
                              " in the Makefile with `?=` or `+=`");
            }
        }
    }

    std::set<path> included(const step &own) const {
        words command;
        for (std::size_t i = 0; i < own.command.size(); i++) {
            if (own.command[i] == "-o" || own.command[i] == "-MF" || own.command[i] == "-MT") i++;
            else if (own.command[i] != "-c" && own.command[i] != "-MD" && own.command[i] != "-MMD") command.push_back(own.command[i]);
        }
        const path known = below_ / "includes" / (hash_of(own.folder.string() + line_of(command)) + ".d");
        command.insert(command.end(), {"-M", "-MF", known.string()});
        std::set<path> files = read_depfile(known, own.folder);
        const auto is_older = [&](const path &file) { return fs::exists(file) && time_of(file) <= time_of(known); };
        if (!files.empty() && std::all_of(files.begin(), files.end(), is_older)) return files;
        fs::create_directories(known.parent_path());
        // Ignore errors, because a source that does not compile fails when its program is built.
        run(command, own.folder, known.string() + ".log");
        return read_depfile(known, own.folder);
    }

    path folder_, below_;
    words assigned_, flags_;
};

} // namespace replay

#endif
