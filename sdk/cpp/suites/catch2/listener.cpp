// Tracks the tests of a Catch2 program (version 2 or 3), so that a benchmark's name contains its
// test and sections. Compiled with the user's header.
#ifndef CATCH_CONFIG_ENABLE_BENCHMARKING
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#endif
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include DERNY_CATCH2_HEADER
#if !defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED)
#define DERNY_CATCH2_VERSION 3
#if !defined(CATCH_AMALGAMATED_HPP_INCLUDED)
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif
#endif
#include "live.hpp"
#include <cxxabi.h>
#include <fstream>
#include <iterator>
#include <map>
#include <typeinfo>

namespace derny {
namespace walk {

/// Returns arguments that select tests. For one benchmark, these are the tests whose names are part
/// of its name. Otherwise, they are all visible tests and those with benchmarks. The order of tests
/// is the same in each process.
std::vector<std::string> words_for(const std::string &name) {
    std::string tests;
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
        tests += tests.empty() ? "\"" : ",\"";
        for (const char each : name.substr(0, end)) {
            if (each == '"' || each == '\\' || each == ',' || each == '[') tests += '\\';
            tests += each;
        }
        tests += '"';
    }
    return {tests.empty() ? "~[.],[!benchmark]" : tests, "--order", "decl"};
}

} // namespace walk

namespace catch2 {
namespace {

struct {
    /// Names of the test and of its open sections, and the full name of the last benchmark.
    std::vector<std::string> path;
    std::string benchmark;
    std::string file;
    unsigned line = 0;
    bool has_benchmarks = false;
    /// The last failed assertion, and whether one has failed since the last benchmark began.
    std::string failed;
    bool has_failed = false;
} test;

/// Returns true if a source file contains the word BENCHMARK.
bool mentions_benchmarks(const std::string &file) {
    static std::map<std::string, bool> known;
    const auto found = known.find(file);
    if (found != known.end()) return found->second;
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return known[file] = text.find("BENCHMARK") != std::string::npos;
}

#ifdef DERNY_CATCH2_VERSION
using base = Catch::EventListenerBase;
using ended = void;
#define DERNY_ENDED
#else
using base = Catch::TestEventListenerBase;
using ended = bool;
#define DERNY_ENDED true
#endif

class derny_listener : public base {
  public:
    using base::base;

    void testCaseStarting(Catch::TestCaseInfo const &info) override {
        base::testCaseStarting(info);
        test.path.clear();
        test.file = info.lineInfo.file;
        test.line = static_cast<unsigned>(info.lineInfo.line);
        test.has_benchmarks = test.has_failed = false;
        test.failed.clear();
        name_ = info.name;
        depth_ = 0;
    }

    void sectionStarting(Catch::SectionInfo const &info) override {
        base::sectionStarting(info);
        // The outermost section is the test itself.
        test.path.push_back(depth_++ == 0 ? name_ : std::string(info.name));
    }

    void sectionEnded(Catch::SectionStats const &stats) override {
        base::sectionEnded(stats);
        if (depth_ > 0) depth_--;
        if (!test.path.empty()) test.path.pop_back();
    }

    ended assertionEnded(Catch::AssertionStats const &stats) override {
        if (!stats.assertionResult.isOk()) {
            const auto place = stats.assertionResult.getSourceInfo();
            test.has_failed = true;
            test.failed = std::string(stats.assertionResult.getExpressionInMacro()) + " failed, at " + place.file + ":" +
                          std::to_string(place.line);
            const auto message = std::string(stats.assertionResult.getMessage());
            if (!message.empty()) test.failed = message + ": " + test.failed;
        }
        return DERNY_ENDED;
    }

    void testCaseEnded(Catch::TestCaseStats const &stats) override {
        base::testCaseEnded(stats);
        if (stats.totals.assertions.failed == 0 || test.has_benchmarks || !mentions_benchmarks(test.file)) return;
        if (walk::is_near(name_)) walk::lose(name_, test.file, "the test failed before its benchmarks: " + test.failed);
    }

  private:
    std::string name_;
    unsigned depth_ = 0;
};

} // namespace

means reached(const std::string &name) {
    walk::benchmark own;
    for (const std::string &part : test.path) own.name += part + "/";
    own.name += name;
    test.benchmark = own.name;
    own.file = test.file;
    own.line = test.line;
    test.has_benchmarks = true;
    test.has_failed = false;
    if (walk::reached(own)) return means::measure;
    return !test.path.empty() && walk::is_near(test.path[0]) ? means::call : means::nothing;
}

const std::string &whole_name() { return test.benchmark; }

bool has_failed_assertion() { return test.has_failed; }

void fail() {
    const std::type_info *const type = abi::__cxa_current_exception_type();
    const std::string name = type != nullptr ? type->name() : "";
    if (name.find("TestSkipException") != std::string::npos) walk::skip("SKIP was called");
    else walk::fail(test.has_failed && (type == nullptr || name.find("Catch") != std::string::npos) ? test.failed : "");
}

} // namespace catch2
} // namespace derny

using derny_catch2_listener = derny::catch2::derny_listener;
CATCH_REGISTER_LISTENER(derny_catch2_listener)
