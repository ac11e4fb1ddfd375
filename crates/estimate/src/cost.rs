//! What a process spent in all: what mean time is made of.

use crate::turn;
use derny_model::{Collector, Metric, Phase, Turn};

/// What the measured turns of a process took in all, with those of windows and rejected ones: leaving out what `--reject` measured again would hide the very
/// cost that mean time is there to show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Processor time in ns; none where one of the turns does not know it.
    pub cpu_ns: Option<f64>,
    /// Timed time in ns.
    pub wall_ns: f64,
    /// Operations.
    pub operations: f64,
    /// A collector ran in one of the turns, or nobody could tell.
    pub collected: bool,
}

impl Default for Cost {
    fn default() -> Cost {
        Cost { cpu_ns: Some(0.0), wall_ns: 0.0, operations: 0.0, collected: false }
    }
}

impl Cost {
    /// Nothing yet, of a process of which this is known.
    pub fn new(collector: Option<Collector>) -> Cost {
        Cost { collected: matches!(collector, None | Some(Collector::Untold)), ..Cost::default() }
    }

    /// Adds a turn whose counters are those of `metrics`; one of another phase is nothing.
    pub fn add(&mut self, turn: &Turn, metrics: &[Metric], ops_per_iteration: f64) {
        if !matches!(turn.phase, Phase::Measured | Phase::Rejected | Phase::Window) {
            return;
        }
        let told = || metrics.iter().zip(&turn.counters);
        self.collected |= told()
            .any(|(metric, value)| metric.counts_collections() && value.is_some_and(|count| count > 0.0));
        if turn.times_ns.is_empty() {
            return;
        }
        let (wall_ns, operations) = turn::totals(turn, ops_per_iteration);
        self.wall_ns += wall_ns;
        self.operations += operations;
        let cpu_ns = told()
            .find(|(metric, _)| metric.name == "cpu" && metric.unit == "ns")
            .and_then(|(_, value)| *value);
        self.cpu_ns = self.cpu_ns.zip(cpu_ns).map(|(sum, cpu)| sum + cpu);
    }

    /// Time per operation in ns: of the processor, or of the clock; none where it is not positive.
    pub fn per_operation(&self, by_cpu: bool) -> Option<f64> {
        let spent = if by_cpu { self.cpu_ns? } else { self.wall_ns };
        Some(spent / self.operations).filter(|value| value.is_finite() && *value > 0.0)
    }
}

/// Whether mean time is that of the processor: where all processes of both sides know it.
pub fn by_cpu<'a>(costs: impl IntoIterator<Item = &'a Cost>) -> bool {
    costs.into_iter().all(|cost| cost.cpu_ns.is_some_and(|cpu| cpu > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{Direction, Kind};

    fn metrics() -> Vec<Metric> {
        [("cpu", "ns"), ("gc", "count")]
            .map(|(name, unit)| Metric {
                name: name.into(),
                unit: unit.into(),
                kind: Kind::Total,
                direction: Direction::Less,
                exact: false,
            })
            .into()
    }

    fn of(phase: Phase, counters: Vec<Option<f64>>) -> Cost {
        let mut cost = Cost::new(Some(Collector::Counted));
        cost.add(&Turn { phase, times_ns: vec![10, 30], counters, ..turn::tests::turn() }, &metrics(), 1.0);
        cost
    }

    #[test]
    fn rejected_turns_count_and_others_do_not() {
        let told = || vec![Some(40.0), Some(0.0)];
        let measured = of(Phase::Measured, told());
        assert_eq!(measured, Cost { cpu_ns: Some(40.0), wall_ns: 40.0, operations: 2.0, collected: false });
        assert_eq!(of(Phase::Rejected, told()), measured);
        assert_eq!(of(Phase::Window, told()), measured);
        assert_eq!(of(Phase::WarmUp, told()), Cost::default());
        assert_eq!((measured.per_operation(true), measured.per_operation(false)), (Some(20.0), Some(20.0)));
    }

    #[test]
    fn one_process_without_processor_time_is_enough_for_the_clock() {
        let known = of(Phase::Measured, vec![Some(40.0), Some(0.0)]);
        let untold = of(Phase::Measured, vec![None, Some(2.0)]);
        assert!(by_cpu([&known]) && !by_cpu([&known, &untold]));
        assert!(untold.collected && !known.collected);
        assert!(Cost::new(Some(Collector::Untold)).collected && Cost::new(None).collected);
        assert!(!Cost::new(Some(Collector::None)).collected);
    }
}
