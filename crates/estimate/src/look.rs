//! The looks taken at a case, and their combined result.
//!
//! A look is an event of the run. A reported quantity combines all looks: the intersection of their
//! intervals and the smallest of their p-values. Both can only shrink, so a later look never revokes a
//! verdict. Both depend only on the recorded looks.

use crate::level::{Levels, Nominal, Sequence};
use crate::pair::Pair;
use crate::paired;
use derny_model::{Estimate, Interval, Look, LookReason, StopReason};
use std::sync::Arc;

/// The combined result of the looks taken so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeated {
    /// Estimate of the last look, with the intersection of all intervals. It lies within the intersection.
    pub estimate: Estimate,
    /// True if the intersection of the intervals is empty.
    pub contradicts: bool,
    /// Smallest repeated p-value of the hypothesis that nothing changed.
    pub p: Option<f64>,
    /// Smallest repeated p-value of the hypothesis that the change is the largest allowed regression.
    pub p_at_margin: Option<f64>,
    /// Nominal level of the last look.
    pub level: f64,
}

/// The looks taken at a case.
#[derive(Clone)]
pub struct Taken {
    /// Numbers of the blocks at each look, in ascending order.
    looks: Vec<Vec<u32>>,
    sequence: Option<Arc<Sequence>>,
    error: f64,
}

impl Taken {
    /// Creates the looks of a case from the recorded `looks`. Runs of earlier versions and runs without a
    /// plan have none. They get a single look at all complete `blocks`, as if the planned looks before it had
    /// been taken.
    pub fn new(levels: &Levels, looks: &[Look], blocks: &[u32], ended: Option<StopReason>) -> Taken {
        let error = levels.error();
        if levels.is_anytime() {
            return Taken { looks: vec![blocks.to_vec()], sequence: None, error };
        }
        let mut taken: Vec<&Look> = looks
            .iter()
            .filter(|look| !look.blocks.is_empty() && look.reason != LookReason::Neighbours)
            .collect();
        taken.dedup_by(|later, earlier| later.blocks.len() <= earlier.blocks.len());
        let Some(last) = taken.last() else {
            let sequence = levels.until(blocks.len(), ended == Some(StopReason::Budget));
            return Taken { looks: vec![blocks.to_vec()], sequence: Some(sequence), error };
        };
        let counts: Vec<usize> = taken.iter().map(|look| look.blocks.len()).collect();
        let sequence = levels.sequence(&counts, last.reason == LookReason::TimeOver);
        let looks = taken.iter().map(|look| look.blocks.clone()).collect();
        Taken { looks, sequence: Some(sequence), error }
    }

    /// Returns the combined result of all looks for a quantity, or `None` if no look has a result. `at`
    /// returns the result of a look, given its pairs and its nominal level.
    pub fn together<T>(
        &self,
        pairs: &[T],
        block: impl Fn(&T) -> u32,
        at: impl Fn(&[&T], f64) -> Option<Nominal>,
    ) -> Option<Repeated> {
        let mut all: Option<Repeated> = None;
        for blocks in &self.looks {
            let own: Vec<&T> =
                pairs.iter().filter(|pair| blocks.binary_search(&block(pair)).is_ok()).collect();
            let n = blocks.len();
            let alpha = self.sequence.as_ref().and_then(|s| s.alpha(n)).unwrap_or(self.error);
            let Some(nominal) = at(&own, alpha) else { continue };
            let repeated = |p: Option<f64>| match &self.sequence {
                Some(sequence) => p.map(|p| sequence.repeated(n, p)),
                None => p,
            };
            let look = Repeated {
                estimate: nominal.estimate,
                contradicts: false,
                p: repeated(nominal.p),
                p_at_margin: repeated(nominal.p_at_margin),
                level: alpha,
            };
            all = Some(match all {
                Some(before) => before.and(look),
                None => look,
            });
        }
        all
    }

    /// Returns the lowest repeated p-value that these pairs could have at any of the looks.
    pub fn least_p(&self, pairs: &[Pair]) -> f64 {
        let Some(sequence) = &self.sequence else { return 0.0 };
        let at = |blocks: &Vec<u32>| {
            let is_own = |pair: &&Pair| blocks.binary_search(&pair.block).is_ok();
            let own: Vec<&Pair> = pairs.iter().filter(is_own).collect();
            sequence.repeated(blocks.len(), paired::least_p(&own))
        };
        self.looks.iter().map(at).fold(1.0, f64::min)
    }

    /// Returns the number of pairs at the last look.
    pub fn last(&self) -> usize {
        self.looks.last().map_or(0, Vec::len)
    }
}

impl Repeated {
    fn and(self, later: Repeated) -> Repeated {
        let least = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let (interval, apart) = match (self.estimate.interval, later.estimate.interval) {
            (Some(a), Some(b)) => {
                let both = Interval { lo: a.lo.max(b.lo), hi: a.hi.min(b.hi) };
                // If the intersection is empty, keep the last interval.
                if both.lo <= both.hi { (Some(both), false) } else { (Some(b), true) }
            }
            (a, b) => (a.or(b), false),
        };
        let value = interval.map_or(later.estimate.value, |i| later.estimate.value.clamp(i.lo, i.hi));
        Repeated {
            estimate: Estimate { value, interval },
            contradicts: self.contradicts || apart,
            p: least(self.p, later.p),
            p_at_margin: least(self.p_at_margin, later.p_at_margin),
            level: later.level,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(count: u32, reason: LookReason) -> Look {
        Look { case: 0, blocks: (0..count).collect(), reason }
    }

    fn planned(counts: &[u32]) -> Vec<Look> {
        counts.iter().map(|count| look(*count, LookReason::Planned)).collect()
    }

    fn together(looks: &[Look], shown: &[(usize, f64, f64, f64)]) -> (Repeated, Vec<f64>) {
        let levels = Levels::at(40, 0.95);
        let blocks: Vec<u32> = (0..40).collect();
        let taken = Taken::new(&levels, looks, &blocks, None);
        let alphas = std::cell::RefCell::new(Vec::new());
        let at = |pairs: &[&u32], alpha: f64| {
            alphas.borrow_mut().push(alpha);
            let (_, lo, hi, p) = *shown.iter().find(|(count, ..)| *count == pairs.len())?;
            let estimate = Estimate { value: (lo + hi) / 2.0, interval: Some(Interval { lo, hi }) };
            Some(Nominal { estimate, p: Some(p), p_at_margin: Some(1.0) })
        };
        let repeated = taken.together(&blocks, |block| *block, at).unwrap();
        (repeated, alphas.into_inner())
    }

    #[test]
    fn what_was_shown_only_shrinks() {
        let shown = [(8, -0.02, 0.03, 0.2), (11, 0.001, 0.05, 0.001), (15, -0.01, 0.04, 0.5)];
        let (two, _) = together(&planned(&[8, 11]), &shown);
        let (three, _) = together(&planned(&[8, 11, 15]), &shown);
        assert_eq!(two.estimate.interval, Some(Interval { lo: 0.001, hi: 0.03 }));
        assert_eq!(three.estimate.interval, two.estimate.interval);
        assert_eq!(three.p, two.p, "the smallest counts");
        assert!(!three.contradicts && (0.001..=0.03).contains(&three.estimate.value));
    }

    #[test]
    fn looks_without_anything_in_common_say_so() {
        let shown = [(8, 0.01, 0.02, 0.01), (11, 0.03, 0.05, 0.01)];
        let (both, _) = together(&planned(&[8, 11]), &shown);
        assert!(both.contradicts);
        assert_eq!(both.estimate.interval, Some(Interval { lo: 0.03, hi: 0.05 }));
    }

    #[test]
    fn levels_are_those_of_the_plan_as_it_turned_out() {
        let shown = [(8, 0.0, 1.0, 0.5), (10, 0.0, 1.0, 0.5), (40, 0.0, 1.0, 0.5)];
        let (_, planned_two) = together(&planned(&[8, 10]), &shown);
        let over = [look(8, LookReason::Planned), look(10, LookReason::TimeOver)];
        let (_, time_over) = together(&over, &shown);
        assert_eq!(planned_two[0], time_over[0]);
        assert!(time_over[1] > planned_two[1], "the last look spends what is left");
        let (_, twice) = together(&planned(&[8, 8, 10]), &shown);
        assert_eq!(twice, planned_two);
        let (_, old) = together(&[], &shown);
        assert_eq!(old.len(), 1);
        assert_eq!(old[0], Levels::at(40, 0.95).alpha(40));
    }
}
