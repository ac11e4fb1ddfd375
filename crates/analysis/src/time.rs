//! The time per operation of one variant of a case.

use crate::figures::{self, Basis};
use crate::process::Process;
use crate::scope::Scope;
use crate::spread::{self, Spread};
use crate::{cold, ladder, steady};
use derny_estimate::cost::Cost;
use derny_estimate::floor;
use derny_estimate::level::Levels;
use derny_estimate::mean;
use derny_estimate::pair::Replicate;
use derny_estimate::side_estimate::SideEstimate;
use derny_model::{Case, Figure, ProcessValue, TimeSummary, TukeyCounts};
use derny_stats::steady::SteadyClass;
use derny_stats::{location, outliers, scale};
use std::collections::BTreeMap;

pub(crate) struct Timed {
    /// Estimates that the rest of the analysis needs.
    pub summary: TimeSummary,
    /// All figures of time.
    pub figures: Vec<Figure>,
}

pub(crate) fn time(case: &Case, processes: &[Process], scope: &Scope, levels: &Levels) -> Option<Timed> {
    let spread = Spread::of(processes)?;
    let replicates: Vec<&Replicate> = processes.iter().map(|process| &process.replicate).collect();
    let (typical, mean) = times(&replicates, levels, scope.machines)?;
    let logs: Vec<f64> = processes.iter().filter_map(Process::location).collect();
    let times: Vec<f64> = logs.iter().map(|log| libm::exp(*log)).collect();
    let floors: Vec<f64> = processes.iter().filter_map(|process| process.replicate.floor).collect();
    let turns: Vec<f64> = processes.iter().flat_map(|process| &process.turns).copied().collect();
    let classes: Vec<Option<SteadyClass>> = processes.iter().map(steady::class).collect();
    let summary = TimeSummary {
        typical: typical.estimate,
        mean: mean.estimate,
        median: spread.quantile(0.5),
        floor: floor::floor(&times, &floors, case, scope.cycle_ns),
        outliers: tukey(&turns),
        cold: cold::cold(&processes.iter().filter_map(|process| process.cold).collect::<Vec<f64>>()),
        unwarmed: case.runner.is_some() && !processes.iter().any(|process| process.is_warm),
        steady: steady::steady(&classes.iter().flatten().copied().collect::<Vec<_>>()),
        processes: processes.iter().zip(&classes).map(|(process, class)| value(process, *class)).collect(),
        histogram: spread.histogram(),
    };
    let figures = figures::of_time(&Basis {
        case,
        processes,
        begun: &scope.begun,
        spread: &spread,
        logs: &logs,
        time: &summary,
        typical,
        mean,
        ladder: if scope.ladder { ladder::ladder(processes, case.ops) } else { None },
        components: spread::components(processes),
    });
    Some(Timed { summary, figures })
}

/// Returns typical and mean time, or `None` if nothing was timed. If `machines` is true, each machine
/// contributes one value, instead of one per process.
pub(crate) fn times(
    processes: &[&Replicate],
    levels: &Levels,
    machines: bool,
) -> Option<(SideEstimate, SideEstimate)> {
    let costs: Vec<&Cost> = processes.iter().map(|process| &process.cost).collect();
    let units: Vec<u32> = processes.iter().map(|process| if machines { process.unit } else { 0 }).collect();
    let totals: Vec<(f64, f64)> =
        by_unit(mean::totals(&costs), &units).into_iter().filter(|total| total.1 > 0.0).collect();
    let mean = SideEstimate::of_totals(&totals, levels)?;
    let known =
        processes.iter().zip(&units).filter_map(|(process, unit)| Some((process.rounds.location()?, *unit)));
    let (logs, units): (Vec<f64>, Vec<u32>) = known.unzip();
    let logs = location::by_group(&logs, &units);
    // If no turn had measurable time, only the total is known.
    if logs.is_empty() {
        return Some((mean, mean));
    }
    let resolution = |process: &&Replicate| process.rounds.resolution(process.clock_step_ns);
    let resolutions: Vec<f64> = processes.iter().map(resolution).collect();
    Some((SideEstimate::of_logs(&logs, location::median(&resolutions), levels), mean))
}

/// Sums the totals of each unit. Returns `totals` unchanged for a single unit, or unless each process has
/// exactly one total.
fn by_unit(totals: Vec<(f64, f64)>, units: &[u32]) -> Vec<(f64, f64)> {
    if totals.len() != units.len() || units.windows(2).all(|two| two[0] == two[1]) {
        return totals;
    }
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (total, unit) in totals.iter().zip(units) {
        let sum = sums.entry(*unit).or_default();
        *sum = (sum.0 + total.0, sum.1 + total.1);
    }
    sums.into_values().collect()
}

fn value(process: &Process, class: Option<SteadyClass>) -> ProcessValue {
    let logs = process.logs();
    ProcessValue {
        process: process.process,
        time_ns: process.location().map_or(0.0, libm::exp),
        turns: process.turns.len() as u32,
        within: if logs.len() > 1 { scale::standard_deviation(logs) } else { 0.0 },
        class: class.map_or("", steady::word).into(),
        measured_ns: process.replicate.cost.wall_ns(),
        first: process.first,
    }
}

fn tukey(turns: &[f64]) -> TukeyCounts {
    let counts = outliers::tukey(turns);
    TukeyCounts {
        low_severe: counts.low_severe as u32,
        low_mild: counts.low_mild as u32,
        high_mild: counts.high_mild as u32,
        high_severe: counts.high_severe as u32,
    }
}
