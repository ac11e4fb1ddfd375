// Remarks for the user. Each is shown once per run, even if several processes make it.
#ifndef DERNY_PROGRAM_REMARKS_H
#define DERNY_PROGRAM_REMARKS_H

#include "../../include/derny/wire.h"
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <string>
#include <unistd.h>

namespace derny {
namespace program {

/// The remarks of a process. The flag is true if this process has sent the remark.
using remarks = std::map<std::string, bool>;

/// Returns true if no other process of this run has sent the remark. Each remark leaves a file in
/// the run's folder.
inline bool is_new(const std::string &remark) {
    const char *const folder = getenv("DERNY_SCRATCH");
    if (folder == nullptr) return true;
    std::uint32_t hash = 0x811c9dc5;
    for (const char each : remark) hash = (hash ^ static_cast<unsigned char>(each)) * 0x01000193;
    char name[32];
    snprintf(name, sizeof name, "/said-%08x", static_cast<unsigned>(hash));
    const int mark = open((folder + std::string(name)).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool is_known = mark < 0 && errno == EEXIST;
    if (mark >= 0) close(mark);
    return !is_known;
}

/// Appends a log line for each remark that has not been sent.
inline void tell(remarks &all, derny_buffer *answer) {
    for (auto &each : all) {
        if (each.second) continue;
        each.second = true;
        if (!is_new(each.first)) continue;
        derny_add(answer, "log");
        derny_field(answer, "message", each.first.c_str());
        derny_add(answer, "\n");
    }
}

} // namespace program
} // namespace derny

#endif
