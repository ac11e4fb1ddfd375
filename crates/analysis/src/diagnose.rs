//! Doubts: one row of [`DETECTORS`] and one function each. A detector looks at one case, or at the run, and says
//! in one sentence with figures what makes the result doubtful.

mod contention;
mod resolution;
mod sample;

use derny_model::{CaseResult, ProcessStart, Records, VisitRecord, Warning};
use std::collections::HashMap;

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
    /// What it means, why it matters and what to do, for `derny explain`.
    pub explain: &'static str,
    /// Its function.
    pub scope: Scope,
}

/// All detectors. The first digit of a code: 1 the machine, 2 the result.
pub const DETECTORS: &[Detector] = &[
    Detector {
        code: "DY101",
        title: "something else was running",
        explain: "While the run went on, other programs used processors that the measurement needed, tasks queued \
            for a processor, or the hypervisor gave processor time away. Short turns mostly slip through a queue, \
            and the typical time resists what hits only some turns; but caches, memory bandwidth and clock speed \
            are shared with whatever runs beside, and that moves every turn. Stop other programs, or measure on a \
            machine of your own. A comparison of variants within one run cancels most of it; a comparison with \
            another day's run does not.",
        scope: Scope::Run(contention::machine),
    },
    Detector {
        code: "DY102",
        title: "the measuring thread waited for a processor",
        explain: "The measuring thread was ready to run but had to wait for a processor in more than 5 % of the \
            measured time, or was preempted in more than 5 % of its turns. The wait is inside the timed region. \
            Compare the processor time (`derny show --case`) with the typical time: where the two differ, the \
            difference is waiting. Stop other programs, or leave processors free with --pin.",
        scope: Scope::Case(contention::case),
    },
    Detector {
        code: "DY201",
        title: "too few processes",
        explain: "The process is what is repeated: batches of one process share its memory layout, its compiled \
            code and its luck. With fewer than 6 processes the exact interval for ranks does not exist at 95 %, and \
            Student's, which assumes normal values, stands in for it; with one there is none at all. Raise \
            --processes or --budget, or leave --quick away.",
        scope: Scope::Case(sample::too_few),
    },
    Detector {
        code: "DY202",
        title: "indistinguishable from an empty body",
        explain: "The body costs no more than an empty one in the same loop: less than half a nanosecond above it, \
            or less than the empty loop itself varies. Most often the compiler saw that the result is not used, or \
            computed it once for all. Return the result, and take inputs that the compiler cannot know. The cost of \
            the loop is never subtracted: it overlaps with the body's, and a difference would be wrong.",
        scope: Scope::Case(resolution::empty),
    },
    Detector {
        code: "DY203",
        title: "clock too coarse for the batch",
        explain: "A batch lasts fewer than 500 steps of the clock, so that a single batch is rounded by more than \
            0.2 %. Turns are then summarised by their midmean, which averages the rounding out, but quantiles of \
            batches show the clock more than the code. Raise --batch-time, lift a limit of iterations per batch, or \
            let one iteration do more work.",
        scope: Scope::Case(resolution::clock),
    },
    Detector {
        code: "DY205",
        title: "memory grew while measuring",
        explain: "Between the first measured turn and the last, the resident memory of the measuring process grew \
            by more than a quarter and 16 MB. The harness keeps nothing per batch, so it is the body, or a heap \
            that had not found its size yet. Collections get longer and caches colder as a heap grows: what is \
            measured changes while it is measured. Look for what the body keeps.",
        scope: Scope::Case(sample::memory),
    },
];

/// Runs every detector. `order` holds the index into the records of each result.
pub(crate) fn diagnose(
    records: &Records,
    processes: &HashMap<u32, &ProcessStart>,
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
                        Some((
                            index,
                            detect(&CaseView { records, processes, visits, result: &results[index] })?,
                        ))
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
    let name = |index: usize| results[index].case.id.name();
    if found.len() < 3 || found.len() < measured {
        let single = |(index, finding)| warning(code, Some(index as u32), &name(index), finding);
        return found.into_iter().map(single).collect();
    }
    let alike = found.iter().all(|(_, finding)| finding.severity == found[0].1.severity);
    let worst = found.into_iter().max_by(|a, b| a.1.severity.total_cmp(&b.1.severity));
    let gathered = worst.map(|(index, finding)| {
        let subject = if alike {
            format!("each of the {measured} cases")
        } else {
            format!("{}, the worst of all {measured} cases,", name(index))
        };
        warning(code, None, &subject, finding)
    });
    gathered.into_iter().collect()
}

fn warning(code: &str, case: Option<u32>, subject: &str, finding: Finding) -> Warning {
    Warning {
        code: code.to_owned(),
        case,
        message: format!("{subject} {}", finding.message),
        remedy: finding.remedy,
    }
}
