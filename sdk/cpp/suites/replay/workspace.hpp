// A configured folder whose programs are built with Derny's loop.
#ifndef DERNY_REPLAY_WORKSPACE_HPP
#define DERNY_REPLAY_WORKSPACE_HPP

#include "catch2.hpp"
#include "cmake.hpp"
#include "google.hpp"
#include "makefiles.hpp"
#include "nanobench.hpp"
#include "ninja.hpp"
#include "outcome.hpp"
#include "plain_make.hpp"
#include "replay.hpp"
#include <memory>

namespace replay {

inline std::unique_ptr<library> library_of(const order &own) {
    if (own.library == "catch2") return std::make_unique<catch2>(own.sdk);
    if (own.library == "nanobench") return std::make_unique<nanobench>(own.sdk);
    if (own.library == "google-benchmark") return std::make_unique<google_benchmark>(own.sdk);
    throw problem("there is no library " + own.library);
}

class workspace {
  public:
    workspace(const order &own, path folder, path below)
        : order_(own), library_(library_of(own)), folder_(std::move(folder)), below_(std::move(below)), log_(below_ / "build.log") {
        const cache known(folder_);
        const bool is_ninja = known.is_there() ? known.is_ninja() : fs::exists(folder_ / "build.ninja");
        const std::string tool = known.value("CMAKE_MAKE_PROGRAM");
        if (is_ninja) tool_ = std::make_unique<ninja_tool>(tool.empty() ? "ninja" : tool, folder_, log_);
        else if (known.is_there()) tool_ = std::make_unique<make_tool>(tool.empty() ? "make" : tool, folder_, log_);
        else if (has_makefile(folder_)) tool_ = std::make_unique<plain_make_tool>(folder_, below_, own.variables());
        else throw problem(folder_.string() + " is not a build folder of CMake, Ninja or Meson, and has no Makefile");
    }

    /// Builds the programs of these files and puts them where the engine expects them. Returns the
    /// files from which the folder makes no program. `only` names a program or target, or is
    /// empty.
    std::vector<path> serve(const std::vector<path> &files, const std::string &only, outcome &told) {
        const ended refreshed = tool_->refresh();
        if (!refreshed.is_good()) throw problem("cannot configure " + folder_.string() + " again\n" + cmake_errors(refreshed.printed));
        const build all = tool_->read();
        std::map<path, std::vector<path>> chosen; // the files of each program
        std::vector<path> rest;
        for (const path &file : files) {
            const program *own = choose(all, file, only, told);
            if (own == nullptr) rest.push_back(file);
            else chosen[own->file].push_back(file);
        }
        if (chosen.empty()) return rest;
        const std::map<path, std::string> broken = make(all, chosen);
        const dependencies known = tool_->read_dependencies(all);
        replayer again(all, known, *library_, below_, tool_->only_describes(), objects(order_.objects));
        for (const auto &[file, own] : chosen) {
            const auto failed = broken.find(file);
            if (failed != broken.end()) {
                for (const path &each : own) told.fail(each, failed->second);
            } else {
                serve_program(again, *find(all, file), own, told);
            }
        }
        return rest;
    }

    const path &folder() const { return folder_; }

  private:
    static const program *find(const build &all, const path &file) {
        for (const program &each : all.programs) {
            if (each.file == file) return &each;
        }
        return nullptr;
    }

    /// Returns true if a step compiles a file, alone or with others in a unity build.
    static bool compiles(const step &own, const path &file) {
        if (own.source == file) return true;
        const std::string name = own.source.filename().string();
        return starts_with(name, "unity_") && contains(read_file(own.source), "#include \"" + file.string() + "\"");
    }

    /// Returns the program that contains a file. If there are several, returns the first and names
    /// the others.
    const program *choose(const build &all, const path &file, const std::string &only, outcome &told) const {
        std::vector<const program *> having;
        for (const program &each : all.programs) {
            if (!only.empty() && each.target != only && each.file != path(only) && path(each.target).filename() != only) continue;
            const std::vector<const step *> steps = all.closure(each.file);
            if (std::any_of(steps.begin(), steps.end(), [&](const step *own) { return own->compiles() && compiles(*own, file); })) {
                having.push_back(&each);
            }
        }
        if (having.empty()) return nullptr;
        if (having.size() > 1) {
            std::string others;
            for (std::size_t i = 1; i < having.size(); i++) others += (i > 1 ? ", " : "") + having[i]->target;
            told.remark(order_.shown(file) + ": measured in " + having[0]->target + "; also part of " + others +
                        ": choose one with --build-args=--target=NAME");
        }
        return having[0];
    }

    /// Builds programs as the user does. Returns the error of each failed program.
    std::map<path, std::string> make(const build &all, const std::map<path, std::vector<path>> &chosen) const {
        std::map<path, std::string> broken;
        words targets;
        for (const auto &[file, own] : chosen) targets.push_back(find(all, file)->target);
        const ended whole = tool_->make(targets);
        if (whole.is_good()) return broken;
        for (const auto &[file, own] : chosen) {
            const ended one = targets.size() == 1 ? whole : tool_->make({find(all, file)->target});
            if (!one.is_good()) broken[file] = one.printed;
        }
        return broken;
    }

    void serve_program(replayer &again, const program &own, const std::vector<path> &files, outcome &told) const {
        replayer::result made;
        try {
            made = again.make(own);
        } catch (const problem &why) {
            made.error = why.what();
        }
        if (!made.error.empty()) {
            for (const path &file : files) told.fail(file, made.error);
            return;
        }
        if (made.units.empty()) {
            for (const path &file : files) told.skip(file, own.target + " does not use " + library_->title());
            return;
        }
        // Include all benchmark files of the program, even unselected ones, so that each case
        // always belongs to the same file.
        std::set<path> all(files.begin(), files.end());
        for (const path &unit : made.units) {
            if (is_within(unit, order_.root) && !is_within(unit, folder_) && library_->is_benchmark(read_file(unit))) all.insert(unit);
        }
        for (const path &file : files) {
            std::string described = "from " + made.folder.string() + "\n";
            for (const path &each : all) described += (each == file ? "own " : "other ") + each.string() + "\n";
            // Cases of generated and other sources belong to the first file.
            described += *all.begin() == file ? "rest\n" : "";
            told.place(file, made.file, described);
        }
    }

    const order &order_;
    std::unique_ptr<library> library_;
    path folder_, below_, log_;
    std::unique_ptr<build_tool> tool_;
};

} // namespace replay

#endif
