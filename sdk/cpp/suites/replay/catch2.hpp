// Catch2: Derny measures benchmarks through a changed copy of the user's header.
#ifndef DERNY_REPLAY_CATCH2_HPP
#define DERNY_REPLAY_CATCH2_HPP

#include "library.hpp"
#include "overlay.hpp"

namespace replay {

class catch2 : public library {
  public:
    explicit catch2(path sdk) : sdk_(std::move(sdk)) {}

    std::string title() const override { return "BENCHMARK of Catch2"; }
    std::string name() const override { return "catch2"; }

    path header_among(const std::set<path> &files) const override {
        for (const path &file : files) {
            const path name = file.filename();
            if (name != "catch_benchmark.hpp" && name != "catch.hpp" && name != "catch_amalgamated.hpp") continue;
            if (contains(read_file(file), anchor)) return file;
        }
        return "";
    }

    /// Returns true for objects with benchmarks. Searches their sources, because with version 2,
    /// every test includes the header.
    bool is_concerned(const path &source, const path &header, const std::set<path> &files) const override {
        if (is_benchmark(read_file(source))) return true;
        return std::any_of(files.begin(), files.end(), [&](const path &file) {
            return !overlay::is_of_system(file) && !is_within(file, header.parent_path()) && is_benchmark(read_file(file));
        });
    }

    bool is_benchmark(const std::string &text) const override {
        return contains(text, "BENCHMARK(") || contains(text, "BENCHMARK_ADVANCED(");
    }

    changes replace(const path &source, const path &header, const std::set<path> &files, const path &below) const override {
        const std::string serve = "::derny::catch2::serve<Detail::ChronometerModel<Clock>, Chronometer>(name, fun);\n"
                                  "                return;\n                ";
        const std::string text = "#include \"" + (sdk_ / "suites" / "catch2" / "live.hpp").string() + "\"\n" +
                                 replaced(read_file(header), anchor, serve + changed_anchor);
        const overlay copies(below, source, files, header, text);
        return {{copies.folder()}, copies.source(), {"-DDERNY_CATCH2_HEADER=\"" + copies.header().string() + "\""}};
    }

    std::vector<path> sources() const override {
        return {sdk_ / "suites" / "walk" / "walk.cpp", sdk_ / "suites" / "catch2" / "listener.cpp"};
    }

    path kept_header(const std::set<path> &files) const override { return header_among(files); }

  private:
    /// The line at which the measurement begins, in all versions since 2.9. The copy has different
    /// spacing, to distinguish it from the user's header.
    static constexpr const char *anchor = "auto env = Detail::measure_environment<Clock>();";
    static constexpr const char *changed_anchor = "auto env  = Detail::measure_environment<Clock>();";

    path sdk_;
};

} // namespace replay

#endif
