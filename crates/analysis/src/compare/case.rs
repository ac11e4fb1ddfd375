//! Compares one case across all sides.

use super::measured::Measured;
use super::setting::Setting;
use super::view::View;
use crate::diagnose::Blame;
use derny_estimate::change::{self, Single, Subject, Terms};
use derny_estimate::cost::Cost;
use derny_estimate::difference;
use derny_estimate::family::Member;
use derny_estimate::judge::{self, Families};
use derny_estimate::level::ENOUGH;
use derny_estimate::look::Taken;
use derny_estimate::machine::Apart;
use derny_estimate::mean;
use derny_estimate::pair::{Pair, Replicate};
use derny_estimate::wave;
use derny_model::{
    Case, CaseId, CaseResult, CaseState, ComparedSide, Direction, Estimate, Look, MetricSummary, Pairing,
    Quantity, StopReason, TimeSummary, VariantResult, Word,
};
use derny_stats::t_test::welch;
use std::collections::HashMap;

pub(crate) struct Compared {
    pub case: Case,
    pub times: Vec<Option<TimeSummary>>,
    /// Reason why the measurement of the base ended. Paired sides end together.
    pub ended: Option<StopReason>,
    /// The sides other than the base that have the case.
    pub sides: Vec<Side>,
}

impl Compared {
    pub(crate) fn members(&self, sides: &[derny_model::Side]) -> Vec<Member> {
        let of = |side: &Side| {
            let control = sides[side.side as usize].control;
            side.singles.iter().map(|single| Member::of(single, control)).collect::<Vec<Member>>()
        };
        self.sides.iter().flat_map(of).collect()
    }

    /// Returns the sides with their verdicts. `from` is the index of the case's first member in `families`.
    pub(crate) fn judged(
        self,
        mut from: usize,
        sides: &[derny_model::Side],
        families: &Families,
        terms: &Terms,
    ) -> Vec<ComparedSide> {
        let own = self.sides.into_iter().map(|Side { side, singles, lacks, .. }| {
            let control = sides[side as usize].control;
            let (at, ended) = (from, self.ended);
            from += singles.len();
            let judged = families.judged(at, judge::Side { side, control, singles, ended }, terms).side;
            ComparedSide { lacks, ..judged }
        });
        own.collect()
    }
}

pub(crate) struct Side {
    pub side: u32,
    /// Results for typical time, mean time and the common metrics.
    pub singles: Vec<Single>,
    pub lacks: Vec<Word>,
    pub pairs: Vec<Pair>,
    /// For unpaired sides, the half-width of the interval of typical time's log-ratio. Comes from the scatter
    /// of their processes.
    pub own: Option<f64>,
}

struct Found<'a> {
    case: &'a Case,
    ended: Option<StopReason>,
    result: &'a VariantResult,
    measured: Option<Measured>,
    looks: Vec<Look>,
}

/// Compares the case `id` across all sides that have it, without the turns of `blame`. Returns `None` if the
/// base lacks the case.
pub(crate) fn compare(
    views: &[View],
    id: &CaseId,
    setting: &Setting,
    blame: Option<&Blame>,
) -> Option<Compared> {
    let found: Vec<Option<Found>> = views.iter().map(|view| find(view, id, blame)).collect();
    let base = found[0].as_ref()?;
    let side = |(number, new): (usize, &Option<Found>)| {
        let both = Both { base, new: new.as_ref()?, side: number, setting, id };
        let (singles, pairs) = both.singles();
        Some(Side { side: number as u32, singles, lacks: both.lacks(), pairs, own: both.own() })
    };
    Some(Compared {
        case: base.case.clone(),
        times: found.iter().map(|found| found.as_ref()?.result.time.clone()).collect(),
        ended: base.ended,
        sides: found.iter().enumerate().skip(1).filter_map(side).collect(),
    })
}

fn find<'a>(view: &View<'a>, id: &CaseId, blame: Option<&Blame>) -> Option<Found<'a>> {
    let (CaseResult { case, state, .. }, result) = view.result(id)?;
    let ended = if let CaseState::Measured(reason) = state { Some(*reason) } else { None };
    Some(Found { case, ended, result, measured: view.measured(id, case, blame), looks: view.looks(id) })
}

struct Both<'a> {
    base: &'a Found<'a>,
    new: &'a Found<'a>,
    side: usize,
    setting: &'a Setting<'a>,
    id: &'a CaseId,
}

type Blocks<'a> = Vec<(&'a Replicate, &'a Replicate, (usize, usize))>;

impl Both<'_> {
    fn singles(&self) -> (Vec<Single>, Vec<Pair>) {
        let blocks = self.blocks();
        let taken = self.taken(&blocks);
        let mut singles = Vec::new();
        let mut pairs = Vec::new();
        let asked = |names: &[&str]| {
            let wanted = self.setting.options.metrics;
            wanted.is_empty() || wanted.iter().any(|name| names.contains(&name.as_str()))
        };
        if let (Some(base), Some(new)) = (&self.base.result.time, &self.new.result.time)
            && asked(&["time", "mean"])
        {
            let subject = time(Quantity::Typical, base.typical.value, new.typical.value);
            if self.setting.pairing == Pairing::Paired {
                let both: Vec<(&Replicate, &Replicate)> = blocks.iter().map(|(b, n, _)| (*b, *n)).collect();
                pairs = wave::pairs(&both);
                let case = self.base.case;
                singles.extend(change::times(case, subject, &both, &taken, &self.setting.terms));
            } else {
                singles.push(change::unpaired(subject, &self.apart(Quantity::Typical, "ns", self.own())));
                singles.push(self.mean(base, new));
                let is_empty = |time: &TimeSummary| time.floor.is_some_and(|floor| floor.indistinguishable);
                change::at_floor(&mut singles, [is_empty(base), is_empty(new)]);
            }
        }
        for base in &self.base.result.metrics {
            let name = base.metric.name.as_str();
            let new = self.new.result.metrics.iter().find(|new| new.metric.name == name);
            if let Some(new) = new.filter(|_| asked(&[name, self.short(name)])) {
                singles.push(self.metric(&base, &new, &blocks, &taken));
            }
        }
        (singles, pairs)
    }

    /// Returns the short name of a metric on the command line, or its name if there is no short form.
    fn short<'b>(&self, name: &'b str) -> &'b str {
        match name {
            "allocated" => "alloc",
            _ if name.starts_with("gc") => "gc",
            _ if self.base.case.as_run().as_deref() == Some(name) => "time",
            _ => name,
        }
    }

    fn lacks(&self) -> Vec<Word> {
        let has = |found: &Found, wanted: &str| {
            let is_timed = found.result.time.is_some() && matches!(wanted, "time" | "mean");
            let named = |name: &str| name == wanted || self.short(name) == wanted;
            is_timed || found.result.metrics.iter().any(|own| named(&own.metric.name))
        };
        let wanted = self.setting.options.metrics.iter();
        let lacking = wanted.filter(|wanted| has(self.base, wanted) != has(self.new, wanted));
        lacking.map(Word::from).collect()
    }

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

    fn taken(&self, blocks: &Blocks) -> Taken {
        let numbers: Vec<u32> = blocks.iter().map(|(base, ..)| base.block).collect();
        Taken::new(&self.setting.terms.levels, &self.base.looks, &numbers, self.base.ended)
    }

    fn own(&self) -> Option<f64> {
        let logs = |found: &Found| -> Vec<f64> {
            let processes = found.result.time.iter().flat_map(|time| &time.processes);
            processes.filter(|own| own.time_ns > 0.0).map(|own| libm::log(own.time_ns)).collect()
        };
        let is_unpaired = self.setting.pairing == Pairing::Unpaired;
        half_width(&logs(self.base), &logs(self.new), self.alpha()).filter(|_| is_unpaired)
    }

    fn mean(&self, base: &TimeSummary, new: &TimeSummary) -> Single {
        let logs = |found: &Found| -> Vec<f64> {
            let replicates = found.measured.iter().flat_map(|measured| &measured.replicates);
            let costs: Vec<&Cost> = replicates.map(|replicate: &Replicate| &replicate.cost).collect();
            let each = mean::totals(&costs).into_iter();
            each.map(|(ns, operations)| libm::log(ns / operations)).filter(|log| log.is_finite()).collect()
        };
        let subject = time(Quantity::Mean, base.mean.value, new.mean.value);
        let own = half_width(&logs(self.base), &logs(self.new), self.alpha());
        let own = own.or(half_width_of(&base.mean, &new.mean));
        change::unpaired(subject, &self.apart(Quantity::Mean, "ns", own))
    }

    fn metric(&self, base: &MetricSummary, new: &MetricSummary, blocks: &Blocks, taken: &Taken) -> Single {
        let name = &base.metric.name;
        let margin = self.setting.options.margin;
        let subject = Subject {
            quantity: Quantity::Metric(name.into()),
            unit: (&base.metric.unit).into(),
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
            let (quantity, unit) = (subject.quantity, subject.unit);
            if subject.base > 0.0 && subject.new > 0.0 {
                let own = half_width(&logs(&before), &logs(&after), self.alpha());
                let own = own.or(half_width_of(&base.estimate, &new.estimate));
                return change::unpaired(subject, &self.apart(quantity, &unit, own));
            }
            let known = |values: &[Option<f64>]| values.iter().copied().flatten().collect::<Vec<f64>>();
            let own = half_width(&known(&before), &known(&after), self.alpha());
            return difference::unpaired(subject, &self.apart(quantity, &unit, own));
        }
        let value = |values: &[Option<f64>], at: usize| values.get(at).copied().flatten();
        let both = blocks.iter().filter_map(|(base, new, (at, other))| {
            Some((*base, *new, value(&before, *at)?, value(&after, *other)?))
        });
        let known: Vec<(&Replicate, &Replicate, f64, f64)> = both.collect();
        let pairs = |of: fn(f64, f64) -> [f64; 3]| -> Vec<Pair> {
            let pair = |(base, new, before, after): &(&Replicate, &Replicate, f64, f64)| {
                let [log, before, after] = of(*before, *after);
                base.pair_of(new, log, before, after)
            };
            known.iter().map(pair).collect()
        };
        let terms = &self.setting.terms;
        if known.iter().all(|(.., before, after)| *before > 0.0 && *after > 0.0) {
            let logs =
                |before: f64, after: f64| [libm::log(after / before), libm::log(before), libm::log(after)];
            return change::paired(subject, &pairs(logs), taken, terms);
        }
        difference::paired(subject, &pairs(|before, after| [after - before, before, after]), taken, terms)
    }

    /// Returns what a comparison between separate runs needs besides the two values of a quantity: the drift
    /// of the machine, the half-width `own` from the scatter of the processes, the number of processes and
    /// the margin.
    fn apart(&self, quantity: Quantity, unit: &str, own: Option<f64>) -> Apart {
        let terms = &self.setting.terms;
        let margin = if quantity == Quantity::Mean { terms.mean_margin } else { terms.margin };
        let seen = self.setting.machine[self.side];
        let least = self.setting.history.least(self.id, &quantity, unit, seen.apart_ms, self.alpha());
        let processes = self.base.result.processes.min(self.new.result.processes);
        Apart::new(seen.with(least, unit), own, processes, self.alpha(), margin)
    }

    fn alpha(&self) -> f64 {
        1.0 - self.setting.options.confidence
    }
}

fn time(quantity: Quantity, base: f64, new: f64) -> Subject {
    let (unit, direction) = (Word::new("ns"), Direction::Less);
    Subject { quantity, unit, per_operation: true, direction, base, new }
}

fn logs(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().flatten().filter(|value| **value > 0.0).map(|value| libm::log(*value)).collect()
}

fn half_width(base: &[f64], new: &[f64], alpha: f64) -> Option<f64> {
    let enough = base.len().min(new.len()) >= ENOUGH;
    Some(welch(base, new).filter(|_| enough)?.half_width(alpha))
}

fn half_width_of(base: &Estimate, new: &Estimate) -> Option<f64> {
    let half = |estimate: &Estimate| {
        let interval = estimate.interval.filter(|interval| interval.lo > 0.0)?;
        Some(libm::log(interval.hi / interval.lo) / 2.0)
    };
    Some(libm::hypot(half(base)?, half(new)?))
}
