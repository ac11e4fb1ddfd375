// Google Benchmark: Derny's header replaces the library's.
#ifndef DERNY_REPLAY_GOOGLE_HPP
#define DERNY_REPLAY_GOOGLE_HPP

#include "library.hpp"
#include "optimize.hpp"

namespace replay {

class google_benchmark : public library {
  public:
    explicit google_benchmark(const path &sdk) : folder_(sdk / "suites" / "google") {}

    std::string title() const override { return "Google Benchmark"; }
    std::string name() const override { return "google-benchmark"; }

    path header_among(const std::set<path> &files) const override {
        for (const path &file : files) {
            if (file.parent_path().filename() != "benchmark" || file.extension() != ".h") continue;
            const path header = file.parent_path() / "benchmark.h";
            if (file == header || (fs::exists(header) && is_part(file))) return header;
        }
        return "";
    }

    /// Returns false for sources of the library itself, and for tests of it that include its private header.
    bool is_concerned(const path &source, const path &header, const std::set<path> &files) const override {
        const path own = header.parent_path().parent_path().parent_path() / "src";
        return !is_within(source, own) && files.count(own / "benchmark_api_internal.h") == 0;
    }

    bool is_benchmark(const std::string &text) const override {
        return contains(text, "benchmark/benchmark.h") || contains(text, "benchmark::State") || contains(text, "BENCHMARK_MAIN");
    }

    changes replace(const path &, const path &header, const std::set<path> &, const path &below) const override {
        changes made;
        made.includes = {folder_};
        const path own = write_optimize(header, below);
        if (!own.empty()) made.includes.insert(made.includes.begin(), own);
        return made;
    }

    std::vector<path> sources() const override { return {folder_ / "main.cpp"}; }

    /// Returns the flags that give a program our `main`, if its own does not run the benchmarks it registers.
    words link_flags(const std::vector<path> &objects) const override {
        for (const path &object : objects) {
            if (contains(read_file(object), "RunSpecifiedBenchmarks")) return {};
        }
        return {"-Wl,--wrap=main"};
    }

    path kept_header(const std::set<path> &files) const override {
        std::set<path> others;
        for (const path &file : files) {
            if (!is_within(file, folder_)) others.insert(file);
        }
        return header_among(others);
    }

  private:
    /// Returns true if a file has the name of one of the library's headers. Newer versions have several, and
    /// a source may include any of them.
    static bool is_part(const path &file) {
        static const std::set<std::string> names = {"benchmark_api.h", "counter.h", "export.h",     "macros.h",
                                                    "managers.h",      "registration.h", "reporter.h", "state.h",
                                                    "statistics.h",    "sysinfo.h",      "types.h",    "utils.h"};
        return names.count(file.filename().string()) > 0;
    }

    path folder_;
};

} // namespace replay

#endif
