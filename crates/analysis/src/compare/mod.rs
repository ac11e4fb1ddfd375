//! Comparison: the same cases measured on two or more sides, in one run or in several.
//!
//! 1. [`View`] indexes the cases of a side.
//! 2. [`case`] compares each case by itself.
//! 3. [`Families`] correct for the number of comparisons; then each side gets its verdict.
//! 4. [`warnings`] and notes say what limits the result.
//!
//! Within a run, the processes of one block were alternated turn by turn. Their rounds are compared pair by
//! pair, so that drift and load cancel, and the pair is the replicate. Between runs nothing cancels:
//! yardsticks and history say what the machine may account for. Pure like all of analysis.

mod again;
mod apart;
mod case;
mod context;
mod history;
mod machine;
mod machines;
mod mean;
pub(crate) mod measured;
mod unmeasured;
mod warnings;

use crate::diagnose::Blame;
use crate::digest::Digests;
use crate::parallel;
use crate::same;
use again::Again;
use case::Compared;
use derny_estimate::change::Terms;
use derny_estimate::family::Member;
use derny_estimate::floor;
use derny_estimate::judge::Families;
use derny_estimate::level::{Levels, LookPlan};
use derny_model::{
    Against, Case, CaseId, CaseOutcome, CaseResult, ComparedCase, Comparison, Control, Document, Look,
    Pairing, Quantity, Records, SameCode, Settings, Side, StopReason, Unmeasured, VariantResult, Verdict,
};
use measured::{Index, Measured};
use std::collections::{HashMap, HashSet};

/// One side of a comparison.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// Display name, unique among the sides.
    pub name: String,
    /// Results of the run.
    pub document: &'a Document,
    /// Records of the run. `None` if only the document is available, which has process values but no rounds.
    pub records: Option<&'a Records>,
    /// Index into the run's variants.
    pub variant: u32,
}

/// Options of a comparison.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// Margin δ as a share: 0.01 is 1 %.
    pub margin: f64,
    /// Margin of mean time; `None` uses the run's, or else derives it from `margin`.
    pub mean_margin: Option<f64>,
    /// Confidence of the intervals over all looks together, 0 to 1.
    pub confidence: f64,
    /// Quantities to compare (`time` for both times, or a metric's name); empty for all.
    pub metrics: &'a [String],
    /// True if the pairs are examined at arbitrary times and without an end (`--watch`). Intervals then form
    /// a confidence sequence instead of following a plan of looks.
    pub anytime: bool,
    /// Groups of runs of the same code on one machine, to learn how much runs differ.
    pub history: &'a [Vec<&'a Document>],
}

impl Default for Options<'_> {
    /// Returns the documented defaults: a margin of 1 %, 95 % confidence, all quantities, no history.
    fn default() -> Self {
        let (margin, confidence) = (0.01, 0.95);
        Options { margin, mean_margin: None, confidence, metrics: &[], anytime: false, history: &[] }
    }
}

/// Compares every side with the first. The comparison is paired if all sides are variants of one run with
/// records. `inputs` must not be empty. A case is compared if the base and at least one other side have it.
pub fn compare(inputs: &[Input], options: &Options) -> Comparison {
    compare_by(inputs, options, None)
}

/// Does the same for sides of one run, using `digests` instead of turns if possible.
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
    // Between runs there is no p-value, so there is no family either.
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
        apart_ms: apart(inputs),
        same: same_code(inputs, pairing),
        context: context::differences(inputs, pairing),
        alone: alone(&views, &shared, &unmeasured),
        failures: warnings::failures(inputs),
        warnings,
        unknown: [warnings::unknown(inputs, pairing, &cases, &machine), machines::unknown(&fleet, &cases)]
            .concat(),
        machines: fleet,
        machine,
        cases,
        unmeasured,
        family,
    };
    derny_estimate::gate::mark(&mut comparison, options.metrics);
    comparison
}

/// Returns what all cases of a comparison share, with this number of comparisons in the family.
fn setting<'a>(inputs: &[Input], options: &'a Options<'a>, pairing: Pairing, family: usize) -> Setting<'a> {
    let base = &inputs[0];
    let settings = &base.document.run.settings;
    let levels = || match options.anytime {
        true => Levels::anytime(options.confidence),
        false => Levels::of_pairs(settings.processes as usize, options.confidence, settings.waves),
    };
    let mean_margin = options.mean_margin.or(settings.mean_margin);
    let terms = Terms {
        levels: levels(),
        margin: options.margin,
        mean_margin: Settings::mean_margin_of(mean_margin, options.margin),
        cycle_ns: base.records.and_then(|records| floor::cycle_ns(&records.observations)),
        machines: base.document.run.machines.len() > 1,
        ..Terms::new(settings, family)
    };
    Setting {
        options,
        pairing,
        terms,
        levels: LookPlan::new(levels()),
        history: history::History::new(options.history),
        machine: inputs.iter().map(|input| machine::between(base, input)).collect(),
    }
}

/// Returns the sides of one run that have the same code as the base.
fn same_code(inputs: &[Input], pairing: Pairing) -> Vec<SameCode> {
    if pairing != Pairing::Paired {
        return Vec::new();
    }
    let run = &inputs[0].document.run;
    let of = |side: u32| same::variants(run, inputs[0].variant, inputs[side as usize].variant);
    let sides = 1..inputs.len() as u32;
    sides.filter_map(|side| Some(SameCode { side, how: of(side)? })).collect()
}

/// Returns the size of the family: timed cases × compared sides without controls. All cases of the run count,
/// even if only some are shown.
fn comparisons(base: &View, shared: &[&CaseId], sides: &[Side]) -> usize {
    let judged = sides.iter().skip(1).filter(|side| !side.control).count();
    let cases = match base.input.records {
        Some(records) => {
            // Per case: has complete visits, and has one with times.
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

/// Corrects each comparison for their number; returns the cases and the size of the family.
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

/// Data that all cases of a comparison share.
pub(crate) struct Setting<'a> {
    pub options: &'a Options<'a>,
    pub pairing: Pairing,
    pub terms: Terms,
    pub levels: LookPlan,
    pub history: history::History<'a>,
    /// Machine between the base's run and each side's.
    pub machine: Vec<machine::Seen>,
}

/// Side with an index of its cases.
pub(crate) struct View<'a> {
    pub input: &'a Input<'a>,
    /// Cases that the variant measured, in document order.
    order: Vec<&'a CaseId>,
    results: HashMap<&'a CaseId, (&'a CaseResult, &'a VariantResult)>,
    index: Option<Index<'a>>,
    places: HashMap<&'a CaseId, usize>,
    /// Stop reasons of cases, by index in the records; `looks` likewise.
    ended: HashMap<u32, StopReason>,
    looks: HashMap<u32, Vec<&'a Look>>,
    digests: Option<&'a dyn Digests>,
}

impl<'a> View<'a> {
    fn new(input: &'a Input<'a>, digests: Option<&'a dyn Digests>) -> View<'a> {
        let name = variant_name(input);
        let mut order = Vec::new();
        let mut results = HashMap::new();
        for case in input.document.cases() {
            if let Some(result) = case.variants.iter().find(|result| result.variant == name) {
                order.push(&case.case.id);
                results.insert(&case.case.id, (case, result));
            }
        }
        let cases = input.records.map(|records| records.cases.iter().enumerate());
        let places = cases.into_iter().flatten().map(|(place, case)| (&case.id, place)).collect();
        let ended = input.records.iter().flat_map(|records| records.ended.iter().copied()).collect();
        let mut looks: HashMap<u32, Vec<&Look>> = HashMap::new();
        for look in input.records.iter().flat_map(|records| &records.looks) {
            looks.entry(look.case).or_default().push(look);
        }
        View { input, order, results, index: input.records.map(Index::new), places, ended, looks, digests }
    }

    pub(crate) fn result(&self, id: &CaseId) -> Option<(&'a CaseResult, &'a VariantResult)> {
        self.results.get(id).copied()
    }

    /// Returns the index of a case in the records.
    pub(crate) fn place(&self, id: &CaseId) -> Option<u32> {
        self.places.get(id).map(|place| *place as u32)
    }

    /// Returns the stop reason of a case; the outer `None` means that there are no records.
    pub(crate) fn ended(&self, id: &CaseId) -> Option<Option<StopReason>> {
        self.input.records?;
        Some(self.ended.get(&self.place(id)?).copied())
    }

    /// Returns the looks taken at a case; empty without records.
    pub(crate) fn looks(&self, id: &CaseId) -> Vec<Look> {
        let own = self.places.get(id).and_then(|place| self.looks.get(&(*place as u32)));
        own.into_iter().flatten().map(|look| (*look).clone()).collect()
    }

    /// Returns the measurements of a case without the turns of `blame`.
    pub(crate) fn measured(&self, id: &CaseId, case: &Case, blame: Option<&Blame>) -> Option<Measured> {
        let (index, place, variant) = (self.index.as_ref()?, *self.places.get(id)?, self.input.variant);
        let known = self.digests.filter(|_| blame.is_none()).and_then(|digests| {
            let (bytes, moved) = digests.measured(place as u32)?;
            index.unpack(&bytes, variant, moved)
        });
        Some(known.unwrap_or_else(|| index.measured(place, case, variant, blame)))
    }
}

/// Returns the stored run behind the base, either measured again or as stored.
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

fn variant_name<'a>(input: &'a Input) -> &'a str {
    let variants = &input.document.run.variants;
    variants.get(input.variant as usize).map_or("", |variant| variant.name.as_str())
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

fn apart(inputs: &[Input]) -> u64 {
    let starts = || inputs.iter().map(|input| input.document.run.started_ms);
    let (first, last) = (starts().min().unwrap_or(0), starts().max().unwrap_or(0));
    last.abs_diff(first)
}

/// Returns the cases that are not compared, because only one side has them and they were not requested.
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

/// Summarises the verdicts on the controls' typical times.
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
