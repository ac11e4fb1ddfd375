//! Warnings: one row of [`DETECTORS`] and one function each. A detector looks at one case, or at the run, and says
//! in one sentence with figures what makes the result doubtful.
//!
//! Where one cause would raise several warnings, the row of a warning names those that explain it ([`Detector::after`]):
//! it is silent where one of them was found, for the same case or for the run.

mod collected;
mod contention;
mod drift;
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

use crate::parallel;
use derny_model::{CaseResult, ProcessStart, Records, VisitRecord, Warning, words};
use series::TurnSeries;
use std::collections::HashMap;

pub use table::DETECTORS;

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
    /// How bad it is, to name the worst of many; any scale.
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

/// What one detector found: for the run, or by place among the results.
enum Found {
    Run(Option<Detected>),
    Cases(Vec<(usize, Detected)>),
}

/// Runs every detector. `order` holds the index into the records of each result.
pub(crate) fn diagnose(
    records: &Records,
    processes: &HashMap<u32, &ProcessStart>,
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
    });
    let views: Vec<CaseView> = views.collect();
    let found: Vec<Found> = DETECTORS
        .iter()
        .map(|detector| match detector.scope {
            Scope::Run(detect) => Found::Run(detect(&run)),
            Scope::Case(detect) => {
                let found = parallel::map(views.len(), |at| Some((measured[at], detect(&views[at])?)));
                Found::Cases(found.into_iter().flatten().collect())
            }
        })
        .collect();
    let mut warnings = Vec::new();
    for (detector, here) in DETECTORS.iter().zip(&found) {
        match here {
            Found::Run(detected) => {
                let detected = detected.as_ref().filter(|_| !explained(detector, None, &found));
                warnings.extend(detected.map(|detected| warning(detector.code, None, "this run", detected)));
            }
            Found::Cases(cases) => {
                let left: Vec<&(usize, Detected)> =
                    cases.iter().filter(|(index, _)| !explained(detector, Some(*index), &found)).collect();
                warnings.extend(gather(detector.code, &left, measured.len(), results));
            }
        }
    }
    warnings
}

/// Whether something that was found for the case, or for the run, says the same and more.
fn explained(detector: &Detector, case: Option<usize>, found: &[Found]) -> bool {
    let causes = DETECTORS.iter().zip(found).filter(|(cause, _)| detector.after.contains(&cause.code));
    causes.into_iter().any(|(_, found)| match found {
        Found::Run(detected) => detected.is_some(),
        Found::Cases(cases) => {
            case.is_some_and(|case| cases.binary_search_by_key(&case, |(index, _)| *index).is_ok())
        }
    })
}

/// One warning per case; but what concerns every case of several concerns the run, and is said once.
fn gather(code: &str, found: &[&(usize, Detected)], measured: usize, results: &[CaseResult]) -> Vec<Warning> {
    let name = |index: usize| results[index].case.id.name();
    if found.len() < 3 || found.len() < measured {
        let single = |(index, detected): &&(usize, Detected)| {
            warning(code, Some(*index as u32), &name(*index), detected)
        };
        return found.iter().map(single).collect();
    }
    let alike = found.iter().all(|(_, detected)| detected.severity == found[0].1.severity);
    let worst = found.iter().max_by(|a, b| a.1.severity.total_cmp(&b.1.severity));
    let gathered = worst.map(|(index, detected)| {
        let subject = if alike {
            format!("each of the {measured} cases")
        } else {
            format!("{}, the worst of all {measured} cases,", name(*index))
        };
        warning(code, None, &subject, detected)
    });
    gathered.into_iter().collect()
}

fn warning(code: &str, case: Option<u32>, subject: &str, detected: &Detected) -> Warning {
    Warning {
        code: code.to_owned(),
        case,
        message: format!("{subject} {}", detected.message),
        remedy: detected.remedy.clone(),
    }
}

/// The size of a share: `3.1 %`.
fn percent(share: f64) -> String {
    words::percent(share.abs())
}
