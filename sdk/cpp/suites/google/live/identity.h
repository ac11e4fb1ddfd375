// The identity of a case: its name and its parameters. The importer of Google Benchmark's JSON
// separates them in the same way.
#ifndef DERNY_BENCHMARK_IDENTITY_H
#define DERNY_BENCHMARK_IDENTITY_H

#pragma GCC system_header

#include "../benchmark/macros.h"
#include <cstring>
#include <string>
#include <utility>
#include <vector>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

/// A case as the engine identifies it. `BM_copy/n:8/64` is `BM_copy/64` with the parameter `n`.
struct Identity {
    std::string benchmark;
    std::vector<std::pair<std::string, std::string>> params;

    explicit Identity(const std::string &name) {
        std::vector<std::string> parts(1);
        for (char each : name) {
            if (each == '/') parts.emplace_back();
            else parts.back() += each;
        }
        std::size_t manners = parts.size();
        while (manners > 1 && IsManner(parts[manners - 1])) manners--;
        benchmark = parts[0];
        for (std::size_t i = 1; i < parts.size(); i++) {
            if (i >= manners && SaysHowOften(parts[i])) continue;
            const std::size_t colon = parts[i].find(':');
            const bool is_param = colon != std::string::npos && colon > 0 && parts[i].compare(colon, 2, "::") != 0;
            const std::string key = is_param ? parts[i].substr(0, colon) : std::string();
            if (is_param && Value(key) == nullptr) params.emplace_back(key, parts[i].substr(colon + 1));
            else benchmark += "/" + parts[i];
        }
    }

    /// Returns the value of a parameter, or NULL.
    const std::string *Value(const std::string &key) const {
        for (const auto &each : params) {
            if (each.first == key) return &each.second;
        }
        return nullptr;
    }
    bool operator==(const Identity &other) const { return benchmark == other.benchmark && params == other.params; }

  private:
    static bool Begins(const std::string &part, const char *key) {
        return part.compare(0, strlen(key), key) == 0 && part[strlen(key)] == ':';
    }
    /// Returns true for a part that may describe how the benchmark is measured. Such parts are
    /// always at the end of a name.
    static bool IsManner(const std::string &part) {
        for (const char *key : {"min_time", "min_warmup_time", "iterations", "repeats", "threads"}) {
            if (Begins(part, key)) return true;
        }
        return part == "process_time" || part == "real_time" || part == "manual_time";
    }
    /// Returns true for a part of a name that describes a setting that Derny ignores. Such a part
    /// does not belong to the identity.
    static bool SaysHowOften(const std::string &part) {
        const std::string value = part.substr(part.find(':') + 1);
        if (Begins(part, "min_time") || Begins(part, "min_warmup_time")) return value.find('.') != std::string::npos;
        return Begins(part, "repeats") && value != "1" && value != "0";
    }
};

DERNY_BENCHMARK_INTERNAL_END

DERNY_BENCHMARK_END

#endif
