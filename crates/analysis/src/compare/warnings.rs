//! Limits of a comparison, and warnings about its runs.

use super::again::Again;
use super::apart;
use super::input::Input;
use crate::diagnose::{Blamed, DETECTORS, mark};
use derny_estimate::level;
use derny_model::words::counted;
use derny_model::{
    CaseId, ComparedCase, Document, Failure, MachineChange, Pairing, Quantity, Warning, WarningClass,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Code layout alone can change the time of an unchanged function by this share.
const LAYOUT: f64 = 0.05;

fn documents<'a>(inputs: &'a [Input]) -> Vec<&'a Document> {
    let mut seen = HashSet::new();
    inputs.iter().map(|input| input.document).filter(|document| seen.insert(&document.run.id)).collect()
}

pub(crate) fn failures(inputs: &[Input]) -> Vec<Failure> {
    documents(inputs).iter().flat_map(|document| document.failures.iter().cloned()).collect()
}

/// Returns the warnings about the compared cases, plus a warning about too few pairs. In a paired comparison,
/// a warning about turns decides if the change differs without them. Between runs, it decides if it decided
/// in its own run.
pub(crate) fn warnings(
    inputs: &[Input],
    pairing: Pairing,
    compared: &[ComparedCase],
    again: &Again,
) -> Vec<Warning> {
    let places: HashMap<&CaseId, u32> = (0..).zip(compared).map(|(at, case)| (&case.case.id, at)).collect();
    let mut all: Vec<Warning> = Vec::new();
    for document in documents(inputs) {
        let cases: Vec<&CaseId> = document.cases().map(|case| &case.case.id).collect();
        for warning in &document.warnings {
            let case = match warning.case {
                None => None,
                Some(index) => match cases.get(index as usize).and_then(|id| places.get(id)) {
                    Some(place) => Some(*place),
                    None => continue,
                },
            };
            let warning = Warning { case, ..warning.clone() };
            if !all.contains(&warning) {
                all.push(warning);
            }
        }
    }
    if pairing == Pairing::Paired {
        reconsider(&mut all, again);
    }
    all.extend(too_few(inputs, pairing, compared, &all));
    mark(&mut all, compared.len());
    all
}

/// Recomputes the changes without blamed turns, once per warning code, and updates which warnings decide. The
/// speed of a run affects both sides equally, so a warning about it never decides.
fn reconsider(all: &mut [Warning], again: &Again) {
    for detector in DETECTORS {
        let of_code = |warning: &Warning| warning.code == detector.code;
        let blame = match detector.blames {
            Blamed::Turns(blame) => blame,
            Blamed::Speed => {
                all.iter_mut().filter(|warning| of_code(warning)).for_each(|own| own.decides = false);
                continue;
            }
            Blamed::Meaning | Blamed::Design => continue,
        };
        let places: Vec<u32> =
            all.iter().filter(|warning| of_code(warning)).filter_map(|warning| warning.case).collect();
        if places.is_empty() {
            continue;
        }
        let effects = again.effects(blame, &places);
        let meant = all.iter_mut().filter(|warning| of_code(warning) && warning.case.is_some());
        for (warning, effect) in meant.zip(effects) {
            (warning.decides, warning.severity, warning.effect) =
                (effect.decides, effect.severity, effect.words);
        }
    }
}

/// Warns about too few pairs. There may be fewer pairs than processes on either side.
fn too_few(inputs: &[Input], pairing: Pairing, compared: &[ComparedCase], known: &[Warning]) -> Vec<Warning> {
    if pairing == Pairing::Unpaired {
        return Vec::new();
    }
    let settings = || inputs.iter().map(|input| &input.document.run.settings);
    let quick = settings().any(|settings| settings.quick);
    let enough = settings().map(|settings| level::enough(settings, 2) as u32).max().unwrap_or(0);
    let few = (0..).zip(compared).filter_map(|(at, case): (u32, _)| {
        let typical =
            case.sides.iter().flat_map(|side| &side.changes).filter(|c| c.quantity == Quantity::Typical);
        let pairs = typical.map(|change| change.replicates).min().filter(|pairs| *pairs < enough)?;
        let told = known.iter().any(|warning| warning.case == Some(at) && warning.code == "DY201");
        (!told).then(|| Warning {
            code: "DY201".to_owned(),
            case: Some(at),
            message: format!(
                "{} is based on {}: {}",
                case.case.id,
                counted(pairs as usize, "pair", "pairs"),
                if pairs < 3 {
                    "too few for an interval"
                } else {
                    "the interval assumes a normal \
                    distribution"
                }
            ),
            remedy: match quick {
                true => "omit --quick".to_owned(),
                false => format!("use --set processes={enough} or more, or a larger --budget"),
            },
            class: WarningClass::Design,
            effect: String::new(),
            decides: true,
            marks: true,
            severity: f64::from(enough - pairs),
        })
    });
    few.collect()
}

/// Returns notes on questions that these measurements cannot answer. `machine` contains the yardstick changes
/// of unpaired sides.
pub(crate) fn unknown(
    inputs: &[Input],
    pairing: Pairing,
    compared: &[ComparedCase],
    machine: &[MachineChange],
) -> Vec<String> {
    let mut all = Vec::new();
    if pairing == Pairing::Unpaired {
        all.extend(apart::sentences(inputs, compared, machine));
    }
    all.extend((1..inputs.len()).filter_map(|side| layout(inputs, compared, side)));
    all
}

fn layout(inputs: &[Input], compared: &[ComparedCase], side: usize) -> Option<String> {
    let (base, new) = (binaries(&inputs[0]), binaries(&inputs[side]));
    let sampled = |input: &Input| input.document.run.settings.builds > 1;
    if base.is_empty() || new.is_empty() || base == new || (sampled(&inputs[0]) && sampled(&inputs[side])) {
        return None;
    }
    let small = compared.iter().flat_map(|case| &case.sides).any(|own| {
        let typical = own.changes.iter().find(|change| change.quantity == Quantity::Typical);
        let change = typical.and_then(|change| change.change);
        own.side as usize == side && change.is_some_and(|change| change.value.abs() < LAYOUT)
    });
    small.then(|| {
        format!(
            "Code layout was not sampled: {} and {} are different binaries, and layout alone can change \
                times by 5 % or more. Sample it with `--set builds=N`.",
            inputs[0].name, inputs[side].name
        )
    })
}

fn binaries<'a>(input: &'a Input) -> BTreeSet<&'a str> {
    let processes = input.records.map(|records| records.processes.iter());
    let own = processes.into_iter().flatten().filter(|process| process.variant == input.variant);
    own.filter_map(|process| process.binary.as_deref()).collect()
}
