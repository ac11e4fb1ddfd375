// Recompiles the objects of a program that include the library's header, and links the program.
#ifndef DERNY_REPLAY_REPLAY_HPP
#define DERNY_REPLAY_REPLAY_HPP

#include "commands.hpp"
#include "depfile.hpp"
#include "library.hpp"
#include "objects.hpp"
#include <atomic>
#include <mutex>
#include <thread>

namespace replay {

class replayer {
  public:
    /// `is_whole` is true to compile objects that do not use the library, too.
    replayer(const build &all, const dependencies &known, const library &replaced, path below, bool is_whole, objects kept)
        : all_(all), known_(known), library_(replaced), below_(std::move(below)), is_whole_(is_whole), kept_(std::move(kept)) {}

    /// A program with Derny's header, or the reason why there is none.
    struct result {
        path file;
        std::string error;
        /// The sources that were compiled again, and the folder in which the first one was
        /// compiled.
        std::vector<path> units;
        path folder;
    };

    result make(const program &own) {
        result made;
        std::vector<task> entries, compiles, rest, links;
        std::map<path, path> moved;
        for (const step *each : all_.closure(own.file)) {
            if (each->compiles() && uses_library(*each)) {
                if (compiles.empty()) entries = entries_of(own, *each);
                compiles.push_back(compile(*each, changed(*each)));
                moved[each->output] = compiles.back().output;
                if (made.units.empty()) made.folder = each->folder;
                made.units.push_back(each->source);
            } else if (each->compiles() && is_whole_) {
                rest.push_back(compile(*each, {}));
                moved[each->output] = rest.back().output;
            } else if (!each->compiles() && (each->output == own.file || uses(*each, moved))) {
                links.push_back(link(*each, moved));
                moved[each->output] = links.back().output;
            }
        }
        if (made.units.empty()) return made;
        task &last = links.back();
        for (const task &each : entries) {
            last.command.insert(last.command.begin() + static_cast<std::ptrdiff_t>(first_object(last.command)), each.output.string());
            last.inputs.push_back(each.output);
        }
        last.command.push_back("-pthread");
        std::vector<path> objects;
        for (const task &each : compiles) objects.push_back(each.output);
        compiles.insert(compiles.end(), entries.begin(), entries.end());
        compiles.insert(compiles.end(), rest.begin(), rest.end());
        made.error = run_all(compiles);
        if (made.error.empty()) {
            const words flags = library_.link_flags(objects);
            last.command.insert(last.command.end(), flags.begin(), flags.end());
        }
        for (const task &each : links) {
            if (made.error.empty()) made.error = run_one(each);
        }
        made.file = links.back().output;
        return made;
    }

  private:
    struct task {
        words command;
        std::vector<words> before, after;
        path folder, output;
        std::vector<path> inputs;
        bool compiles = false;
        /// True if the command compiles one of Derny's own sources.
        bool is_own = false;
    };

    bool uses_library(const step &own) const {
        const auto found = known_.find(own.output);
        if (found == known_.end()) return false;
        const path header = library_.header_among(found->second);
        return !header.empty() && library_.is_concerned(own.source, header, found->second);
    }

    static bool uses(const step &own, const std::map<path, path> &moved) {
        return std::any_of(own.command.begin() + 1, own.command.end(), [&](const std::string &word) {
            return !word.empty() && word[0] != '-' && moved.count(resolved(word, own.folder)) > 0;
        });
    }

    path moved_to(const path &output) const {
        const path own = below_ / flat(is_within(output, all_.folder) ? fs::relative(output, all_.folder).string() : output.string());
        return is_source(own.string()) ? path(own.string() + ".o") : own;
    }

    changes changed(const step &own) const {
        const std::set<path> &files = known_.at(own.output);
        return library_.replace(own.source, library_.header_among(files), files, below_);
    }

    task compile(const step &own, const changes &made) const {
        const path output = moved_to(own.output);
        return {compile_with(own, {made.includes, output, made.source, made.flags, below_}), {}, {}, own.folder, output,
                {made.source.empty() ? own.source : made.source}, true};
    }

    /// Returns the tasks that compile Derny's own sources for a program, with the flags of one of
    /// its objects.
    std::vector<task> entries_of(const program &own, const step &like) const {
        std::vector<task> all;
        const changes made = changed(like);
        for (const path &source : library_.sources()) {
            const path output = moved_to(own.file).string() + "." + source.stem().string() + ".o";
            words command = compile_with(like, {made.includes, output, source, made.flags, below_});
            // These sources catch exceptions from any file of the program, so they need exceptions
            // and RTTI even if the file whose flags they share does not.
            const auto is_off = [](const std::string &word) { return word == "-fno-exceptions" || word == "-fno-rtti"; };
            command.erase(std::remove_if(command.begin(), command.end(), is_off), command.end());
            command.insert(command.end(), {"-fexceptions", "-frtti", "-w"});
            all.push_back({std::move(command), {}, {}, like.folder, output, {source}, true, true});
        }
        return all;
    }

    task link(const step &own, std::map<path, path> moved) const {
        const path output = moved_to(own.output);
        moved[own.output] = output;
        task made = {link_with(own.command, own.folder, moved, own.output), {}, {}, own.folder, output, {}, false};
        for (const words &each : own.before) made.before.push_back(link_with(each, own.folder, moved, own.output));
        for (const words &each : own.after) made.after.push_back(link_with(each, own.folder, moved, own.output));
        for (const std::string &word : made.command) {
            if (!word.empty() && word[0] != '-' && contains(word, "/")) made.inputs.push_back(resolved(word, own.folder));
        }
        return made;
    }

    static std::size_t first_object(const words &command) {
        for (std::size_t i = 1; i < command.size(); i++) {
            if (ends_with(command[i], ".o") || ends_with(command[i], ".obj") || is_source(command[i])) return i;
        }
        return command.size();
    }

    /// Returns true if the output exists, was made by this command, and is newer than all inputs.
    static bool is_fresh(const task &own) {
        if (!fs::exists(own.output) || read_file(own.output.string() + ".cmd") != line_of(own.command)) return false;
        const fs::file_time_type made = time_of(own.output);
        const auto is_older = [&](const path &input) { return input == own.output || (fs::exists(input) && time_of(input) <= made); };
        if (!std::all_of(own.inputs.begin(), own.inputs.end(), is_older)) return false;
        if (!own.compiles) return true;
        const std::set<path> files = read_depfile(own.output.string() + ".d", own.folder);
        return !files.empty() && std::all_of(files.begin(), files.end(), is_older);
    }

    /// Runs a command unless its output is fresh. Returns the error, or "".
    std::string run_one(const task &own) const {
        if (is_fresh(own)) return "";
        std::error_code ignored;
        fs::remove(own.output, ignored);
        const path kept = own.is_own ? kept_.place_of(own.command, own.folder, own.output) : path();
        if (kept.empty() || !objects::take(kept, own.output)) {
            const std::string error = run_commands(own);
            if (!error.empty()) return error;
            if (!kept.empty()) kept_.keep(own.output, kept);
        }
        if (own.compiles) {
            const path other = library_.kept_header(read_depfile(own.output.string() + ".d", own.folder));
            if (!other.empty()) {
                return "error: its header of " + library_.title() +
                       " is included by its path, so Derny's header cannot replace it: " + other.string();
            }
        }
        write_file(own.output.string() + ".cmd", line_of(own.command));
        return "";
    }

    /// Runs the commands of a task. Returns the error, or "".
    static std::string run_commands(const task &own) {
        const path log = own.output.string() + ".log";
        std::vector<words> commands = own.before;
        commands.push_back(own.command);
        commands.insert(commands.end(), own.after.begin(), own.after.end());
        for (const words &command : commands) {
            const ended result = run(command, own.folder, log);
            if (!result.is_good()) {
                return (result.printed.empty() ? "exited with status " + std::to_string(result.status) + "\n" : result.printed) +
                       "\n" + line_of(command);
            }
        }
        return "";
    }

    /// Runs commands on all processors. Returns the first error, or "".
    std::string run_all(const std::vector<task> &tasks) const {
        std::atomic<std::size_t> next{0};
        std::vector<std::string> errors(tasks.size());
        const auto work = [&] {
            for (std::size_t i = next++; i < tasks.size(); i = next++) errors[i] = run_one(tasks[i]);
        };
        std::vector<std::thread> others;
        for (unsigned i = 1; i < std::thread::hardware_concurrency(); i++) others.emplace_back(work);
        work();
        for (std::thread &each : others) each.join();
        for (const std::string &error : errors) {
            if (!error.empty()) return error;
        }
        return "";
    }

    const build &all_;
    const dependencies &known_;
    const library &library_;
    path below_;
    bool is_whole_;
    objects kept_;
};

} // namespace replay

#endif
