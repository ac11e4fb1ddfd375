// Command line and settings of the library.
#ifndef DERNY_BENCHMARK_FLAGS_H
#define DERNY_BENCHMARK_FLAGS_H

#pragma GCC system_header

#include "../benchmark/managers.h"
#include "../../program/remarks.h"
#include "families.h"

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

struct Settings {
    std::string filter;
    bool lists_tests = false;
    int32_t verbosity = 0;
    TimeUnit time_unit = kNanosecond;
    std::map<std::string, std::string> *context = nullptr;
    /// The command line, including the flags of the library.
    std::vector<char *> words;
    /// Flags that have no effect under Derny, separated by commas.
    std::string ignored;
    /// Remarks for the user. The flag is true if the remark was sent.
    derny::program::remarks remarks;

    static Settings &Get() {
        static Settings *const settings = new Settings;
        return *settings;
    }
    void Remark(const std::string &text) { remarks.insert(std::make_pair(text, false)); }

  private:
    Settings() {
        const char *from = getenv("BENCHMARK_FILTER");
        if (from != nullptr) filter = from;
        const char *lists = getenv("BENCHMARK_LIST_TESTS");
        lists_tests = lists != nullptr && IsTrue(lists);
    }

  public:
    static bool IsTrue(const char *text) {
        static const char *const no[] = {"0", "f", "n", "false", "no", "off"};
        for (const char *each : no) {
            if (strcasecmp(text, each) == 0) return false;
        }
        return true;
    }

    /// Returns the value of a flag, "" if it has none, or NULL if `word` is another flag.
    static const char *ValueOf(const char *word, const char *flag) {
        const std::size_t size = strlen(flag);
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, flag, size) != 0) return nullptr;
        const char end = word[2 + size];
        return end == '=' ? word + 3 + size : end == '\0' ? word + 2 + size : nullptr;
    }

    /// Handles a flag of the library. Returns false if the word is not one.
    bool Take(const char *word) {
        static const char *const decided[] = {
            "benchmark_min_time", "benchmark_min_warmup_time", "benchmark_repetitions", "benchmark_dry_run",
            "benchmark_enable_random_interleaving", "benchmark_report_aggregates_only",
            "benchmark_display_aggregates_only", "benchmark_format", "benchmark_out", "benchmark_out_format",
            "benchmark_color", "benchmark_counters_tabular", "benchmark_perf_counters", "benchmark_context",
            "benchmark_time_unit"};
        const char *value = ValueOf(word, "benchmark_list_tests");
        if (value != nullptr) {
            lists_tests = IsTrue(value);
            return true;
        }
        value = ValueOf(word, "benchmark_filter");
        if (value != nullptr) {
            filter = value;
            return true;
        }
        value = ValueOf(word, "v");
        if (value != nullptr) {
            verbosity = static_cast<int32_t>(strtol(value, nullptr, 10));
            return true;
        }
        for (const char *flag : decided) {
            if (ValueOf(word, flag) == nullptr) continue;
            ignored += (ignored.empty() ? "--" : ", --") + std::string(flag);
            return true;
        }
        return false;
    }
};

std::map<std::string, std::string> *&GetGlobalContext() {
    return Settings::Get().context;
}
int InitializeStreams() {
    return 0;
}

DERNY_BENCHMARK_INTERNAL_END

void PrintDefaultHelp() {
    puts("benchmark [--benchmark_list_tests={true|false}]\n"
         "          [--benchmark_filter=<regex>]\n"
         "Derny measures these benchmarks. Instead of other flags, use its options: `derny run --help`.");
}

void Initialize(int *argc, char **argv, void (*print_help)()) {
    internal::Settings &settings = internal::Settings::Get();
    if (argc == nullptr || argv == nullptr) return;
    if (settings.words.empty()) settings.words.assign(argv, argv + *argc);
    int kept = std::min(*argc, 1);
    for (int i = 1; i < *argc; i++) {
        if (settings.Take(argv[i])) continue;
        if (internal::Settings::ValueOf(argv[i], "help") != nullptr) {
            print_help();
            exit(0);
        }
        argv[kept++] = argv[i];
    }
    *argc = kept;
    argv[kept] = nullptr;
    if (!settings.ignored.empty()) {
        settings.Remark(settings.ignored + " have no effect: Derny chooses the number and duration of measurements; " "use --budget and --set precision=SHARE");
    }
}

bool ReportUnrecognizedArguments(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        fprintf(stderr, "%s: error: unrecognized command-line flag: %s\n", argv[0], argv[i]);
    }
    return argc > 1;
}

std::string GetBenchmarkFilter() {
    return internal::Settings::Get().filter;
}
void SetBenchmarkFilter(std::string value) {
    internal::Settings::Get().filter = std::move(value);
}
int32_t GetBenchmarkVerbosity() {
    return internal::Settings::Get().verbosity;
}
TimeUnit GetDefaultTimeUnit() {
    return internal::Settings::Get().time_unit;
}
void SetDefaultTimeUnit(TimeUnit unit) {
    internal::Settings::Get().time_unit = unit;
}
void AddCustomContext(std::string key, std::string value) {
    auto *&context = internal::GetGlobalContext();
    if (context == nullptr) context = new std::map<std::string, std::string>;
    const bool is_new = context->insert(std::make_pair(key, value)).second;
    if (!is_new) fprintf(stderr, "derny: the context \"%s\" is already set\n", key.c_str());
}

void RegisterMemoryManager(MemoryManager *manager) {
    if (manager != nullptr) internal::Settings::Get().Remark("Derny does not call the program's memory manager");
}
void RegisterProfilerManager(ProfilerManager *manager) {
    if (manager != nullptr) internal::Settings::Get().Remark("Derny does not call the program's profiler");
}

DERNY_BENCHMARK_END

#endif
