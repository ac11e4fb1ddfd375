// Complexity and statistics. They are accepted and ignored, because Derny computes its own.
#ifndef DERNY_BENCHMARK_STATISTICS_H
#define DERNY_BENCHMARK_STATISTICS_H

#pragma GCC system_header

#include "types.h"
#include <vector>

DERNY_BENCHMARK_BEGIN

enum BigO { oNone, o1, oN, oNSquared, oNCubed, oLogN, oNLogN, oAuto, oLambda };

typedef int64_t ComplexityN;
typedef double(BigOFunc)(ComplexityN);
typedef double(StatisticsFunc)(const std::vector<double> &);

enum StatisticUnit { kTime, kPercentage };

DERNY_BENCHMARK_INTERNAL_BEGIN

struct Statistics {
    std::string name_;
    StatisticsFunc *compute_;
    StatisticUnit unit_;

    Statistics(const std::string &name, StatisticsFunc *compute, StatisticUnit unit = kTime)
        : name_(name), compute_(compute), unit_(unit) {}
};

enum AggregationReportMode : unsigned {
    ARM_Unspecified = 0,
    ARM_Default = 1,
    ARM_FileReportAggregatesOnly = 2,
    ARM_DisplayReportAggregatesOnly = 4,
    ARM_ReportAggregatesOnly = ARM_FileReportAggregatesOnly | ARM_DisplayReportAggregatesOnly
};

enum Skipped : unsigned { NotSkipped = 0, SkippedWithMessage, SkippedWithError };

DERNY_BENCHMARK_INTERNAL_END

DERNY_BENCHMARK_END

#endif
