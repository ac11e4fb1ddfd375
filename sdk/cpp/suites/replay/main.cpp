// Builds programs of a benchmark library with Derny's loop instead of the library's. Does not
// change the user's files:
//
//     replay SDK LIBRARY --root FOLDER --build FOLDER --with WORDS… --arguments WORDS… --files FILES…
//
// 1. `cmake.hpp` finds the user's build folder, or configures a separate one.
// 2. `ninja.hpp` or `makefiles.hpp` reads its commands, and builds the programs. `plain_make.hpp` reads
//    the commands of a Makefile without CMake.
// 3. `replay.hpp` recompiles the sources that include the library's header, and links to another path.
// 4. `outcome.hpp` puts each program where the engine expects it.

#include "workspace.hpp"

using namespace replay;

namespace {

/// The build folder, program or compiler that the user named.
struct named {
    path folder;
    std::string program, compiler;
};

path configured_above(path folder) {
    for (; folder != folder.parent_path(); folder = folder.parent_path()) {
        if (fs::exists(folder / "CMakeCache.txt") || fs::exists(folder / "build.ninja")) return folder;
    }
    return "";
}

named read_named(const order &own) {
    named all;
    const std::string word = own.with.empty() ? "" : own.with[0];
    const path there = resolved(word, own.working_tree());
    if (word.empty() || word == "c++") return all;
    if (fs::is_directory(there)) {
        all.folder = configured_above(there);
        if (all.folder.empty()) throw problem(word + " is not a build folder: it has neither CMakeCache.txt nor build.ninja");
    } else if (contains(word, "/") && fs::is_regular_file(there) && !configured_above(there.parent_path()).empty()) {
        all.folder = configured_above(there.parent_path());
        all.program = there.string();
    } else {
        if (!has_program(word)) throw problem("there is no compiler or build folder " + word);
        all.compiler = word;
    }
    return all;
}

/// Arguments of the user's build: a target, compiler flags, and arguments for CMake.
struct arguments {
    std::string target;
    words cmake;

    explicit arguments(const words &given) {
        static const std::map<std::string, std::string> flags = {{"CXXFLAGS", "CMAKE_CXX_FLAGS"},
                                                                 {"CFLAGS", "CMAKE_C_FLAGS"},
                                                                 {"LDFLAGS", "CMAKE_EXE_LINKER_FLAGS"}};
        for (const std::string &word : given) {
            const std::size_t sign = word.find('=');
            const auto flag = flags.find(word.substr(0, sign));
            if (starts_with(word, "--target=")) target = word.substr(9);
            else if (sign != std::string::npos && flag != flags.end()) cmake.push_back("-D" + flag->second + "=" + word.substr(sign + 1));
            else cmake.push_back(word);
        }
    }
};

/// Returns CMake arguments for flags in the environment that the user's folder was not configured
/// with.
words foreign_flags(const cache &user) {
    words all;
    for (const char *name : {"CXXFLAGS", "CFLAGS", "LDFLAGS"}) {
        const char *value = std::getenv(name);
        const std::string known = name == std::string("LDFLAGS") ? "CMAKE_EXE_LINKER_FLAGS" : name[1] == 'X' ? "CMAKE_CXX_FLAGS" : "CMAKE_C_FLAGS";
        if (value != nullptr && *value != '\0' && !contains(user.value(known), value)) all.push_back("-D" + known + "=" + value);
    }
    return all;
}

class builder {
  public:
    builder(const order &own, outcome &told)
        : order_(own), told_(told), named_(read_named(own)), arguments_(own.arguments) {}

    void build_all() {
        std::map<path, std::vector<path>> projects;
        for (const path &file : order_.files) {
            if (named_.folder.empty()) projects[project_of(file, order_.root)].push_back(file);
            else projects[named_.folder].push_back(file);
        }
        for (const auto &[project, files] : projects) {
            try {
                if (!named_.folder.empty()) by_named(files);
                else if (!project.empty()) by_project(project, files);
                else by_other(files);
            } catch (const problem &why) {
                for (const path &file : files) told_.fail(file, why.what());
            }
        }
    }

  private:
    path below(const path &folder) const { return order_.build / "replay" / hash_of(folder.string()); }
    std::string only() const { return named_.program.empty() ? arguments_.target : named_.program; }

    void by_named(const std::vector<path> &files) {
        const cache own(named_.folder);
        if (own.is_there() && own.is_elsewhere()) {
            throw problem(named_.folder.string() + " was configured as " + own.value("CMAKE_CACHEFILE_DIR") +
                          ", perhaps on another machine\ntry: configure it again with `cmake --fresh`");
        }
        if (!arguments_.cmake.empty()) {
            throw problem("flags cannot be added to a build folder: `" + line_of(arguments_.cmake) + "` would apply to only a part of it\n" +
                          "try: name a folder that was configured with them, or none");
        }
        workspace there(order_, named_.folder, below(named_.folder));
        skip(there.serve(files, only(), told_), order_.shown(named_.folder));
    }

    /// Reports files from which a build makes no program. Does not report them if the user selected a
    /// program or target, because the other files are then expected to have none, or if they are part
    /// of a copy of Google Benchmark.
    void skip(const std::vector<path> &files, const std::string &folder) {
        for (const path &file : files) {
            if (only().empty() && !is_of_copy(file)) told_.skip(file, "no program of " + folder + " is made from it");
            else told_.leave_out(file);
        }
    }

    /// Returns true if a file is in a copy of Google Benchmark.
    bool is_of_copy(const path &file) const {
        for (path folder = file.parent_path(); is_within(folder, order_.root); folder = folder.parent_path()) {
            if (fs::exists(folder / "include" / "benchmark" / "benchmark.h")) return true;
            if (folder == folder.parent_path()) break;
        }
        return false;
    }

    void by_project(const path &project, std::vector<path> files) {
        const path users = resolved(fs::relative(project, order_.root), order_.working_tree());
        const std::vector<cache> known = configured_folders(users);
        const cache *user = best_folder(known);
        const bool is_changed = !arguments_.cmake.empty() || !named_.compiler.empty() || (user != nullptr && !foreign_flags(*user).empty());
        if (user == nullptr) remark_unused(known);
        if (user != nullptr && !order_.is_revision() && !is_changed) {
            if (known.size() > 1) told_.remark("built in " + order_.shown(user->folder()) + ": choose another folder with -x NAME=FOLDER");
            workspace there(order_, user->folder(), below(user->folder()));
            const std::size_t all = files.size();
            files = there.serve(files, only(), told_);
            if (files.size() < all) return skip(files, order_.shown(user->folder()));
        }
        const cache *model = user != nullptr ? user : known.empty() || known[0].is_elsewhere() ? nullptr : &known[0];
        by_own_folder(project, files, model);
    }

    void remark_unused(const std::vector<cache> &known) {
        for (const cache &each : known) {
            told_.remark(order_.shown(each.folder()) +
                         (each.is_elsewhere() ? " is not used: it was configured as " + each.value("CMAKE_CACHEFILE_DIR")
                                              : " is not used, because its build type is Debug: Derny makes a Release build"));
        }
    }

    /// Configures a separate folder, and builds there. If no file is part of a program, enables the
    /// options for benchmarks.
    void by_own_folder(const path &project, std::vector<path> files, const cache *model) {
        const path folder = order_.build / "cmake" / hash_of(fs::relative(project, order_.root).string());
        const std::size_t all = files.size();
        configure(project, folder, model, {});
        {
            workspace there(order_, folder, below(folder));
            files = there.serve(files, only(), told_);
        }
        const words switches = files.size() < all ? words() : switches_of(cache(folder));
        if (!switches.empty()) {
            words on;
            std::string names;
            for (const std::string &name : switches) {
                on.push_back("-D" + name + "=ON");
                names += (names.empty() ? "" : ", ") + name;
            }
            configure(project, folder, model, on);
            told_.remark("configured with " + names + " on, because otherwise no program contains the benchmarks");
            workspace there(order_, folder, below(folder));
            files = there.serve(files, only(), told_);
        }
        skip(files, "the project");
    }

    void configure(const path &project, const path &folder, const cache *model, const words &more) {
        words all = {"cmake", "-S", project.string(), "-B", folder.string(), "-DCMAKE_BUILD_TYPE=Release"};
        if (has_program("ninja")) all.insert(all.end(), {"-G", "Ninja"});
        if (model != nullptr) {
            const words choices = choices_of(*model), flags = foreign_flags(*model);
            all.insert(all.end(), choices.begin(), choices.end());
            all.insert(all.end(), flags.begin(), flags.end());
        }
        if (!named_.compiler.empty()) {
            all.push_back("-DCMAKE_CXX_COMPILER=" + named_.compiler);
            const std::string c = c_compiler_of(named_.compiler);
            if (!c.empty()) all.push_back("-DCMAKE_C_COMPILER=" + c);
        }
        all.insert(all.end(), arguments_.cmake.begin(), arguments_.cmake.end());
        all.insert(all.end(), more.begin(), more.end());
        // If the arguments are unchanged, the build itself updates the configuration.
        const path record = folder.string() + (more.empty() ? ".configured" : ".configured-on");
        if (fs::exists(folder / "CMakeCache.txt") && read_file(record) == line_of(all)) return;
        if (!has_program("cmake")) throw problem("CMake is not installed: `cmake` was not found\ntry: install it: apt-get install cmake");
        const ended result = run(all, project, folder.string() + ".log");
        if (!result.is_good()) {
            throw problem("cannot configure the project\n" + cmake_errors(result.printed) + line_of(all) +
                          "\ntry: configure a build folder yourself, and name it: derny run FOLDER");
        }
        write_file(record, line_of(all));
    }

    /// Builds files of projects without CMake: from a folder that Meson has configured, from a separate
    /// one, or by the commands of a Makefile.
    void by_other(const std::vector<path> &files) {
        const path folder = fs::exists(order_.root / "meson.build") ? meson_folder() : path();
        if (!folder.empty()) {
            workspace there(order_, folder, below(folder));
            return skip(there.serve(files, only(), told_), order_.shown(folder));
        }
        std::map<path, std::vector<path>> by_makefile;
        for (const path &file : files) by_makefile[makefile_above(file.parent_path())].push_back(file);
        for (const auto &[made, own] : by_makefile) {
            if (made.empty()) {
                for (const path &file : own) {
                    told_.skip(file, "its project has no CMakeLists.txt, no meson.build and no Makefile: name a build folder, as in derny run FOLDER");
                }
                continue;
            }
            workspace there(order_, made, below(made));
            skip(there.serve(own, only(), told_), "the Makefile in " + order_.shown(made));
        }
    }

    path makefile_above(path folder) const {
        for (; is_within(folder, order_.root); folder = folder.parent_path()) {
            if (has_makefile(folder)) return folder;
            if (folder == order_.root) break;
        }
        return "";
    }

    /// Returns the folder that the user has configured with Meson, or configures a separate one.
    path meson_folder() {
        const bool is_changed = !arguments_.cmake.empty() || !named_.compiler.empty();
        std::error_code error;
        for (const fs::directory_entry &each : fs::directory_iterator(order_.working_tree(), error)) {
            const bool is_configured = fs::exists(each.path() / "meson-info") && fs::exists(each.path() / "build.ninja");
            if (is_configured && !order_.is_revision() && !is_changed) return each.path();
        }
        const path folder = order_.build / "meson";
        words all = {"env"};
        words options;
        for (const std::string &each : order_.variables()) {
            (starts_with(each, "-") ? options : all).push_back(each);
        }
        all.insert(all.end(), {"meson", "setup", folder.string(), order_.root.string(), "--buildtype=release"});
        all.insert(all.end(), options.begin(), options.end());
        const path record = folder.string() + ".configured";
        if (fs::exists(folder / "build.ninja") && read_file(record) == line_of(all)) return folder;
        if (!has_program("meson")) throw problem("Meson is not installed: `meson` was not found\ntry: install it: apt-get install meson");
        fs::remove_all(folder, error);
        const ended result = run(all, order_.root, folder.string() + ".log");
        if (!result.is_good()) throw problem("cannot configure the project\n" + result.printed + "\n" + line_of(all));
        write_file(record, line_of(all));
        return folder;
    }

    const order &order_;
    outcome &told_;
    named named_;
    arguments arguments_;
};

} // namespace

int main(int argc, char **argv) {
    try {
        order own = order::parse(words(argv + 1, argv + argc));
        own.objects = resolved(argv[0], fs::current_path()).parent_path() / "objects";
        outcome told(own);
        builder(own, told).build_all();
        told.tell();
        return 0;
    } catch (const std::exception &why) {
        std::fprintf(stderr, "%s\n", why.what());
        return 1;
    }
}
