// Finds the build folders that the user has configured with CMake, and reads their settings.
#ifndef DERNY_REPLAY_CMAKE_HPP
#define DERNY_REPLAY_CMAKE_HPP

#include "order.hpp"
#include "shell.hpp"

namespace replay {

class cache {
  public:
    struct entry {
        std::string name, type, value;
    };

    explicit cache(const path &folder) : folder_(folder) {
        for (const std::string &line : lines_of(read_file(folder / "CMakeCache.txt"))) {
            if (line.empty() || line[0] == '#' || starts_with(line, "//")) continue;
            const std::size_t sign = line.find('='), colon = line.rfind(':', sign);
            if (sign == std::string::npos || colon == std::string::npos) continue;
            entries_.push_back({line.substr(0, colon), line.substr(colon + 1, sign - colon - 1), line.substr(sign + 1)});
        }
    }

    const path &folder() const { return folder_; }
    const std::vector<entry> &entries() const { return entries_; }
    std::string value(const std::string &name) const {
        for (const entry &own : entries_) {
            if (own.name == name) return own.value;
        }
        return "";
    }
    bool is_there() const { return !entries_.empty(); }
    path project() const { return resolved(value("CMAKE_HOME_DIRECTORY"), folder_); }
    /// Returns true if the folder was moved, or comes from another machine.
    bool is_elsewhere() const { return resolved(value("CMAKE_CACHEFILE_DIR"), folder_) != resolved(folder_, folder_); }
    bool is_debug() const { return value("CMAKE_BUILD_TYPE") == "Debug"; }
    bool is_ninja() const { return contains(value("CMAKE_GENERATOR"), "Ninja"); }

  private:
    path folder_;
    std::vector<entry> entries_;
};

/// Returns the outermost folder above a file that has a CMakeLists.txt, within `root`. Empty if
/// there is none.
inline path project_of(const path &file, const path &root) {
    path outermost;
    for (path folder = file.parent_path(); is_within(folder, root); folder = folder.parent_path()) {
        if (fs::exists(folder / "CMakeLists.txt")) outermost = folder;
        if (folder == folder.parent_path()) break;
    }
    return outermost;
}

/// Returns the folders that CMake has configured for a project, at most two levels below it.
/// Includes folders that were moved.
inline std::vector<cache> configured_folders(const path &project) {
    std::vector<cache> all;
    const auto look = [&](const path &folder) {
        if (!fs::exists(folder / "CMakeCache.txt")) return false;
        cache own(folder);
        if (own.is_elsewhere() || own.project() == resolved(project, project)) all.push_back(std::move(own));
        return true;
    };
    look(project);
    std::error_code error;
    for (const fs::directory_entry &one : fs::directory_iterator(project, error)) {
        const std::string name = one.path().filename().string();
        if (!one.is_directory(error) || name[0] == '.' || look(one.path())) continue;
        for (const fs::directory_entry &two : fs::directory_iterator(one.path(), error)) {
            if (two.is_directory(error)) look(two.path());
        }
    }
    return all;
}

/// Returns the best of the user's build folders, or null. Prefers optimised builds, then the
/// latest.
inline const cache *best_folder(const std::vector<cache> &all) {
    const cache *best = nullptr;
    const auto rank = [](const cache &own) {
        const std::string type = own.value("CMAKE_BUILD_TYPE");
        return type == "Release" ? 3 : type == "RelWithDebInfo" ? 2 : type == "Debug" ? 0 : 1;
    };
    for (const cache &own : all) {
        if (own.is_elsewhere() || own.is_debug()) continue;
        const bool is_better = best == nullptr || rank(own) > rank(*best) ||
                               (rank(own) == rank(*best) && time_of(own.folder() / "CMakeCache.txt") >
                                                                time_of(best->folder() / "CMakeCache.txt"));
        if (is_better) best = &own;
    }
    return best;
}

/// Returns the user's settings that the separate configuration needs too: options, flags, and
/// downloaded packages.
inline words choices_of(const cache &user) {
    words all;
    const std::string project = user.project().string(), folder = user.folder().string();
    static const char *const kept[] = {"CMAKE_BUILD_TYPE",   "CMAKE_C_COMPILER",     "CMAKE_CXX_COMPILER",  "CMAKE_C_FLAGS",
                                       "CMAKE_CXX_FLAGS",    "CMAKE_CXX_STANDARD",   "CMAKE_PREFIX_PATH",   "CMAKE_MODULE_PATH",
                                       "CMAKE_TOOLCHAIN_FILE", "CMAKE_EXE_LINKER_FLAGS", "CMAKE_FIND_ROOT_PATH"};
    for (const cache::entry &own : user.entries()) {
        const bool is_choice = own.type == "BOOL" || own.type == "STRING" || own.type == "PATH" || own.type == "FILEPATH" ||
                               own.type == "UNINITIALIZED";
        const bool is_kept = !starts_with(own.name, "CMAKE_") ||
                             std::any_of(std::begin(kept), std::end(kept), [&](const char *name) { return own.name == name; });
        const bool is_own = contains(own.value, folder) || contains(own.value, project);
        if (!is_choice || !is_kept || is_own || own.value.empty() || ends_with(own.value, "-NOTFOUND")) continue;
        if (starts_with(own.name, "FETCHCONTENT_") || starts_with(own.name, "CPACK_")) continue;
        if (own.name == "CMAKE_BUILD_TYPE" && user.is_debug()) continue;
        all.push_back("-D" + own.name + ":" + (own.type == "UNINITIALIZED" ? "STRING" : own.type) + "=" + own.value);
    }
    std::error_code error;
    for (const fs::directory_entry &one : fs::directory_iterator(user.folder() / "_deps", error)) {
        std::string name = one.path().filename().string();
        if (!ends_with(name, "-src")) continue;
        name.resize(name.size() - 4);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
        all.push_back("-DFETCHCONTENT_SOURCE_DIR_" + name + "=" + one.path().string());
    }
    // CPM writes the names of packages as declared, and not in upper case.
    for (const cache::entry &own : user.entries()) {
        const std::string start = "CPM_PACKAGE_", end = "_SOURCE_DIR";
        if (!starts_with(own.name, start) || !ends_with(own.name, end) || !fs::is_directory(own.value, error)) continue;
        const std::string name = own.name.substr(start.size(), own.name.size() - start.size() - end.size());
        all.push_back("-DCPM_" + name + "_SOURCE=" + own.value);
    }
    return all;
}

/// Returns the C compiler that belongs to a C++ compiler, or "" if it is unknown.
inline std::string c_compiler_of(const std::string &cxx) {
    std::string name = path(cxx).filename().string();
    const std::size_t clang = name.find("clang++"), gcc = name.find("g++");
    if (clang != std::string::npos) name.replace(clang, 7, "clang");
    else if (gcc != std::string::npos) name.replace(gcc, 3, "gcc");
    else return "";
    const path beside = path(cxx).parent_path() / name;
    return has_program(beside.string()) ? beside.string() : "";
}

inline std::string cmake_errors(const std::string &printed) {
    std::string errors;
    bool is_in = false;
    for (const std::string &line : lines_of(printed)) {
        if (starts_with(line, "CMake Error")) is_in = true;
        else if (starts_with(line, "-- ") || starts_with(line, "Call Stack")) is_in = false;
        if (is_in && !line.empty()) errors += line + "\n";
    }
    return errors.empty() ? printed : errors;
}

/// Returns the options of a project that are off and, by their names, enable benchmarks.
inline words switches_of(const cache &own) {
    words all;
    for (const cache::entry &each : own.entries()) {
        std::string name = each.name;
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
        // Options with this prefix belong to Google Benchmark itself.
        if (each.type != "BOOL" || starts_with(name, "BENCHMARK_") || starts_with(name, "CMAKE_")) continue;
        const bool is_off = each.value == "OFF" || each.value == "0" || each.value == "FALSE" || each.value == "NO";
        if (is_off && contains(name, "BENCH")) all.push_back(each.name);
    }
    return all;
}

} // namespace replay

#endif
