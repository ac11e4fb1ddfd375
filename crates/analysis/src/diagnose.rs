//! Warnings: one row of [`DETECTORS`] and one function each. A detector looks at one case, or at the run, and says
//! in one sentence with figures what makes the result doubtful.
//!
//! Where one cause would raise several warnings, the row of a warning names those that explain it ([`Detector::after`]):
//! it is silent where one of them was found for the same case. Where one was found for the run it is silent too, unless the case stands out.
//!
//! What a warning blames ([`Blamed`]) says whether it can change a decision, and which rows it marks.

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

/// What a detector sees of a case.
pub struct CaseView<'a> {
    /// The whole run.
    pub records: &'a Records,
    /// Processes by number.
    pub processes: &'a HashMap<u32, &'a ProcessStart>,
    /// How they ended.
    ends: &'a HashMap<u32, &'a ProcessEnd>,
    /// The visits of this case in the order in which they were opened.
    pub visits: &'a [&'a VisitRecord],
    /// What was concluded.
    pub result: &'a CaseResult,
    series: &'a [TurnSeries],
    levels: &'a Levels,
}

impl CaseView<'_> {
    /// The machine that it was measured on; of several the first.
    fn machine(&self) -> &Machine {
        let header = &self.records.header;
        let first = self.visits.first().and_then(|record| self.processes.get(&record.visit.process));
        let own = first.and_then(|start| header.machines.get(start.machine? as usize));
        own.unwrap_or(&header.machine)
    }

    /// How the processes of its visits ended, each once.
    pub(crate) fn ends(&self) -> impl Iterator<Item = &ProcessEnd> {
        let processes: BTreeSet<u32> = self.visits.iter().map(|record| record.visit.process).collect();
        processes.into_iter().filter_map(|process| self.ends.get(&process).copied())
    }
}

/// What a detector sees of the run.
pub struct RunView<'a> {
    /// The whole run.
    pub records: &'a Records,
    /// The measured turns of every measured case.
    series: &'a [Vec<TurnSeries>],
}

/// Something found: the predicate of a sentence whose subject is the case (or `this run`), and its remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Detected {
    /// `waited for a processor 31 % of the time`.
    pub message: String,
    /// `close other programs`.
    pub remedy: String,
    /// How bad it is, to name the worst of many: twice as much is twice as bad.
    pub severity: f64,
}

/// What a detector looks at.
pub enum Scope {
    /// Every measured case by itself.
    Case(fn(&CaseView) -> Option<Detected>),
    /// The run as a whole.
    Run(fn(&RunView) -> Option<Detected>),
}

/// One row of the table of warnings.
pub struct Detector {
    /// Stable code. The first digit: 1 the machine, 2 the result.
    pub code: &'static str,
    /// Markdown for `derny explain`: a title in the first line, then what it means, why it matters and what to do.
    pub explain: &'static str,
    /// Codes that explain this one: it is not said where one of them was found.
    pub after: &'static [&'static str],
    /// What it blames.
    pub blames: Blamed,
    /// Its function.
    pub scope: Scope,
}

impl Detector {
    /// What it means in a few words.
    pub fn title(&self) -> &'static str {
        self.explain.split_once('\n').map_or(self.explain, |(title, _)| title).trim_start_matches('#').trim()
    }

    /// The paragraphs below the title.
    pub fn text(&self) -> &'static str {
        self.explain.split_once('\n').map_or("", |(_, text)| text).trim()
    }
}

/// What one detector found: for the run, or for cases in their order.
enum Found {
    Run(Option<Detected>),
    Cases(Vec<FoundCase>),
}

/// What was found for a case.
struct FoundCase {
    /// Its place among the measured cases.
    place: usize,
    detected: Detected,
    /// What the turns that are blamed do; none where none are.
    effect: Option<Effect>,
}

impl FoundCase {
    fn decides(&self) -> bool {
        self.effect.is_none_or(|effect| effect.decides)
    }
}

/// What was found for a case by itself.
pub(crate) struct OfCase {
    series: Vec<TurnSeries>,
    /// With the places of the detectors in their table, in its order.
    found: Vec<(usize, Detected, Option<Effect>)>,
}

/// Visits of a run of which the turns are looked at over the whole run. Of longer runs those of a part of the cases are.
const MOST_VISITS: usize = 20_000;

/// Runs the detectors of cases for a case that was measured. Its visits are those of the first way of measuring. Turns stay with what was
/// found until it is left without them.
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

/// Whether the turns of the case at this place are looked at over the whole run.
pub(crate) fn is_part(records: &Records, place: usize) -> bool {
    place.is_multiple_of(records.visits.len().div_ceil(MOST_VISITS).max(1))
}

/// Runs the detectors of the run, and tells what was found for it and for its cases. `of_cases` is parallel to the results, and none for
/// those that were not measured.
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

/// Whether something that decides was found for the case and says the same and more; or for the run, and the case is no worse than most
/// are then: above a severity of `out` it would be.
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

/// What to try. A quick run plans its own few processes and its own budget.
fn remedy(detected: &Detected, quick: bool) -> String {
    let planned = ["--processes", "--budget", "--precision"];
    match quick && planned.iter().any(|option| detected.remedy.contains(option)) {
        true => "leave --quick away".to_owned(),
        false => detected.remedy.clone(),
    }
}

/// The median over all rows of half of the interval of typical time, as a share.
fn usual_half(results: &[&CaseResult], margin: f64) -> f64 {
    let of = |result: &&CaseResult| {
        let figures = result.variants.iter().filter_map(|variant| variant.figure("time"));
        figures.map(|figure| effect::half(&figure.reach(), margin)).reduce(f64::max)
    };
    let all: Vec<f64> = results.iter().filter_map(of).collect();
    if all.is_empty() { 0.0 } else { median(&all) }
}

/// The size of a share: `3.1 %`.
fn percent(share: f64) -> String {
    words::percent(share.abs())
}
