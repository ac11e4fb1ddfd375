// Which cases belong to the benchmark file that this program stands for. Several files may be one program,
// and the engine knows each file as a suite of its own.
#ifndef DERNY_BENCHMARK_OWNER_H
#define DERNY_BENCHMARK_OWNER_H

#pragma GCC system_header

#include "../benchmark/benchmark_api.h"
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

/// The files of the program, as `PROGRAM.files` describes them: `from FOLDER`, in which it was compiled, `own
/// FILE`, `other FILE` for each further one, and `rest` if cases of any other source belong to the own file.
class Owner {
  public:
    explicit Owner(const std::string &program) {
        if (program.empty()) return;
        std::ifstream in((program + ".files").c_str());
        for (std::string line; std::getline(in, line);) {
            if (line.compare(0, 5, "from ") == 0) from_ = line.substr(5);
            else if (line.compare(0, 4, "own ") == 0) own_ = Resolved(line.c_str() + 4);
            else if (line.compare(0, 6, "other ") == 0) others_.insert(Resolved(line.c_str() + 6));
            else has_rest_ = line == "rest";
        }
    }

    /// Returns true if a case that is defined in `file`, while `unit` is compiled, belongs to this program's
    /// file. Without a description, all do.
    bool Has(const char *file, const char *unit) const {
        if (own_.empty()) return true;
        for (const char *each : {file, unit}) {
            if (each == nullptr) continue;
            const std::string path = Resolved(each);
            if (path == own_) return true;
            if (others_.count(path) > 0) return false;
        }
        return has_rest_;
    }

  private:
    std::string Resolved(const char *path) const {
        char whole[PATH_MAX];
        const std::string absolute = *path == '/' ? path : from_ + "/" + path;
        return realpath(absolute.c_str(), whole) != nullptr ? whole : path;
    }

    std::string from_, own_;
    std::set<std::string> others_;
    bool has_rest_ = false;
};

DERNY_BENCHMARK_INTERNAL_END

DERNY_BENCHMARK_END

#endif
