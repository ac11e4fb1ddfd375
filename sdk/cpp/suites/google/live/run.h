// Runs the benchmarks of a program: the conversation with the engine outside of an open case.
#ifndef DERNY_BENCHMARK_RUN_H
#define DERNY_BENCHMARK_RUN_H

#pragma GCC system_header

#include "../benchmark/reporter.h"
#include "live.h"

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

void AddCase(derny_buffer *line, const BenchmarkInstance &instance, const Site &site) {
    derny_add(line, "case");
    derny_field(line, "benchmark", instance.identity().benchmark.c_str());
    for (const auto &each : instance.identity().params) {
        derny_field(line, ("p." + each.first).c_str(), each.second.c_str());
    }
    if (instance.full_name() != instance.identity().benchmark) derny_field(line, "printed", instance.full_name().c_str());
    if (instance.use_manual_time()) derny_add(line, " timing=self again=1");
    if (instance.threads() > 1) {
        derny_integer_field(line, "threads", static_cast<uint64_t>(instance.threads()));
        derny_add(line, " least_batch_ns=1000000");
    }
    if (instance.fixed_iterations() > 0) {
        // The engine's iteration is one call of the function, which runs all of its own iterations.
        derny_add(line, " max_iterations=1");
        if (!instance.use_manual_time()) {
            derny_integer_field(line, "ops", static_cast<uint64_t>(instance.fixed_iterations()));
        }
    }
    if (site.file != nullptr) {
        derny_field(line, "file", site.file);
        derny_integer_field(line, "line", static_cast<uint64_t>(site.line));
    }
    if (instance.at > 0) derny_integer_field(line, "at", instance.at);
    derny_add(line, "\n");
}

class Program {
  public:
    explicit Program(std::vector<BenchmarkInstance> cases) : cases_(std::move(cases)) {}

    /// Serves the engine. Returns the exit status of the program.
    int Serve() {
        derny_conversation *const talk = Live::Get().talk();
        derny_message message = derny_message();
        derny_add_hello(&talk->answer);
        while (!talk->has_quit && derny_next(talk, &message)) Answer(talk, message);
        derny_message_release(&message);
        return talk->status;
    }

  private:
    void Answer(derny_conversation *talk, const derny_message &message) {
        const std::string verb = message.verb;
        if (verb == "list") {
            List(talk);
        } else if (verb == "open") {
            BenchmarkInstance *const instance = Named(message, &talk->why);
            if (instance == nullptr) return;
            was_opened_ = true;
            NoteOptions(instance->family());
            Live::Get().Visit(instance);
        } else if (verb == "close" || verb == "check" || verb == "measure" || verb == "overhead") {
            derny_add_format(&talk->why, "%s: no case is open", message.verb);
        } else {
            derny_unsupported(talk, message.verb);
        }
    }

    void List(derny_conversation *talk) {
        if (was_opened_) {
            derny_add(&talk->why, "list: only allowed before the first open");
            return;
        }
        for (const auto &each : cases_) AddCase(&talk->answer, each, each.site());
        derny_add(&talk->answer, "end");
    }

    /// Returns the case that `open` names. If there is none or more than one, returns NULL and adds
    /// the reason to `why`.
    BenchmarkInstance *Named(const derny_message &message, derny_buffer *why) {
        const char *const name = derny_value(&message, "benchmark"), *const at = derny_value(&message, "at");
        uint64_t place = 0;
        if (name == nullptr) {
            derny_add(why, "open: the key benchmark is missing");
            return nullptr;
        }
        if (at != nullptr && !derny_read_integer(at, &place)) place = UINT64_MAX;
        for (auto &each : cases_) {
            if (!Is(each.identity(), message) || (at != nullptr && each.at != place)) continue;
            if (at != nullptr || each.at == 0) return &each;
            derny_add_format(why, "open: two benchmarks have the name %s", name);
            return nullptr;
        }
        derny_add_format(why, "open: there is no benchmark %s with these parameters", name);
        return nullptr;
    }

    /// Returns true if `open` names this case: its benchmark, and exactly its parameters.
    static bool Is(const Identity &identity, const derny_message &message) {
        std::size_t given = 0;
        for (std::size_t i = 0; i < message.count; i++) {
            const derny_pair &pair = message.pairs[i];
            if (strncmp(pair.key, "p.", 2) != 0) continue;
            const std::string *const own = identity.Value(pair.key + 2);
            if (own == nullptr || *own != pair.value) return false;
            given++;
        }
        return given == identity.params.size() && identity.benchmark == derny_value(&message, "benchmark");
    }

    static void NoteOptions(const ::benchmark::Benchmark &family) {
        Settings &settings = Settings::Get();
        if (family.has_counts()) {
            settings.Remark("MinTime, MinWarmUpTime and Repetitions have no effect: Derny chooses the number "
                            "and duration of measurements; use --budget and --set precision=SHARE");
        }
        if (family.wants_complexity()) settings.Remark("Derny does not compute Complexity");
    }

    std::vector<BenchmarkInstance> cases_;
    bool was_opened_ = false;
};

/// Replaces this process with the engine, which starts the program again with the same arguments.
int BecomeEngine() {
    static char dashes[] = "--", unnamed[] = "benchmark";
    std::vector<char *> words = Settings::Get().words;
    if (words.empty()) words.push_back(unnamed);
    words.insert(words.begin() + 1, dashes);
    words.push_back(nullptr);
    return derny_become_engine(static_cast<int>(words.size()) - 1, words.data());
}

std::size_t Run(const std::string &pattern, bool has_reporter) {
    std::vector<BenchmarkInstance> cases;
    std::string why;
    const Settings &settings = Settings::Get();
    derny_conversation *const talk = Live::Get().talk();
    if (talk->has_quit) return 0;
    if (!Families::Get().Find(pattern, derny::program::files(), &cases, &why)) {
        fprintf(stderr, "derny: the filter %s is not a regular expression: %s\n", pattern.c_str(), why.c_str());
        return 0;
    }
    if (settings.lists_tests) {
        for (const auto &each : cases) puts(each.full_name().c_str());
        fflush(stdout);
        return cases.size();
    }
    if (has_reporter) Settings::Get().Remark("Derny reports the results itself, and does not call the program's reporter");
    const char *const compiler = Families::Get().compiler();
    derny_turns.build = {"cpp", DERNY_RUNTIME, compiler, DERNY_INSTRUMENTED, false, true};
    const int is_open = derny_open_streams(&talk->streams);
    if (is_open <= 0) exit(is_open < 0 ? 2 : BecomeEngine());
    const std::size_t count = cases.size();
    const int status = Program(std::move(cases)).Serve();
    // After `quit`, the program may clean up. Otherwise the engine has ended.
    if (!talk->has_quit) exit(status);
    return count;
}

DERNY_BENCHMARK_INTERNAL_END

void BenchmarkReporter::List(const std::vector<internal::BenchmarkInstance> &benchmarks) {
    for (const auto &each : benchmarks) *output_stream_ << each.full_name() << "\n";
}
std::size_t RunSpecifiedBenchmarks() {
    return internal::Run(GetBenchmarkFilter(), false);
}
std::size_t RunSpecifiedBenchmarks(std::string spec) {
    return internal::Run(spec, false);
}
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter *display) {
    return internal::Run(GetBenchmarkFilter(), display != nullptr);
}
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter *display, std::string spec) {
    return internal::Run(spec, display != nullptr);
}
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter *display, BenchmarkReporter *file) {
    return internal::Run(GetBenchmarkFilter(), display != nullptr || file != nullptr);
}
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter *display, BenchmarkReporter *file, std::string spec) {
    return internal::Run(spec, display != nullptr || file != nullptr);
}

DERNY_BENCHMARK_END

#endif
