// Objects of Derny's own sources, kept for all builds of a user. Programs, build folders and
// revisions with the same flags share one, because compiling it often takes longer than the rest of
// a program.
#ifndef DERNY_REPLAY_OBJECTS_HPP
#define DERNY_REPLAY_OBJECTS_HPP

#include "files.hpp"
#include "shell.hpp"
#include <chrono>

namespace replay {

class objects {
  public:
    /// Keeps objects in `folder`.
    explicit objects(path folder) : folder_(std::move(folder)) {}

    /// Returns the place of the object that a command compiles in `folder`, or "" if it cannot be
    /// kept. The name is a hash of the preprocessed text, of the compiler and of the flags. Writes
    /// the file of dependencies as the command itself does.
    path place_of(const words &command, const path &folder, const path &output) const {
        if (!can_share(command)) return "";
        const path text = output.string() + ".ii";
        words preprocess;
        for (std::size_t i = 0; i < command.size(); i++) {
            if (command[i] == "-c") preprocess.insert(preprocess.end(), {"-E", "-P"});
            else preprocess.push_back(command[i] == output.string() && command[i - 1] == "-o" ? text.string() : command[i]);
        }
        const bool is_good = run(preprocess, folder, text.string() + ".log").is_good();
        const std::string bytes = read_file(text);
        std::error_code ignored;
        fs::remove(text, ignored);
        if (!is_good || bytes.empty()) return "";
        return folder_ / (hash_of(compiler_of(command, folder) + flags_of(command) + bytes) + ".o");
    }

    /// Copies a kept object to `output`. Returns false if there is none.
    static bool take(const path &kept, const path &output) {
        std::error_code error;
        fs::copy_file(kept, output, fs::copy_options::overwrite_existing, error);
        if (error) return false;
        fs::last_write_time(kept, fs::file_time_type::clock::now(), error);
        return true;
    }

    /// Keeps an object, unless the folder cannot be written. Deletes those that were not used for a
    /// month.
    void keep(const path &output, const path &kept) const {
        const path fresh = kept.string() + "." + std::to_string(getpid());
        std::error_code error;
        fs::create_directories(folder_, error);
        if (fs::copy_file(output, fresh, fs::copy_options::overwrite_existing, error)) fs::rename(fresh, kept, error);
        const fs::file_time_type oldest = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
        for (const fs::directory_entry &each : fs::directory_iterator(folder_, error)) {
            if (time_of(each.path()) < oldest) fs::remove(each.path(), error);
        }
    }

  private:
    /// Returns false if the object depends on more than the text and the flags, such as the machine
    /// or another file, or if the compiler writes more than the object.
    static bool can_share(const words &command) {
        static const char *const starts[] = {"@",           "--coverage", "--save-temps", "-X",         "-fauto-profile",  "-fcs-profile",
                                             "-fplugin",    "-fprofile",  "-ftest-coverage", "-gsplit-dwarf", "-save-temps", "-specs"};
        return std::none_of(command.begin(), command.end(), [](const std::string &word) {
            return ends_with(word, "=native") ||
                   std::any_of(std::begin(starts), std::end(starts), [&](const char *start) { return starts_with(word, start); });
        });
    }

    /// Returns the paths, sizes and times of the programs at the beginning of a command: the
    /// compiler, and what it is started by.
    static std::string compiler_of(const words &command, const path &folder) {
        std::string all;
        for (const std::string &word : command) {
            if (starts_with(word, "-")) break;
            const path file = resolved(contains(word, "/") ? word : path_of_program(word), folder);
            std::error_code error;
            const std::uintmax_t size = fs::file_size(file, error);
            all += file.string() + " " + std::to_string(size) + " " + std::to_string(time_of(file).time_since_epoch().count()) + "\n";
        }
        return all;
    }

    /// Returns the flags that the preprocessed text does not show.
    static std::string flags_of(const words &command) {
        static const std::set<std::string> two = {"-I",       "-D",         "-U",          "-isystem", "-iquote",
                                                  "-include", "-idirafter", "-imacros", "-o",       "-MF"};
        std::string all;
        for (std::size_t i = 0; i < command.size(); i++) {
            const std::string start = command[i].substr(0, 2);
            if (two.count(command[i]) > 0) i++;
            else if (command[i] != "-c" && start != "-I" && start != "-D" && start != "-U") all += command[i] + "\n";
        }
        return all;
    }

    path folder_;
};

} // namespace replay

#endif
