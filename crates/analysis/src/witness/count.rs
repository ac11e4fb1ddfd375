//! Compares the time per operation for different numbers of iterations. Work done only once per batch shows
//! as time that does not grow with the iterations.

use super::calls::Single;
use super::side::{LEAST_BLOCKS, Side, SideVisit, Tested, time};
use derny_model::{Suspicion, WitnessTest};
use derny_stats::median;
use derny_stats::quantile::{quantile, sorted};

const LEAST: usize = 12;
const RATIO: f64 = 1.5;
/// Minimum share of a batch that does not grow with its iterations.
const FIXED: f64 = 0.25;
/// Minimum share by which a batch of one iteration takes longer than an iteration of a long batch.
const ALONE: f64 = 0.3;
/// Minimum excess over the base's fixed time, in clock steps.
const STEPS: f64 = 10.0;
const LEAST_NS: f64 = 100.0;

struct Growth {
    pairs: usize,
    each: f64,
    batch: f64,
    fixed: [f64; 2],
    /// Times of an operation in ns with few and with many iterations.
    few_and_many: [f64; 2],
}

impl Growth {
    fn of(side: &Side) -> Option<Growth> {
        let (mut slopes, mut few, mut many, mut each, mut batch) = <(Vec<f64>, _, _, _, _)>::default();
        let (few, many): (&mut Vec<f64>, &mut Vec<f64>) = (&mut few, &mut many);
        let (each, batch): (&mut Vec<f64>, &mut Vec<f64>) = (&mut each, &mut batch);
        for visit in &side.visits {
            let turns: Vec<(f64, f64)> = values(visit);
            each.extend(turns.iter().map(|turn| turn.1));
            batch.extend(turns.iter().map(|turn| turn.0 * turn.1));
            for (at, one) in turns.iter().enumerate() {
                for other in &turns[at + 1..] {
                    let (less, more) = if one.0 < other.0 { (one, other) } else { (other, one) };
                    if more.0 >= RATIO * less.0 {
                        slopes.push(libm::log(less.1 / more.1) / libm::log(more.0 / less.0));
                        few.push(less.1 / side.case.ops);
                        many.push(more.1 / side.case.ops);
                    }
                }
            }
        }
        let slopes = sorted(&slopes);
        (!slopes.is_empty()).then(|| Growth {
            pairs: slopes.len(),
            each: median(each),
            batch: median(batch),
            fixed: [quantile(&slopes, 0.5), quantile(&slopes, 0.25)],
            few_and_many: [median(few), median(many)],
        })
    }
}

fn values(visit: &SideVisit) -> Vec<(f64, f64)> {
    let value = |times: &[u64]| median(&times.iter().map(|ns| *ns as f64).collect::<Vec<f64>>());
    let turns = visit.measured().filter(|turn| turn.iterations > 0);
    let turns = turns.map(|turn| (turn.iterations as f64, value(&turn.times_ns) / turn.iterations as f64));
    turns.filter(|(_, each)| *each > 0.0).collect()
}

pub(super) struct Count<'a> {
    pub base: &'a Side<'a>,
    pub side: &'a Side<'a>,
}

impl Count<'_> {
    pub(super) fn test(&self) -> Tested {
        if self.side.case.max_iterations == Some(1) {
            return Err("its batches have one iteration".to_owned());
        }
        let (Some(base), Some(side)) = (Growth::of(self.base), Growth::of(self.side)) else {
            return Err("the number of iterations did not vary".to_owned());
        };
        if base.pairs.min(side.pairs) < LEAST || self.side.blocks() < LEAST_BLOCKS {
            return Err(format!("there are only {} pairs of turns to compare", side.pairs));
        }
        Ok(self.by_batches(&base, &side).or_else(|| self.by_single_calls(&base, &side)))
    }

    fn least_ns(&self) -> f64 {
        LEAST_NS + STEPS * self.side.step_ns
    }

    fn by_batches(&self, base: &Growth, side: &Growth) -> Option<Suspicion> {
        let usual = base.fixed[0].max(0.0) * base.batch;
        let beyond = side.fixed[0] * side.batch - 1.5 * usual - self.least_ns();
        if side.fixed[0] < FIXED || side.fixed[1] < FIXED / 2.0 || beyond < FIXED * side.batch {
            return None;
        }
        let [few, many] = side.few_and_many;
        Some(self.suspicion(many, few, side.pairs, "fewer iterations per batch"))
    }

    fn by_single_calls(&self, base: &Growth, side: &Growth) -> Option<Suspicion> {
        // In some processes of an honest program, single iterations are slow. In a program that cheats, they
        // are slow in all processes. Therefore, compare the slowest block of the base with the fastest block
        // of the variant.
        let [_, before] = Single::of(self.base, false).range()?;
        let [alone, _] = Single::of(self.side, false).range()?;
        let usual = before - base.each;
        let least = ALONE * side.each + 0.5 * usual.abs() + self.least_ns();
        if alone - side.each - usual.max(0.0) < least {
            return None;
        }
        let ops = self.side.case.ops;
        Some(self.suspicion(side.each / ops, alone / ops, side.pairs, "a single iteration per batch"))
    }

    fn suspicion(&self, claimed: f64, observed: f64, turns: usize, what: &str) -> Suspicion {
        Suspicion {
            test: WitnessTest::Count,
            claimed,
            observed,
            turns: turns as u32,
            message: format!(
                "claims {} per operation, but {} with {what}: it does not do all of its work in every iteration",
                time(claimed),
                time(observed)
            ),
        }
    }
}
