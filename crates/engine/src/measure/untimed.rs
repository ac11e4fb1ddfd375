//! Untimed work of batches, such as a set-up. Like timed work, it takes wall time. The engine limits the
//! number of iterations to limit the wall time of a batch.

/// The untimed time observed for the batches of a case, in ns.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Untimed {
    /// Smallest number of iterations tried, and the untimed time of a batch with that number.
    few: Option<(u64, f64)>,
    /// Last number of iterations tried, and the untimed time of a batch with that number.
    last: Option<(u64, f64)>,
    /// Minimum of all untimed times, which is an upper limit for the set-up of a batch.
    least: Option<f64>,
}

impl Untimed {
    /// Records that a batch of `iterations` had `aside_ns` of untimed time. For equal iterations, keeps
    /// the minimum, because a batch that waited for a processor is not typical.
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

    /// Returns true if batches of two sizes were observed. Only then can the time per batch be separated from
    /// the time per iteration.
    pub fn is_told_apart(&self) -> bool {
        self.few.map(|(n, _)| n) != self.last.map(|(n, _)| n)
    }

    /// Returns the untimed time per iteration in ns. Until set-up can be separated, all untimed time
    /// counts as time per iteration.
    pub fn each_ns(&self) -> f64 {
        match (self.few, self.last) {
            (Some((few, aside)), Some((many, more))) if few != many => {
                ((more - aside) / (many as f64 - few as f64)).max(0.0)
            }
            (_, Some((n, aside))) => aside / n.max(1) as f64,
            _ => 0.0,
        }
    }

    /// Returns the untimed time per batch in ns that does not depend on the number of iterations.
    pub fn setup_ns(&self) -> f64 {
        match (self.few, self.least) {
            (Some((few, aside)), Some(least)) if self.is_told_apart() => {
                (aside - self.each_ns() * few as f64).clamp(0.0, least)
            }
            _ => 0.0,
        }
    }

    /// Returns the wall time in ns of a batch of this many iterations, each of which takes `timed_ns`.
    pub fn batch_ns(&self, iterations: u64, timed_ns: f64) -> f64 {
        self.setup_ns() + iterations as f64 * (timed_ns + self.each_ns())
    }

    /// Returns the largest number of iterations whose batch takes at most `most_ns`, or 1 if that is more.
    /// Each iteration takes `timed_ns` and its untimed time.
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
        // If only the batch has a set-up, the remaining time is for iterations.
        let once = seen(&[(1, 5e6), (16, 5e6)]);
        assert_eq!(once.iterations_within(1e7, 1.0), 5_000_000);
        assert_eq!(once.iterations_within(1e6, 1.0), 1);
    }
}
