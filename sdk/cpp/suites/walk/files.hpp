// Which cases of a program belong to which of its files. The engine starts the same program once for each file.
#ifndef DERNY_WALK_FILES_HPP
#define DERNY_WALK_FILES_HPP

#include <climits>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>

namespace derny {
namespace walk {

/// The list that lies beside a program: `from FOLDER`, in which it was compiled, then `own FILE` for the file that the program stands for, `other FILE`
/// for each of the others, and `rest` if the cases of no file are its own too.
class files {
  public:
    files() {
        char path[PATH_MAX];
        const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
        std::ifstream in(std::string(path, size > 0 ? static_cast<std::size_t>(size) : 0) + ".files");
        for (std::string line; std::getline(in, line);) {
            if (line.compare(0, 5, "from ") == 0) from_ = line.substr(5);
            else if (line.compare(0, 4, "own ") == 0) own_ = whole(line.substr(4));
            else if (line.compare(0, 6, "other ") == 0) others_.insert(whole(line.substr(6)));
            else has_rest_ = line == "rest";
        }
    }

    /// Returns true if the cases of a source file belong to this program.
    bool has(const std::string &file) const {
        const std::string path = whole(file);
        return own_.empty() || path == own_ || (has_rest_ && others_.count(path) == 0);
    }

  private:
    /// Returns a path without links, relative ones resolved in the folder of the compiler.
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

} // namespace walk
} // namespace derny

#endif
