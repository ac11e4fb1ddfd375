// Assigns the cases of a program to its files. The engine starts the same program once for each
// file.
#ifndef DERNY_PROGRAM_FILES_H
#define DERNY_PROGRAM_FILES_H

#include <climits>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>

namespace derny {
namespace program {

/// The list beside a program, `PROGRAM.files`. `from FOLDER` is the folder in which the program was
/// compiled. `own FILE` is the file that the program represents, and each `other FILE` a file that
/// another program represents. `rest` assigns the cases of all other sources to this program.
class files {
  public:
    files() {
        char path[PATH_MAX];
        const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
        std::ifstream in((std::string(path, size > 0 ? static_cast<std::size_t>(size) : 0) + ".files").c_str());
        for (std::string line; std::getline(in, line);) {
            if (line.compare(0, 5, "from ") == 0) from_ = line.substr(5);
            else if (line.compare(0, 4, "own ") == 0) own_ = whole(line.substr(4));
            else if (line.compare(0, 6, "other ") == 0) others_.insert(whole(line.substr(6)));
            else has_rest_ = line == "rest";
        }
    }

    /// Returns true if a case belongs to this program. `file` is the file of its definition and
    /// `unit` the source being compiled; either may be "". Without a list, all cases belong to the
    /// program.
    bool has(const std::string &file, const std::string &unit = std::string()) const {
        if (own_.empty()) return true;
        for (const std::string *each : {&file, &unit}) {
            const std::string path = whole(*each);
            if (path == own_) return true;
            if (others_.count(path) > 0) return false;
        }
        return has_rest_;
    }

  private:
    /// Returns a path without links. Relative paths are resolved in the compiler's folder.
    std::string whole(const std::string &file) const {
        char path[PATH_MAX];
        if (file.empty()) return file;
        const std::string absolute = file[0] == '/' ? file : from_ + "/" + file;
        return realpath(absolute.c_str(), path) != nullptr ? path : file;
    }

    std::string from_, own_;
    std::set<std::string> others_;
    bool has_rest_ = false;
};

} // namespace program
} // namespace derny

#endif
