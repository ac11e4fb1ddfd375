//! Compares the same cases on two or more sides, from one run or several.
//!
//! 1. [`View`] indexes the cases of a side.
//! 2. [`case`] compares each case.
//! 3. [`Families`] correct for the number of comparisons, and each side gets its verdict.
//! 4. [`warnings`] and notes state the limits of the result.
//!
//! Within a run, the processes of a block alternate turn by turn. Comparing their rounds pair by pair
//! cancels drift and load, so the pair is the replicate. Between runs nothing cancels. Yardsticks and history
//! then limit the change that the machine may explain.

mod again;
mod apart;
mod case;
mod context;
mod history;
mod input;
mod machine;
mod machines;
mod mean;
pub(crate) mod measured;
mod setting;
mod settle;
mod unmeasured;
mod view;
mod warnings;

pub use input::{Input, Options};

use crate::digest::Digests;
use crate::parallel;
use crate::same;
use again::Again;
use case::Compared;
use derny_estimate::change::Terms;
use derny_estimate::family::Member;
use derny_estimate::judge::Families;
use derny_model::{
    Against, CaseId, CaseOutcome, ComparedCase, Comparison, Control, Pairing, Quantity, SameCode, Side,
    Unmeasured, Verdict, Word,
};
use input::{apart, variant_name};
use setting::setting;
use std::collections::HashSet;
use view::View;

/// Compares every side with the first. The comparison is paired if all sides are variants of one run with
/// records. `inputs` must not be empty. A case is compared if the base and at least one other side have it.
pub fn compare(inputs: &[Input], options: &Options) -> Comparison {
    compare_by(inputs, options, None)
}

/// Compares the sides of one run. Uses `digests` instead of turns where possible.
pub fn compare_by(inputs: &[Input], options: &Options, digests: Option<&dyn Digests>) -> Comparison {
    let views: Vec<View> = inputs.iter().map(|input| View::new(input, digests)).collect();
    let base = &views[0];
    let one_run =
        inputs.iter().all(|i| i.records.is_some() && i.document.run.id == base.input.document.run.id);
    let pairing = if one_run { Pairing::Paired } else { Pairing::Unpaired };
    let shared: Vec<&CaseId> = base
        .order
        .iter()
        .copied()
        .filter(|id| views[1..].iter().any(|view| view.results.contains_key(id)))
        .collect();
    let sides: Vec<Side> = inputs.iter().enumerate().map(side).collect();
    // Without p-values, unpaired runs have no family.
    let family = if pairing == Pairing::Paired { comparisons(base, &shared, &sides) } else { 0 };
    let setting = setting(inputs, options, pairing, family);
    let compared = parallel::map(shared.len(), |index| case::compare(&views, shared[index], &setting, None));
    let compared: Vec<Compared> = compared.into_iter().flatten().collect();
    let geometric_means = mean::means(&compared, &setting);
    let fleet = machines::machines(&compared, &base.input.document.run.machines, &sides);
    let members: Vec<Vec<Member>> = compared.iter().map(|one| one.members(&sides)).collect();
    let (cases, family) = together(compared, &members, &sides, &setting.terms);
    let again = Again { views: &views, setting: &setting, sides: &sides, members: &members, cases: &cases };
    let warnings = warnings::warnings(inputs, pairing, &cases, &again);
    let machine = machine::changes(inputs, pairing, &cases);
    let unmeasured = unmeasured::unmeasured(&views, &sides);
    let mut comparison = Comparison {
        format: Comparison::FORMAT,
        control: control(&cases, &sides),
        geometric_means,
        sides,
        pairing,
        against: against(inputs, pairing),
        margin: options.margin,
        mean_margin: setting.terms.mean_margin,
        confidence: options.confidence,
        metrics: options.metrics.iter().map(Word::from).collect(),
        apart_ms: apart(inputs),
        same: same_code(inputs, pairing),
        context: context::differences(inputs, pairing),
        alone: alone(&views, &shared, &unmeasured),
        failures: warnings::failures(inputs),
        warnings,
        unknown: [warnings::unknown(inputs, pairing, &cases, &machine), machines::unknown(&fleet, &cases)]
            .concat(),
        settle: settle::settle(&inputs[0], pairing, &cases),
        machines: fleet,
        machine,
        cases,
        unmeasured,
        family,
    };
    derny_estimate::gate::mark(&mut comparison, options.metrics);
    comparison
}

fn same_code(inputs: &[Input], pairing: Pairing) -> Vec<SameCode> {
    if pairing != Pairing::Paired {
        return Vec::new();
    }
    let run = &inputs[0].document.run;
    let of = |side: u32| same::variants(run, inputs[0].variant, inputs[side as usize].variant);
    let sides = 1..inputs.len() as u32;
    sides.filter_map(|side| Some(SameCode { side, how: of(side)? })).collect()
}

/// Returns the number of timed cases multiplied by the number of compared sides, without controls. All cases
/// of the run count, even if only some are shown. A case without complete visits counts as timed.
fn comparisons(base: &View, shared: &[&CaseId], sides: &[Side]) -> usize {
    let judged = sides.iter().skip(1).filter(|side| !side.control).count();
    let cases = match base.input.records {
        Some(records) => {
            // For each case: whether it has complete visits, and whether one of them has times.
            let mut seen = vec![(false, false); records.cases.len()];
            for record in
                records.visits.iter().filter(|record| record.complete && record.visit.mode.is_none())
            {
                if let Some((complete, timed)) = seen.get_mut(record.visit.case as usize) {
                    *complete = true;
                    *timed |= record.turns.facts().timed;
                }
            }
            seen.into_iter().filter(|(complete, timed)| !complete || *timed).count()
        }
        None => shared.len(),
    };
    judged * cases
}

/// Corrects all comparisons together. Returns the cases, and the size of the family.
fn together(
    compared: Vec<Compared>,
    members: &[Vec<Member>],
    sides: &[Side],
    terms: &Terms,
) -> (Vec<ComparedCase>, u32) {
    let families = Families::of(&members.concat(), terms);
    let mut from = 0;
    let one = |(compared, members): (Compared, &Vec<Member>)| {
        let (case, times) = (compared.case.clone(), compared.times.clone());
        let judged = compared.judged(from, sides, &families, terms);
        from += members.len();
        ComparedCase { case, times, sides: judged }
    };
    (compared.into_iter().zip(members).map(one).collect(), families.size)
}

fn against(inputs: &[Input], pairing: Pairing) -> Option<Against> {
    let base = &inputs[0];
    let run = &base.document.run;
    let again = run.variants.get(base.variant as usize).and_then(|variant| variant.again.as_ref());
    match (pairing, again) {
        (Pairing::Paired, None) => None,
        (Pairing::Paired, Some(again)) => Some(Against {
            run: again.run.clone(),
            started_ms: again.started_ms,
            commit: again.commit.clone(),
            again: Some(again.from),
            why_stored: None,
        }),
        (Pairing::Unpaired, _) if inputs.iter().all(|other| other.document.run.id == run.id) => None,
        (Pairing::Unpaired, _) => Some(Against {
            run: run.id.clone(),
            started_ms: run.started_ms,
            commit: run.commit.clone(),
            again: None,
            why_stored: None,
        }),
    }
}

fn side((index, input): (usize, &Input)) -> Side {
    let run = &input.document.run;
    let variant = run.variants.get(input.variant as usize);
    let again = variant.and_then(|variant| variant.again.as_ref());
    Side {
        name: input.name.clone(),
        run: run.id.clone(),
        variant: variant_name(input).to_owned(),
        started_ms: run.started_ms,
        commit: again.map_or(&run.commit, |again| &again.commit).clone(),
        runtimes: run.runtimes.clone(),
        control: index > 0 && variant.is_some_and(|variant| variant.control),
        unnamed_machine: run.imported.is_some() && run.machine.host.is_empty(),
        benchmark: variant.and_then(|variant| variant.benchmark.clone()),
    }
}

/// Returns the measured cases that are not compared, each with its side. Omits cases that are reported as
/// unmeasured, unless they were skipped.
fn alone(views: &[View], shared: &[&CaseId], unmeasured: &[Unmeasured]) -> Vec<(u32, String)> {
    let told = unmeasured.iter().filter(|case| case.outcome != CaseOutcome::Skipped);
    let told = told.map(|case| &case.case.id);
    let shared: HashSet<&CaseId> = shared.iter().copied().chain(told).collect();
    let of = |(side, view): (usize, &View)| {
        let own = view.order.iter().filter(|id| !shared.contains(**id));
        own.map(|id| (side as u32, id.to_string())).collect::<Vec<_>>()
    };
    views.iter().enumerate().flat_map(of).collect()
}

fn control(cases: &[ComparedCase], sides: &[Side]) -> Option<Control> {
    let controls = cases.iter().flat_map(|case| &case.sides).filter(|side| sides[side.side as usize].control);
    let changes = controls.flat_map(|side| &side.changes).filter(|c| c.quantity == Quantity::Typical);
    let mut control = Control { comparisons: 0, alarms: 0, material: 0, floor: 0.0, half_width: 0.0 };
    for change in changes {
        let Some(estimate) = change.change else { continue };
        control.comparisons += 1;
        control.floor = control.floor.max(estimate.value.abs());
        if let Some(interval) = estimate.interval {
            control.alarms += u32::from(interval.lo > 0.0 || interval.hi < 0.0);
            control.half_width = control.half_width.max((interval.hi - interval.lo) / 2.0);
        }
        control.material += u32::from(matches!(change.verdict, Verdict::Better | Verdict::Worse));
    }
    sides.iter().any(|side| side.control).then_some(control)
}
