//! One case on all sides.

use super::measured::Measured;
use super::{Setting, View};
use derny_estimate::change::{self, Subject};
use derny_estimate::cost::{self, Cost};
use derny_estimate::difference;
use derny_estimate::pair::{Pair, Replicate};
use derny_model::{
    Case, CaseId, CaseResult, CaseState, Change, ComparedCase, ComparedSide, Direction, MetricSummary,
    Pairing, Quantity, Reason, StopReason, TimeSummary, VariantResult, Verdict,
};
use derny_stats::variance;
use std::collections::HashMap;

/// A case with what only the comparison itself needs further.
pub(crate) struct Compared {
    /// The case; taken out when all are there.
    pub case: Option<ComparedCase>,
    /// Why the base's measurement ended: where sides are paired, that of all.
    pub ended: Option<StopReason>,
    /// Whether a collector may have run, by compared side.
    pub collected: Vec<bool>,
    /// Pairs of typical time, by compared side; empty for unpaired ones.
    pub pairs: Vec<Vec<Pair>>,
}

/// A case on one side.
struct Found<'a> {
    case: &'a Case,
    ended: Option<StopReason>,
    result: &'a VariantResult,
    measured: Option<Measured>,
}

/// Compares the case `id`, which the first view has, on all sides that have it.
pub(crate) fn compare(views: &[View], id: &CaseId, setting: &Setting) -> Compared {
    let found: Vec<Option<Found>> = views.iter().map(|view| find(view, id)).collect();
    let mut compared = Compared { case: None, ended: None, collected: Vec::new(), pairs: Vec::new() };
    let Some(base) = &found[0] else { return compared };
    compared.ended = base.ended;
    let mut sides = Vec::new();
    for (number, new) in found.iter().enumerate().skip(1) {
        let Some(new) = new else { continue };
        let both = Both { base, new, setting, id };
        let (changes, pairs) = both.changes();
        sides.push(ComparedSide {
            side: number as u32,
            verdict: Verdict::Unclear,
            reason: None,
            split: false,
            changes,
        });
        compared.collected.push(both.collected());
        compared.pairs.push(pairs);
    }
    let times = found.iter().map(|found| found.as_ref()?.result.time.clone()).collect();
    compared.case = Some(ComparedCase { case: base.case.clone(), times, sides });
    compared
}

fn find<'a>(view: &View<'a>, id: &CaseId) -> Option<Found<'a>> {
    let (CaseResult { case, state, .. }, result) = view.result(id)?;
    let ended = if let CaseState::Measured(reason) = state { Some(*reason) } else { None };
    Some(Found { case, ended, result, measured: view.measured(id, case) })
}

/// The base and another side of one case.
struct Both<'a> {
    base: &'a Found<'a>,
    new: &'a Found<'a>,
    setting: &'a Setting<'a>,
    id: &'a CaseId,
}

/// One value of each side from the same block.
type Blocks<'a> = Vec<(&'a Replicate, &'a Replicate, (usize, usize))>;

impl Both<'_> {
    fn collected(&self) -> bool {
        let of = |found: &Found| {
            let known = found.measured.as_ref();
            known.is_none_or(|measured| measured.replicates.iter().any(|replicate| replicate.cost.collected))
        };
        of(self.base) || of(self.new)
    }

    /// Typical time, mean time, then the metrics that both have; and the pairs of the first.
    fn changes(&self) -> (Vec<Change>, Vec<Pair>) {
        let blocks = self.blocks();
        let mut changes = Vec::new();
        let mut pairs = Vec::new();
        let asked = |names: &[&str]| {
            let wanted = self.setting.options.metrics;
            wanted.is_empty() || wanted.iter().any(|name| names.contains(&name.as_str()))
        };
        if let (Some(base), Some(new)) = (&self.base.result.time, &self.new.result.time)
            && asked(&["time", "mean"])
        {
            pairs = blocks.iter().filter_map(|(base, new, _)| base.typical(new)).collect();
            changes.push(self.typical(base, new, &pairs));
            changes.push(self.mean(base, new, &blocks));
        }
        for base in &self.base.result.metrics {
            let name = base.metric.name.as_str();
            let short = if name == "allocated" {
                "alloc"
            } else if name.starts_with("gc") {
                "gc"
            } else {
                name
            };
            let new = self.new.result.metrics.iter().find(|new| new.metric.name == name);
            if let Some(new) = new.filter(|_| asked(&[name, short])) {
                changes.push(self.metric(base, new, &blocks));
            }
        }
        (changes, pairs)
    }

    /// Processes of both sides that share a block, with their places; nothing for unpaired sides.
    fn blocks(&self) -> Blocks<'_> {
        let (Pairing::Paired, Some(base), Some(new)) =
            (self.setting.pairing, &self.base.measured, &self.new.measured)
        else {
            return Vec::new();
        };
        let by_block: HashMap<u32, usize> =
            new.replicates.iter().enumerate().map(|(at, replicate)| (replicate.block, at)).collect();
        let pair = |(at, replicate): (usize, &_)| -> Option<_> {
            let replicate: &Replicate = replicate;
            let other = *by_block.get(&replicate.block)?;
            Some((&base.replicates[at], &new.replicates[other], (at, other)))
        };
        let mut blocks: Blocks = base.replicates.iter().enumerate().filter_map(pair).collect();
        blocks.sort_by_key(|(base, _, _)| base.block);
        blocks
    }

    fn typical(&self, base: &TimeSummary, new: &TimeSummary, pairs: &[Pair]) -> Change {
        let subject = time(Quantity::Typical, base.typical.value, new.typical.value);
        if self.setting.pairing == Pairing::Paired {
            return self.paired(subject, pairs);
        }
        let logs = |time: &TimeSummary| -> Vec<f64> {
            let positive = time.processes.iter().filter(|process| process.time_ns > 0.0);
            positive.map(|process| libm::log(process.time_ns)).collect()
        };
        self.unpaired(subject, &logs(base), &logs(new))
    }

    fn mean(&self, base: &TimeSummary, new: &TimeSummary, blocks: &Blocks) -> Change {
        let costs = |found: &Found| -> Vec<_> {
            let replicates = found.measured.iter().flat_map(|measured| &measured.replicates);
            replicates.map(|replicate| replicate.cost).collect()
        };
        let (before, after) = (costs(self.base), costs(self.new));
        let recorded = !before.is_empty() && !after.is_empty();
        let cpu = if recorded {
            cost::by_cpu(before.iter().chain(&after))
        } else {
            base.cpu.is_some() && new.cpu.is_some()
        };
        let total = |costs: &[Cost]| {
            let sums = costs.iter().fold((0.0, 0.0), |(time, operations), cost| {
                (
                    time + if cpu { cost.cpu_ns.unwrap_or(0.0) } else { cost.wall_ns },
                    operations + cost.operations,
                )
            });
            sums.0 / sums.1
        };
        let summary = |time: &TimeSummary| match &time.cpu {
            Some(estimate) if cpu => estimate.value,
            _ => time.mean.value,
        };
        let subject = match recorded {
            true => time(Quantity::Mean, total(&before), total(&after)),
            false => time(Quantity::Mean, summary(base), summary(new)),
        };
        if self.setting.pairing == Pairing::Unpaired {
            let logs = |costs: &[Cost]| -> Vec<f64> {
                costs.iter().filter_map(|cost| cost.per_operation(cpu)).map(libm::log).collect()
            };
            return self.unpaired(subject, &logs(&before), &logs(&after));
        }
        let pairs: Vec<Pair> = blocks.iter().filter_map(|(base, new, _)| base.mean(new, cpu)).collect();
        self.paired(subject, &pairs)
    }

    fn metric(&self, base: &MetricSummary, new: &MetricSummary, blocks: &Blocks) -> Change {
        let name = &base.metric.name;
        let margin = self.setting.options.margin;
        let subject = Subject {
            quantity: Quantity::Metric(name.clone()),
            unit: base.metric.unit.clone(),
            per_operation: base.per_operation,
            direction: base.metric.direction,
            base: base.estimate.value,
            new: new.estimate.value,
        };
        let fewest = self.base.result.processes.min(self.new.result.processes);
        if base.metric.exact && new.metric.exact && base.constant && new.constant {
            return change::exact(subject, fewest, margin);
        }
        if base.constant && new.constant && subject.base == subject.new {
            return change::alike(subject, fewest);
        }
        let values = |found: &Found| -> Vec<Option<f64>> {
            let all = found.measured.iter().flat_map(|measured| &measured.metrics);
            let mut own = all.filter(|(metric, _)| metric.name == *name);
            own.next().map(|(_, values)| values.clone()).unwrap_or_default()
        };
        let (before, after) = (values(self.base), values(self.new));
        if self.setting.pairing == Pairing::Unpaired {
            if subject.base > 0.0 && subject.new > 0.0 {
                return self.unpaired(subject, &logs(&before), &logs(&after));
            }
            let known = |values: &[Option<f64>]| values.iter().copied().flatten().collect::<Vec<f64>>();
            let within = error(&known(&before)) + error(&known(&after));
            let between = self.setting.history.between_values(self.id, &subject.quantity);
            let confidence = self.setting.options.confidence;
            return difference::unpaired(subject, fewest, within, between, confidence, margin);
        }
        let pair = |(base, new, (at, other)): &(&Replicate, &Replicate, (usize, usize))| {
            let value = |values: &[Option<f64>], at: usize| values.get(at).copied().flatten();
            let builds = (base.build, new.build);
            Some((base.block, builds, value(&before, *at)?, value(&after, *other)?))
        };
        let pairs: Vec<(u32, (u32, u32), f64, f64)> = blocks.iter().filter_map(pair).collect();
        if pairs.iter().all(|(.., base, new)| *base > 0.0 && *new > 0.0) {
            let of = |(block, builds, base, new): &(u32, (u32, u32), f64, f64)| Pair {
                block: *block,
                builds: *builds,
                log: libm::log(new / base),
                resolution: 0.0,
            };
            return self.paired(subject, &pairs.iter().map(of).collect::<Vec<Pair>>());
        }
        let differences: Vec<difference::Pair> =
            pairs.iter().map(|(_, builds, base, new)| (*builds, new - base)).collect();
        let levels = self.setting.levels.after(self.base.ended);
        let mut change = difference::paired(subject, &differences, levels, margin);
        self.cut_short(&mut change);
        change
    }

    fn paired(&self, subject: Subject, pairs: &[Pair]) -> Change {
        let levels = self.setting.levels.after(self.base.ended);
        let mut change = change::paired(subject, pairs, levels, self.setting.options.margin);
        self.cut_short(&mut change);
        change
    }

    /// What noise alone does not account for: that measuring ended before it was decided.
    fn cut_short(&self, change: &mut Change) {
        if change.reason == Some(Reason::Noise) {
            change.reason = Some(match self.base.ended {
                Some(StopReason::Budget) => Reason::Budget,
                Some(StopReason::Interrupted) => Reason::Interrupted,
                _ => Reason::Noise,
            });
        }
    }

    fn unpaired(&self, subject: Subject, base: &[f64], new: &[f64]) -> Change {
        let fewest = self.base.result.processes.min(self.new.result.processes);
        let between = self.setting.history.between(self.id, &subject.quantity);
        let within = error(base) + error(new);
        let options = self.setting.options;
        change::unpaired(subject, fewest, within, between, options.confidence, options.margin)
    }
}

fn time(quantity: Quantity, base: f64, new: f64) -> Subject {
    let (unit, direction) = ("ns".to_owned(), Direction::Less);
    Subject { quantity, unit, per_operation: true, direction, base, new }
}

fn logs(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().flatten().filter(|value| **value > 0.0).map(|value| libm::log(*value)).collect()
}

/// The variance of the mean of these values; 0 of a single one.
fn error(values: &[f64]) -> f64 {
    if values.len() > 1 { variance(values) / values.len() as f64 } else { 0.0 }
}
