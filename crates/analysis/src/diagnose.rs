//! Warnings: each is one row of [`DETECTORS`] and one function. A detector examines one case or the run, and
//! describes in one sentence with figures what makes the result doubtful.
//!
//! If one cause would raise several warnings, a row names the warnings that explain it ([`Detector::after`]).
//! It is then silent for a case with one of those. It is also silent if one was raised for the run, unless
//! the case is an outlier.
//!
//! What a warning blames ([`Blamed`]) decides whether it can change a decision and which rows it marks.

mod blame;
mod collected;
mod contention;
mod count;
mod drift;
mod effect;
mod found;
mod machine;
mod memory;
mod modes;
mod resolution;
mod results;
mod runtime;
mod sample;
mod series;
mod shape;
mod suite;
mod table;
mod untimed;
mod weight;

use derny_estimate::level::Levels;
use derny_model::{
    CaseResult, Machine, ProcessEnd, ProcessStart, Records, Settings, VisitRecord, Warning, words,
};
use derny_stats::median;
use series::TurnSeries;
use std::collections::{BTreeSet, HashMap};

pub use blame::Blamed;
pub(crate) use blame::{Blame, Rest};
use effect::Effect;
pub use table::DETECTORS;
pub(crate) use weight::mark;

/// Input of a detector that examines a case.
pub struct CaseView<'a> {
    /// All records of the run.
    pub records: &'a Records,
    /// Processes by number.
    pub processes: &'a HashMap<u32, &'a ProcessStart>,
    /// Process ends by process number.
    ends: &'a HashMap<u32, &'a ProcessEnd>,
    /// Visits of this case, in the order in which they were opened.
    pub visits: &'a [&'a VisitRecord],
    /// Result of the case.
    pub result: &'a CaseResult,
    series: &'a [TurnSeries],
    levels: &'a Levels,
}

impl CaseView<'_> {
    /// Returns the machine that measured the case; the first if there were several.
    fn machine(&self) -> &Machine {
        let header = &self.records.header;
        let first = self.visits.first().and_then(|record| self.processes.get(&record.visit.process));
        let own = first.and_then(|start| header.machines.get(start.machine? as usize));
        own.unwrap_or(&header.machine)
    }

    /// Returns how each process that visited the case ended.
    pub(crate) fn ends(&self) -> impl Iterator<Item = &ProcessEnd> {
        let processes: BTreeSet<u32> = self.visits.iter().map(|record| record.visit.process).collect();
        processes.into_iter().filter_map(|process| self.ends.get(&process).copied())
    }
}

/// Input of a detector that examines the run.
pub struct RunView<'a> {
    /// All records of the run.
    pub records: &'a Records,
    /// Measured turns of every measured case.
    series: &'a [Vec<TurnSeries>],
}

/// A detector's finding: the predicate of a sentence whose subject is the case (or `this run`), and a remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// Predicate, such as `waited for a processor 31 % of the time`.
    pub message: String,
    /// Remedy, such as `close other programs`.
    pub remedy: String,
    /// Severity, on a linear scale, to choose the worst of many.
    pub severity: f64,
}

/// Detector function and what it examines.
pub enum Scope {
    /// Every measured case separately.
    Case(fn(&CaseView) -> Option<Detected>),
    /// The whole run.
    Run(fn(&RunView) -> Option<Detected>),
}

/// Row of the table of warnings.
pub struct Detector {
    /// Stable code. The first digit is 1 for the machine and 2 for the result.
    pub code: &'static str,
    /// Markdown for `derny explain`. The first line is a title; then follow what it means, why it matters and
    /// what to do.
    pub explain: &'static str,
    /// Codes of warnings that explain this one and suppress it.
    pub after: &'static [&'static str],
    /// Blamed part of the measurement.
    pub blames: Blamed,
    /// Function and scope.
    pub scope: Scope,
}

impl Detector {
    /// Returns a short description of the warning.
    pub fn title(&self) -> &'static str {
        self.explain.split_once('\n').map_or(self.explain, |(title, _)| title).trim_start_matches('#').trim()
    }

    /// Returns the paragraphs below the title.
    pub fn text(&self) -> &'static str {
        self.explain.split_once('\n').map_or("", |(_, text)| text).trim()
    }
}

/// Findings of one detector, for the run or for cases in their order.
enum Found {
    Run(Option<Detected>),
    Cases(Vec<FoundCase>),
}

/// Finding for one case.
struct FoundCase {
    /// Index among the measured cases.
    place: usize,
    detected: Detected,
    /// Effect of the blamed turns, or `None` if the warning blames no turns.
    effect: Option<Effect>,
}

impl FoundCase {
    fn decides(&self) -> bool {
        self.effect.is_none_or(|effect| effect.decides)
    }
}

/// Findings for one case.
pub(crate) struct OfCase {
    series: Vec<TurnSeries>,
    /// Index of the detector in its table, finding and effect, in table order.
    found: Vec<(usize, Detected, Option<Effect>)>,
}

/// Number of visits up to which the whole-run detectors see the turns of all cases. In longer runs they see a
/// sample of the cases.
const MOST_VISITS: usize = 20_000;

/// Runs the detectors of cases for a measured case. `visits` holds visits of the default mode only. Turns are
/// kept with the findings until [`OfCase::without_turns`].
pub(crate) fn of_case(
    records: &Records,
    scope: &crate::scope::Scope<'_>,
    visits: &[&VisitRecord],
    result: &CaseResult,
) -> OfCase {
    let (processes, ends, levels) = (&scope.processes, &scope.ends, scope.levels.planned());
    let series = series::of_case(processes, visits, &result.case);
    let view = CaseView { records, processes, ends, visits, result, series: &series, levels };
    let one = |(at, detector): (usize, &Detector)| {
        let Scope::Case(detect) = detector.scope else { return None };
        let blame = if let Blamed::Turns(blame) = detector.blames { Some(blame) } else { None };
        Some((at, detect(&view)?, blame.map(|blame| effect::effect(&view, blame))))
    };
    let found = DETECTORS.iter().enumerate().filter_map(one).collect();
    OfCase { series, found }
}

/// Returns true if the whole-run detectors see the turns of this case.
pub(crate) fn is_part(records: &Records, place: usize) -> bool {
    place.is_multiple_of(records.visits.len().div_ceil(MOST_VISITS).max(1))
}

/// Runs the detectors of the run and returns the warnings for the run and its cases. `of_cases` is parallel
/// to `results`, with `None` for cases that were not measured.
pub(crate) fn diagnose(
    records: &Records,
    results: &[CaseResult],
    of_cases: Vec<Option<OfCase>>,
) -> Vec<Warning> {
    let measured: Vec<usize> = (0..results.len()).filter(|i| of_cases[*i].is_some()).collect();
    let of_cases: Vec<OfCase> = of_cases.into_iter().flatten().collect();
    let (series, mut by_case): (Vec<_>, Vec<_>) =
        of_cases.into_iter().map(|one| (one.series, one.found)).unzip();
    let run = RunView { records, series: &series };
    let found: Vec<Found> = DETECTORS
        .iter()
        .enumerate()
        .map(|(at, detector)| match detector.scope {
            Scope::Run(detect) => Found::Run(detect(&run)),
            Scope::Case(_) => {
                let own = by_case.iter_mut().enumerate();
                let found = own.filter_map(|(place, found)| {
                    let own = found.iter().position(|(detector, ..)| *detector == at)?;
                    let (_, detected, effect) = found.swap_remove(own);
                    Some(FoundCase { place, detected, effect })
                });
                Found::Cases(found.collect())
            }
        })
        .collect();
    let views: Vec<&CaseResult> = measured.iter().map(|index| &results[*index]).collect();
    let settings = &records.header.settings;
    let mut warnings = Vec::new();
    for (detector, here) in DETECTORS.iter().zip(&found) {
        match here {
            Found::Run(detected) => {
                let detected =
                    detected.as_ref().filter(|_| !explained(detector, None, &found, f64::INFINITY));
                warnings.extend(detected.map(|detected| of_run(detector, detected, &views, settings)));
            }
            Found::Cases(cases) => {
                let severities = cases.iter().map(|own| own.detected.severity).collect();
                let out = weight::out(severities, views.len());
                let left = cases.iter().filter(|own| !explained(detector, Some(own), &found, out));
                let one = |own: &FoundCase| {
                    warning(detector, measured[own.place] as u32, views[own.place], own, settings)
                };
                warnings.extend(left.map(one));
            }
        }
    }
    mark(&mut warnings, measured.len());
    warnings
}

/// Returns true if another warning already explains this one: a deciding one for the case, or one for the run
/// while the case is not an outlier, that is, its severity is at most `out`.
fn explained(detector: &Detector, own: Option<&FoundCase>, found: &[Found], out: f64) -> bool {
    let stands_out = || own.is_some_and(|own| own.detected.severity > out);
    let causes = DETECTORS.iter().zip(found).filter(|(cause, _)| detector.after.contains(&cause.code));
    causes.into_iter().any(|(_, found)| match found {
        Found::Run(detected) => detected.is_some() && !stands_out(),
        Found::Cases(cases) => own.is_some_and(|own| {
            let cause = cases.binary_search_by_key(&own.place, |cause| cause.place);
            cause.is_ok_and(|at| cases[at].decides())
        }),
    })
}

fn of_run(detector: &Detector, detected: &Detected, results: &[&CaseResult], settings: &Settings) -> Warning {
    let usual = || usual_half(results, settings.margin);
    let decides = !matches!(detector.blames, Blamed::Speed) || detected.severity > usual();
    let quick = settings.quick && !results.is_empty();
    Warning {
        code: detector.code.to_owned(),
        case: None,
        message: format!("this run {}", detected.message),
        remedy: remedy(detected, quick),
        class: detector.blames.class(),
        effect: String::new(),
        decides,
        marks: false,
        severity: detected.severity,
    }
}

fn warning(
    detector: &Detector,
    case: u32,
    result: &CaseResult,
    found: &FoundCase,
    settings: &Settings,
) -> Warning {
    let FoundCase { detected, effect, .. } = found;
    Warning {
        code: detector.code.to_owned(),
        case: Some(case),
        message: format!("{} {}", result.case.id.name(), detected.message),
        remedy: remedy(detected, settings.quick),
        class: detector.blames.class(),
        effect: effect.map_or(String::new(), |effect| effect.words()),
        decides: found.decides(),
        marks: false,
        severity: effect.map_or(detected.severity, |effect| effect.severity()),
    }
}

/// Returns the remedy. A quick run chooses its own number of processes and budget, so their options do not
/// apply.
fn remedy(detected: &Detected, quick: bool) -> String {
    let planned = ["--processes", "--budget", "--precision"];
    match quick && planned.iter().any(|option| detected.remedy.contains(option)) {
        true => "omit --quick".to_owned(),
        false => detected.remedy.clone(),
    }
}

/// Returns the median over all rows of the relative half-width of typical time's interval.
fn usual_half(results: &[&CaseResult], margin: f64) -> f64 {
    let of = |result: &&CaseResult| {
        let figures = result.variants.iter().filter_map(|variant| variant.figure("time"));
        figures.map(|figure| effect::half(&figure.reach(), margin)).reduce(f64::max)
    };
    let all: Vec<f64> = results.iter().filter_map(of).collect();
    if all.is_empty() { 0.0 } else { median(&all) }
}

/// Formats the size of a share, such as `3.1 %`.
fn percent(share: f64) -> String {
    words::percent(share.abs())
}
