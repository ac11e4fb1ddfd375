//! Chooses the cases that continue if the time of the run is too short for all: those that can be
//! decided soonest.
//!
//! The other cases wait. If a waiting case never continues, its last look keeps the level of a look after
//! which a case may continue. That level must not change, because this choice of cases depends on results.

/// A case that could continue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wanted {
    /// Number of further pairs until its next look.
    pub next: u32,
    /// Number of further pairs that would probably decide it. `None` if there is no forecast.
    pub missing: Option<u32>,
    /// Number of further pairs until its last look.
    pub most: u32,
    /// Cost of a pair, in ns.
    pub each_ns: u64,
    /// True if the case has had no look yet, or continues regardless of its results.
    pub is_first: bool,
    /// Absolute size of its relative change or, in a run of one variant, relative size of its interval.
    pub size: f64,
}

/// Returns the indices of the cases that continue now. The flag is true if the time of the run is too
/// short for all, so that the cases are in order of importance.
///
/// Cases without a look come first. The cases that are cheapest to decide follow, those with larger
/// changes first. A case that cannot be decided in the remaining time gets the time that others leave.
/// As many cases as possible continue together, because they may share processes.
pub(crate) fn choose(wanted: &[Wanted], left_ns: u64) -> (Vec<usize>, bool) {
    let all = 0..wanted.len();
    let longest =
        |cases: &[usize]| cases.iter().map(|at| wanted[*at].longest_ns()).fold(0, u64::saturating_add);
    if longest(&all.clone().collect::<Vec<_>>()) <= left_ns {
        return (all.collect(), false);
    }
    let (mut first, later): (Vec<usize>, Vec<usize>) = all.partition(|at| wanted[*at].is_first);
    let decides = |at: &usize| wanted[*at].decision_ns().filter(|cost| *cost <= left_ns);
    let (mut near, mut far): (Vec<usize>, Vec<usize>) =
        later.into_iter().partition(|at| decides(at).is_some());
    let by_size = |a: &usize, b: &usize| wanted[*b].size.total_cmp(&wanted[*a].size);
    first.sort_by(by_size);
    let cheapest = near.iter().filter_map(decides).min().unwrap_or(1).max(1);
    // Costs within a factor of two count as equal.
    let class = |at: &usize| decides(at).map(|cost| (cost / cheapest).max(1).ilog2());
    near.sort_by(|a, b| class(a).cmp(&class(b)).then_with(|| by_size(a, b)));
    far.sort_by_key(|at| wanted[*at].longest_ns());
    first.extend(near);
    let mut chosen = fitting(wanted, first, left_ns);
    let rest_ns = left_ns.saturating_sub(longest(&chosen));
    chosen.extend(fitting(wanted, far, rest_ns));
    (chosen, true)
}

/// Returns how many of the costs fit into the time together, cheapest first. All values are in ns.
pub(crate) fn fits(mut costs: Vec<u64>, mut left_ns: u64) -> usize {
    costs.sort_unstable();
    let fits = |cost: &&u64| {
        let rest = left_ns.checked_sub(**cost);
        left_ns = rest.unwrap_or(0);
        rest.is_some()
    };
    costs.iter().take_while(fits).count()
}

/// Returns the cases whose next look fits into the time that the earlier cases leave.
fn fitting(wanted: &[Wanted], cases: Vec<usize>, mut left_ns: u64) -> Vec<usize> {
    let fits = |at: &usize| {
        let rest = left_ns.checked_sub(wanted[*at].next_ns());
        left_ns = rest.unwrap_or(left_ns);
        rest.is_some()
    };
    cases.into_iter().filter(fits).collect()
}

impl Wanted {
    /// Returns the cost until the next look, in ns.
    fn next_ns(&self) -> u64 {
        self.of(self.next)
    }

    /// Returns the cost until the case is probably decided, in ns. Returns `None` if no decision is
    /// expected.
    fn decision_ns(&self) -> Option<u64> {
        let missing = self.missing.filter(|missing| *missing <= self.most)?;
        Some(self.of(missing.max(self.next)))
    }

    /// Returns the cost until the case is probably decided or has had its last look, in ns.
    fn longest_ns(&self) -> u64 {
        self.decision_ns().unwrap_or_else(|| self.of(self.most))
    }

    fn of(&self, pairs: u32) -> u64 {
        self.each_ns.saturating_mul(pairs.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a case that has had its first look, with a cost of 10 ns per pair.
    fn wanted(missing: Option<u32>, size: f64) -> Wanted {
        Wanted { next: 3, missing, most: 35, each_ns: 10, is_first: false, size }
    }

    #[test]
    fn with_time_for_all_no_case_waits() {
        let all = [wanted(Some(3), 0.4), wanted(Some(24), 0.005), wanted(None, 0.0)];
        assert_eq!(choose(&all, 30 + 240 + 350), (vec![0, 1, 2], false));
    }

    #[test]
    fn the_cheapest_to_decide_continue_and_the_largest_changes_first() {
        let all = [wanted(Some(24), 0.005), wanted(Some(3), 0.05), wanted(Some(3), 0.4), wanted(None, 0.0)];
        assert_eq!(choose(&all, 619), (vec![2, 1, 0, 3], true));
        assert_eq!(choose(&all, 59), (vec![2], true), "the time decides one of the two");
        let slow = Wanted { each_ns: 100, ..wanted(Some(3), 0.4) };
        assert_eq!(choose(&[slow, wanted(Some(6), 0.05)], 300), (vec![1], true), "it is cheaper");
    }

    #[test]
    fn a_case_that_cannot_be_decided_leaves_its_time_to_others() {
        let all = [wanted(Some(24), 0.05), wanted(Some(30), 0.3), wanted(Some(40), 0.9)];
        assert_eq!(choose(&all, 250), (vec![0], true));
        // If no case can be decided, the time is still used.
        assert_eq!(choose(&all, 100), (vec![0, 1, 2], true));
        assert_eq!(choose(&all, 70), (vec![0, 1], true));
        assert_eq!(choose(&all, 20), (vec![], true));
    }

    #[test]
    fn the_cheapest_costs_fit_first() {
        assert_eq!(fits(vec![50, 10, 20], 30), 2);
        assert_eq!(fits(vec![50, 10, 20], 9), 0);
        assert_eq!(fits(Vec::new(), 9), 0);
    }

    #[test]
    fn a_case_without_a_look_comes_first() {
        let first = Wanted { next: 2, is_first: true, ..wanted(None, 0.0) };
        assert_eq!(choose(&[wanted(Some(3), 0.4), first], 100), (vec![1, 0], true));
        assert_eq!(choose(&[wanted(Some(1), 0.4), Wanted { each_ns: 100, ..first }], 100), (vec![0], true));
    }
}
