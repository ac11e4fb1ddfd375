//! Doubts: one row of [`DETECTORS`] and one function each. A detector looks at one case, or at the run, and says
//! in one sentence with figures what makes the result doubtful.

mod contention;
mod resolution;
mod sample;

use derny_model::{CaseResult, Records, VisitRecord, Warning};

/// What a detector sees of a case.
pub struct CaseView<'a> {
    /// The whole run.
    pub records: &'a Records,
    /// The visits of this case in the order in which they were opened.
    pub visits: &'a [&'a VisitRecord],
    /// What was concluded.
    pub result: &'a CaseResult,
}

/// Something found: the predicate of a sentence whose subject is the case (or `this run`), and its remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
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
    Case(fn(&CaseView) -> Option<Finding>),
    /// The run as a whole.
    Run(fn(&Records) -> Option<Finding>),
}

/// One row of the table of doubts.
pub struct Detector {
    /// Stable code.
    pub code: &'static str,
    /// What it means in a few words.
    pub title: &'static str,
    /// Its function.
    pub scope: Scope,
}

/// All detectors. The first digit of a code: 1 the machine, 2 the result.
pub const DETECTORS: &[Detector] = &[
    Detector { code: "DY101", title: "something else was running", scope: Scope::Run(contention::machine) },
    Detector {
        code: "DY102",
        title: "the measuring thread waited for a processor",
        scope: Scope::Case(contention::case),
    },
    Detector { code: "DY201", title: "too few processes", scope: Scope::Case(sample::too_few) },
    Detector {
        code: "DY202",
        title: "indistinguishable from an empty body",
        scope: Scope::Case(resolution::empty),
    },
    Detector {
        code: "DY203",
        title: "clock too coarse for the batch",
        scope: Scope::Case(resolution::clock),
    },
    Detector { code: "DY205", title: "memory grew while measuring", scope: Scope::Case(sample::memory) },
];

/// Runs every detector. `order` holds the index into the records of each result.
pub(crate) fn diagnose(
    records: &Records,
    visits: &[Vec<&VisitRecord>],
    results: &[CaseResult],
    order: &[u32],
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for detector in DETECTORS {
        match detector.scope {
            Scope::Run(detect) => {
                if let Some(found) = detect(records) {
                    warnings.push(warning(detector.code, None, "this run", found));
                }
            }
            Scope::Case(detect) => {
                let measured: Vec<usize> =
                    (0..results.len()).filter(|i| !results[*i].variants.is_empty()).collect();
                let found: Vec<(usize, Finding)> = measured
                    .iter()
                    .filter_map(|&index| {
                        let visits = &visits[order[index] as usize];
                        Some((index, detect(&CaseView { records, visits, result: &results[index] })?))
                    })
                    .collect();
                warnings.extend(gather(detector.code, found, measured.len(), results));
            }
        }
    }
    warnings
}

/// One warning per case; but what concerns every case of several concerns the run, and is said once.
fn gather(code: &str, found: Vec<(usize, Finding)>, measured: usize, results: &[CaseResult]) -> Vec<Warning> {
    if found.len() > 2 && found.len() == measured {
        let worst = found.into_iter().max_by(|a, b| a.1.severity.total_cmp(&b.1.severity));
        return worst
            .map(|(index, finding)| {
                let subject = format!("all {measured} cases, {} most:", results[index].case.id.name());
                warning(code, None, &subject, finding)
            })
            .into_iter()
            .collect();
    }
    found
        .into_iter()
        .map(|(index, finding)| warning(code, Some(index as u32), &results[index].case.id.name(), finding))
        .collect()
}

fn warning(code: &str, case: Option<u32>, subject: &str, finding: Finding) -> Warning {
    Warning {
        code: code.to_owned(),
        case,
        message: format!("{subject} {}", finding.message),
        remedy: finding.remedy,
    }
}
