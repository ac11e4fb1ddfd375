//! The first useful look. With too few pairs, chance explains even the most extreme result.

use crate::family::share;
use crate::level::{Levels, Sequence};
use crate::paired::least_p_of_waves;
use std::sync::Arc;

impl Levels {
    /// Returns the first look at which typical time can distinguish a change from chance, or the last look if
    /// none can. `comparisons` is [`crate::change::Terms::comparisons`]. `mean` is true if mean time is
    /// requested for each comparison. `sequence` returns the looks taken if the given one is the last.
    ///
    /// At each look, the smallest possible p-value is compared with the error level. It occurs if all
    /// pairs have equal signs, which is true of 2 in 2^n combinations. In a plan with waves, each look adds
    /// one wave. The p-value then depends on the number of ways to divide the processes of each wave.
    pub fn telling_look(
        &self,
        looks: &[u32],
        comparisons: usize,
        mean: bool,
        sequence: impl Fn(usize) -> Arc<Sequence>,
    ) -> u32 {
        let most = self.error() * share(comparisons, mean);
        let least_p = |look: u32| {
            let before = [0].iter().chain(looks).filter(|before| **before < look);
            let waves = before.zip(looks).map(|(before, look)| (look - before) as usize);
            if self.in_waves {
                least_p_of_waves(&waves.collect::<Vec<usize>>())
            } else {
                0.5_f64.powi(look as i32 - 1)
            }
        };
        let tells =
            |look: &&u32| sequence(**look as usize).repeated(**look as usize, least_p(**look)) <= most;
        looks.iter().find(tells).or(looks.last()).copied().unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_comparisons_need_more_pairs_before_one_can_be_told_from_chance() {
        let (levels, looks) = (Levels::at(40, 0.95), [8, 11, 15, 21, 29, 40]);
        let told = |many, sequence: &dyn Fn(usize) -> Arc<Sequence>| {
            levels.telling_look(&looks, many, true, sequence)
        };
        // The last look spends the remaining error. 0.05 / 1.5 is more than 2 / 2^8, and 0.05 / 210 is less
        // than 2 / 2^13.
        let ended = |n: usize| levels.until(n, true);
        assert_eq!([1, 13, 140, 10_000].map(|many| told(many, &ended)), [8, 11, 15, 21]);
        // A single look of a plan for 40 pairs spends only its share. Its repeated p-value for 2 / 2^8 is
        // 0.026, which lies between 0.05 / 3 and 0.05 / 1.5.
        let alone = |n: usize| levels.sequence(&[n], false);
        assert_eq!([1, 2, 64, 10_000].map(|many| told(many, &alone)), [8, 11, 15, 21]);
        assert_eq!(levels.telling_look(&looks[..1], 140, true, ended), 8);
        let few = Levels::at(8, 0.95);
        assert_eq!(few.telling_look(&[6, 8], 1, true, |n| few.sequence(&[n], false)), 8);
    }
}
