//! Untimed work: what batches take beside their time, such as a set-up. It fills the wall time of a turn just as timed work does, and only
//! the engine bounds it.

/// What batches of a case were seen to take beside their time, in ns.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Untimed {
    /// Of the fewest iterations that were tried, with their number.
    few: Option<(u64, f64)>,
    /// Of the number that was tried last.
    last: Option<(u64, f64)>,
    /// The least of all: the set-up of a batch is no longer than that.
    least: Option<f64>,
}

impl Untimed {
    /// Notes that a batch of `iterations` has taken `aside_ns` beside its time. Of equal batches the quickest counts: one that has waited
    /// for a processor says nothing of the others.
    pub fn see(&mut self, iterations: u64, aside_ns: f64) {
        let quickest = |known: Option<(u64, f64)>| match known {
            Some((n, ns)) if n == iterations => (n, ns.min(aside_ns)),
            _ => (iterations, aside_ns),
        };
        self.last = Some(quickest(self.last));
        self.least = Some(self.least.map_or(aside_ns, |ns| ns.min(aside_ns)));
        if self.few.is_none_or(|(n, _)| iterations <= n) {
            self.few = Some(quickest(self.few));
        }
    }

    /// Whether batches of two lengths were seen: only they show what is of the batch and what of each iteration.
    pub fn is_told_apart(&self) -> bool {
        self.few.map(|(n, _)| n) != self.last.map(|(n, _)| n)
    }

    /// Of each iteration; all of it before anything is told apart.
    pub fn each_ns(&self) -> f64 {
        match (self.few, self.last) {
            (Some((few, aside)), Some((many, more))) if few != many => {
                ((more - aside) / (many as f64 - few as f64)).max(0.0)
            }
            (_, Some((n, aside))) => aside / n.max(1) as f64,
            _ => 0.0,
        }
    }

    /// Of a batch, whatever its length.
    pub fn setup_ns(&self) -> f64 {
        match (self.few, self.least) {
            (Some((few, aside)), Some(least)) if self.is_told_apart() => {
                (aside - self.each_ns() * few as f64).clamp(0.0, least)
            }
            _ => 0.0,
        }
    }

    /// Wall time of a batch of so many iterations, of which each takes `timed_ns`.
    pub fn batch_ns(&self, iterations: u64, timed_ns: f64) -> f64 {
        self.setup_ns() + iterations as f64 * (timed_ns + self.each_ns())
    }

    /// Iterations of a batch that takes no longer than `most_ns`; 1 where there is none.
    pub fn iterations_within(&self, most_ns: f64, timed_ns: f64) -> u64 {
        let each_ns = (timed_ns + self.each_ns()).max(1e-3);
        ((most_ns - self.setup_ns()) / each_ns).max(1.0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(batches: &[(u64, f64)]) -> Untimed {
        let mut untimed = Untimed::default();
        batches.iter().for_each(|(n, ns)| untimed.see(*n, *ns));
        untimed
    }

    #[test]
    fn set_up_of_a_batch_is_told_from_that_of_each_call() {
        let of = |batches: &[(u64, f64)]| (seen(batches).setup_ns(), seen(batches).each_ns());
        assert_eq!(of(&[(1, 5e6), (16, 5e6)]), (5e6, 0.0), "of a batch");
        assert_eq!(of(&[(1, 1000.0), (16, 16_000.0)]), (0.0, 1000.0), "of each call");
        assert_eq!(of(&[(1, 3000.0), (11, 13_000.0)]), (2000.0, 1000.0), "both");
        assert_eq!(of(&[(16, 5e6), (1, 5e6)]), (0.0, 5e6), "the fewest were the last");
        assert_eq!(of(&[(1, 5e6)]), (0.0, 5e6), "nothing is told apart");
        assert_eq!(of(&[]), (0.0, 0.0));
    }

    #[test]
    fn of_equal_batches_the_quickest_counts() {
        assert_eq!(seen(&[(1, 100.0), (16, 9000.0), (16, 1600.0)]).each_ns(), 100.0);
        assert_eq!(seen(&[(16, 1600.0), (16, 9000.0)]).each_ns(), 100.0);
    }

    #[test]
    fn wall_time_bounds_iterations() {
        let each = seen(&[(1, 10_000.0), (16, 160_000.0)]);
        assert_eq!(each.iterations_within(1e7, 0.0), 1000);
        assert_eq!(each.batch_ns(10, 1.0), 100_010.0);
        // A set-up of the batch alone leaves room for all that its time allows.
        let once = seen(&[(1, 5e6), (16, 5e6)]);
        assert_eq!(once.iterations_within(1e7, 1.0), 5_000_000);
        assert_eq!(once.iterations_within(1e6, 1.0), 1);
    }
}
