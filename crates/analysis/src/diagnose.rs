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
mod drift;
mod effect;
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
mod weight;

use crate::parallel;
use derny_estimate::level::Levels;
use derny_model::{CaseResult, ProcessStart, Records, VisitRecord, Warning, words};
use derny_stats::median;
use series::TurnSeries;
use std::collections::HashMap;

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
    /// The visits of this case in the order in which they were opened.
    pub visits: &'a [&'a VisitRecord],
    /// What was concluded.
    pub result: &'a CaseResult,
    series: &'a [TurnSeries],
    levels: &'a Levels,
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

/// Runs every detector. `order` holds the index into the records of each result.
pub(crate) fn diagnose(
    records: &Records,
    processes: &HashMap<u32, &ProcessStart>,
    levels: &Levels,
    visits: &[Vec<&VisitRecord>],
    results: &[CaseResult],
    order: &[u32],
) -> Vec<Warning> {
    let measured: Vec<usize> = (0..results.len()).filter(|i| !results[*i].variants.is_empty()).collect();
    let series: Vec<Vec<TurnSeries>> = parallel::map(measured.len(), |at| {
        let index = measured[at];
        series::of_case(processes, &visits[order[index] as usize], &results[index].case)
    });
    let run = RunView { records, series: &series };
    let views = measured.iter().zip(&series).map(|(&index, series)| CaseView {
        records,
        processes,
        visits: &visits[order[index] as usize],
        result: &results[index],
        series,
        levels,
    });
    let views: Vec<CaseView> = views.collect();
    let one = |detector: &Detector, place: usize, detected: Option<Detected>| {
        let blame = if let Blamed::Turns(blame) = detector.blames { Some(blame) } else { None };
        let detected = detected?;
        let effect = blame.map(|blame| effect::effect(&views[place], blame));
        Some(FoundCase { place, detected, effect })
    };
    let found: Vec<Found> = DETECTORS
        .iter()
        .map(|detector| match detector.scope {
            Scope::Run(detect) => Found::Run(detect(&run)),
            Scope::Case(detect) => {
                let found = parallel::map(views.len(), |at| one(detector, at, detect(&views[at])));
                Found::Cases(found.into_iter().flatten().collect())
            }
        })
        .collect();
    let mut warnings = Vec::new();
    for (detector, here) in DETECTORS.iter().zip(&found) {
        match here {
            Found::Run(detected) => {
                let detected = detected.as_ref().filter(|_| !explained(detector, None, &found, &[], 0));
                warnings.extend(detected.map(|detected| of_run(detector, detected, &views)));
            }
            Found::Cases(cases) => {
                let severities: Vec<f64> = cases.iter().map(|own| own.detected.severity).collect();
                let left = cases
                    .iter()
                    .filter(|own| !explained(detector, Some(own), &found, &severities, views.len()));
                let one =
                    |own: &FoundCase| of_case(detector, measured[own.place] as u32, &views[own.place], own);
                warnings.extend(left.map(one));
            }
        }
    }
    mark(&mut warnings, measured.len());
    warnings
}

/// Whether something that decides was found for the case and says the same and more; or for the run, and the case is no worse than most
/// of so many `rows` are then. `severities` are those of all cases of which the same was found.
fn explained(
    detector: &Detector,
    own: Option<&FoundCase>,
    found: &[Found],
    severities: &[f64],
    rows: usize,
) -> bool {
    let stands_out = || own.is_some_and(|own| weight::stands_out(own.detected.severity, severities, rows));
    let causes = DETECTORS.iter().zip(found).filter(|(cause, _)| detector.after.contains(&cause.code));
    causes.into_iter().any(|(_, found)| match found {
        Found::Run(detected) => detected.is_some() && !stands_out(),
        Found::Cases(cases) => own.is_some_and(|own| {
            let cause = cases.binary_search_by_key(&own.place, |cause| cause.place);
            cause.is_ok_and(|at| cases[at].decides())
        }),
    })
}

fn of_run(detector: &Detector, detected: &Detected, views: &[CaseView]) -> Warning {
    let decides = !matches!(detector.blames, Blamed::Speed) || detected.severity > usual_half(views);
    let quick = views.iter().any(|view| view.records.header.settings.quick);
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

fn of_case(detector: &Detector, case: u32, view: &CaseView, found: &FoundCase) -> Warning {
    let FoundCase { detected, effect, .. } = found;
    Warning {
        code: detector.code.to_owned(),
        case: Some(case),
        message: format!("{} {}", view.result.case.id.name(), detected.message),
        remedy: remedy(detected, view.records.header.settings.quick),
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
fn usual_half(views: &[CaseView]) -> f64 {
    let of = |view: &CaseView| {
        let margin = view.records.header.settings.margin;
        let figures = view.result.variants.iter().filter_map(|variant| variant.figure("time"));
        figures.map(|figure| effect::half(&figure.reach(), margin)).reduce(f64::max)
    };
    let all: Vec<f64> = views.iter().filter_map(of).collect();
    if all.is_empty() { 0.0 } else { median(&all) }
}

/// The size of a share: `3.1 %`.
fn percent(share: f64) -> String {
    words::percent(share.abs())
}
