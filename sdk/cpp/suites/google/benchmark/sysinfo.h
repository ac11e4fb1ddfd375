// Information about the machine that a program may request.
#ifndef DERNY_BENCHMARK_SYSINFO_H
#define DERNY_BENCHMARK_SYSINFO_H

#pragma GCC system_header

#include "macros.h"
#include <string>
#include <unistd.h>
#include <vector>

DERNY_BENCHMARK_BEGIN

struct CPUInfo {
    struct CacheInfo {
        std::string type;
        int level;
        int size;
        int num_sharing;
    };
    enum Scaling { UNKNOWN, ENABLED, DISABLED };

    int num_cpus;
    Scaling scaling;
    double cycles_per_second;
    std::vector<CacheInfo> caches;
    std::vector<double> load_avg;

    static const CPUInfo &Get() {
        static const CPUInfo info;
        return info;
    }

  private:
    CPUInfo()
        : num_cpus(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))), scaling(UNKNOWN), cycles_per_second(0) {}
    BENCHMARK_DISALLOW_COPY_AND_ASSIGN(CPUInfo);
};

struct SystemInfo {
    enum class ASLR { UNKNOWN, ENABLED, DISABLED };

    std::string name;
    ASLR ASLRStatus;

    static const SystemInfo &Get() {
        static const SystemInfo info;
        return info;
    }

  private:
    SystemInfo() : ASLRStatus(ASLR::UNKNOWN) {
        char own[256] = "";
        if (gethostname(own, sizeof own - 1) == 0) name = own;
    }
    BENCHMARK_DISALLOW_COPY_AND_ASSIGN(SystemInfo);
};

DERNY_BENCHMARK_END

#endif
