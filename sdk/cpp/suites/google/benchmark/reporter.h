// Reporters. Programs may define and pass them, but Derny gives them no results.
#ifndef DERNY_BENCHMARK_REPORTER_H
#define DERNY_BENCHMARK_REPORTER_H

#pragma GCC system_header

#include "benchmark_api.h"
#include "managers.h"
#include "sysinfo.h"
#include <iostream>
#include <set>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

/// Static constants of classes. In C++11, headers may define only static members of templates.
template <class Nothing> struct ContextConstants {
    static const char *executable_name;
};
template <class Nothing> const char *ContextConstants<Nothing>::executable_name = "";
template <class Nothing> struct RunConstants {
    static const int64_t no_repetition_index = -1;
};
template <class Nothing> const int64_t RunConstants<Nothing>::no_repetition_index;

DERNY_BENCHMARK_INTERNAL_END

inline const char *GetTimeUnitString(TimeUnit unit) {
    return unit == kSecond ? "s" : unit == kMillisecond ? "ms" : unit == kMicrosecond ? "us" : "ns";
}
inline double GetTimeUnitMultiplier(TimeUnit unit) {
    return unit == kSecond ? 1 : unit == kMillisecond ? 1e3 : unit == kMicrosecond ? 1e6 : 1e9;
}

class BenchmarkReporter {
  public:
    struct Context : internal::ContextConstants<void> {
        const CPUInfo &cpu_info;
        const SystemInfo &sys_info;
        std::size_t name_field_width = 0;
        Context() : cpu_info(CPUInfo::Get()), sys_info(SystemInfo::Get()) {}
    };

    struct Run : internal::RunConstants<void> {
        enum RunType { RT_Iteration, RT_Aggregate };

        std::string benchmark_name() const {
            return run_name.str() + (run_type == RT_Aggregate ? "_" + aggregate_name : "");
        }
        double GetAdjustedRealTime() const { return Adjusted(real_accumulated_time); }
        double GetAdjustedCPUTime() const { return Adjusted(cpu_accumulated_time); }

        BenchmarkName run_name;
        int64_t family_index = 0, per_family_instance_index = 0;
        RunType run_type = RT_Iteration;
        std::string aggregate_name;
        StatisticUnit aggregate_unit = kTime;
        std::string report_label;
        internal::Skipped skipped = internal::NotSkipped;
        std::string skip_message;
        /// Members before version 1.8.
        bool error_occurred = false;
        std::string error_message;
        IterationCount iterations = 1;
        int64_t threads = 1, repetition_index = 0, repetitions = 0;
        TimeUnit time_unit = kNanosecond;
        double real_accumulated_time = 0, cpu_accumulated_time = 0, max_heapbytes_used = 0;
        bool use_real_time_for_initial_big_o = false;
        BigO complexity = oNone;
        BigOFunc *complexity_lambda = nullptr;
        ComplexityN complexity_n = 0;
        const std::vector<internal::Statistics> *statistics = nullptr;
        bool report_big_o = false, report_rms = false;
        UserCounters counters;
        MemoryManager::Result memory_result;
        bool has_memory_result = false;
        double allocs_per_iter = 0;

      private:
        double Adjusted(double seconds) const {
            const double all = seconds * GetTimeUnitMultiplier(time_unit);
            return iterations != 0 ? all / static_cast<double>(iterations) : all;
        }
    };

    struct PerFamilyRunReports {
        int num_runs_total = 0, num_runs_done = 0;
        std::vector<BenchmarkReporter::Run> Runs;
    };

    BenchmarkReporter() : output_stream_(&std::cout), error_stream_(&std::cerr) {}
    virtual ~BenchmarkReporter() {}
    virtual bool ReportContext(const Context &context) = 0;
    virtual void ReportRunsConfig(double, bool, IterationCount) {}
    virtual void ReportRuns(const std::vector<Run> &report) = 0;
    virtual void Finalize() {}
    virtual void List(const std::vector<internal::BenchmarkInstance> &benchmarks);

    void SetOutputStream(std::ostream *stream) { output_stream_ = stream; }
    void SetErrorStream(std::ostream *stream) { error_stream_ = stream; }
    std::ostream &GetOutputStream() const { return *output_stream_; }
    std::ostream &GetErrorStream() const { return *error_stream_; }
    static void PrintBasicContext(std::ostream *, const Context &) {}

  private:
    std::ostream *output_stream_, *error_stream_;
};

class ConsoleReporter : public BenchmarkReporter {
  public:
    enum OutputOptions {
        OO_None = 0,
        OO_Color = 1,
        OO_Tabular = 2,
        OO_ColorTabular = OO_Color | OO_Tabular,
        OO_Defaults = OO_ColorTabular
    };
    explicit ConsoleReporter(OutputOptions options = OO_Defaults)
        : output_options_(options), name_field_width_(0), printed_header_(false) {}

    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &) override {}

  protected:
    virtual void PrintRunData(const Run &) {}
    virtual void PrintHeader(const Run &) {}

    OutputOptions output_options_;
    std::size_t name_field_width_;
    UserCounters prev_counters_;
    bool printed_header_;
};

class JSONReporter : public BenchmarkReporter {
  public:
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &) override {}
    void Finalize() override {}
};

class CSVReporter : public BenchmarkReporter {
  public:
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &) override {}
};

inline std::unique_ptr<BenchmarkReporter> CreateDefaultDisplayReporter() {
    return std::unique_ptr<BenchmarkReporter>(new ConsoleReporter);
}

DERNY_BENCHMARK_END

#endif
