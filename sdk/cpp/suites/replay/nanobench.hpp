// nanobench: a changed copy of the user's header lets Derny set the number of iterations of each
// loop.
#ifndef DERNY_REPLAY_NANOBENCH_HPP
#define DERNY_REPLAY_NANOBENCH_HPP

#include "library.hpp"
#include "overlay.hpp"

namespace replay {

class nanobench : public library {
  public:
    explicit nanobench(path sdk) : sdk_(std::move(sdk)) {}

    std::string title() const override { return "nanobench"; }
    std::string name() const override { return "nanobench"; }

    path header_among(const std::set<path> &files) const override {
        for (const path &file : files) {
            if (file.filename() == "nanobench.h" && contains(read_file(file), guard)) return file;
        }
        return "";
    }

    bool is_concerned(const path &, const path &, const std::set<path> &) const override { return true; }

    bool is_benchmark(const std::string &text) const override {
        return contains(text, "nanobench::Bench") || contains(text, "ankerl::nanobench");
    }

    changes replace(const path &source, const path &header, const std::set<path> &files, const path &below) const override {
        const overlay copies(below, source, files, header, changed(header));
        return {{copies.folder()}, copies.source(), {"-DDERNY_SOURCE=\"" + source.string() + "\""}};
    }

    std::vector<path> sources() const override { return {sdk_ / "suites" / "walk" / "walk.cpp"}; }

    path kept_header(const std::set<path> &files) const override { return header_among(files); }

  private:
    static constexpr const char *guard = "#ifndef ANKERL_NANOBENCH_H_INCLUDED";

    std::string changed(const path &header) const {
        static const std::pair<const char *, const char *> anchors[] = {
            {"detail::IterationLogic iterationLogic(*this);",
             "::derny::nanobench::logic iterationLogic(*this, name(), DERNY_SOURCE);"},
            {"iterationLogic.moveResultTo(mResults);", "iterationLogic.moveResultTo(mResults, pc, config());"},
        };
        std::string text = read_file(header);
        for (const auto &[from, to] : anchors) {
            if (!contains(text, from)) {
                throw problem("error: " + header.string() + " is not a supported version of nanobench: it has no `" + from +
                              "`\ntry: update nanobench to 4.0.0 or later");
            }
            text = replaced(text, from, to);
        }
        text = replaced(text, "return compareImpl(names, ops);",
                        "return ::derny::nanobench::compare<CompareResult, Result>(*this, detail::performanceCounters(), "
                        "names, ops, DERNY_SOURCE);");
        // The guard distinguishes copies from the user's own header.
        text = replaced(text, guard, "#if !defined(ANKERL_NANOBENCH_H_INCLUDED)");
        return "#include \"" + (sdk_ / "suites" / "nanobench" / "live.hpp").string() + "\"\n" + text;
    }

    path sdk_;
};

} // namespace replay

#endif
