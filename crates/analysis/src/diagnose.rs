//! Warnings. Each warning has a row in [`DETECTORS`] and a function that examines one case or the run. Its
//! message says what makes the result doubtful, with figures.
//!
//! One cause may trigger several warnings. A row therefore lists the warnings that already explain its own
//! ([`Detector::after`]). The row skips a case if a listed warning about that case decides. If the run has a
//! listed warning, the row reports only cases of unusually high severity.
//!
//! The blamed part of the run ([`Blamed`]) determines which rows a warning marks, and whether it can
//! change a decision.

mod blame;
mod collected;
mod contention;
mod count;
mod counted;
mod detector;
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
mod view;
mod weight;
mod witness;

pub use blame::Blamed;
pub(crate) use blame::{Blame, Rest};
pub use detector::{Detector, Scope};
pub(crate) use found::OfCase;
pub use table::DETECTORS;
pub use view::{CaseView, Detected, RunView};
pub(crate) use weight::mark;

use derny_model::{CaseResult, Records, Settings, VisitRecord, Warning};
use derny_stats::median;
use effect::Effect;

enum Found {
    Run(Option<Detected>),
    Cases(Vec<FoundCase>),
}

struct FoundCase {
    place: usize,
    detected: Detected,
    effect: Option<Effect>,
}

impl FoundCase {
    fn decides(&self) -> bool {
        self.effect.is_none_or(|effect| effect.decides)
    }
}

/// Above this number of visits, run-level detectors get only the turns of a sample of cases.
const MOST_VISITS: usize = 20_000;

/// Runs the case-level detectors. `visits` must be in the default mode. The result includes the times of the
/// turns, which [`OfCase::without_turns`] removes.
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

pub(crate) fn is_part(records: &Records, place: usize) -> bool {
    place.is_multiple_of(records.visits.len().div_ceil(MOST_VISITS).max(1))
}

/// Runs the run-level detectors. Returns all warnings about the run and its cases. `of_cases` corresponds to
/// `results`, with `None` for cases that were not measured.
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

/// Returns true if another warning already explains this one. It must be a deciding warning about the same
/// case, or one about the run. The latter does not explain a severity above `out`.
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

/// Returns the remedy. Quick runs choose their own budget and number of processes. Advice to change these is
/// replaced with advice to omit `--quick`.
fn remedy(detected: &Detected, quick: bool) -> String {
    let planned = ["processes=", "`processes`", "--budget", "precision="];
    match quick && planned.iter().any(|option| detected.remedy.contains(option)) {
        true => "omit --quick".to_owned(),
        false => detected.remedy.clone(),
    }
}

fn usual_half(results: &[&CaseResult], margin: f64) -> f64 {
    let of = |result: &&CaseResult| {
        let figures = result.variants.iter().filter_map(|variant| variant.figure("time"));
        figures.map(|figure| effect::half(&figure.reach(), margin)).reduce(f64::max)
    };
    let all: Vec<f64> = results.iter().filter_map(of).collect();
    if all.is_empty() { 0.0 } else { median(&all) }
}
