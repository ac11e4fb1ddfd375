//! The order in which the processes of a block are launched. Being first may be an advantage or a
//! disadvantage, so no variant may be first too often. Two blocks of a case form a couple: the second
//! has the reverse order of the first.

use derny_stats::Rng;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Launch orders of a case's blocks, each as a list of variants. Contains only blocks that count or are
/// in progress.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaunchOrders(BTreeMap<u32, Vec<usize>>);

impl LaunchOrders {
    /// Records the order of a block.
    pub fn note(&mut self, block: u32, order: Vec<usize>) {
        self.0.insert(block, order);
    }

    /// Records the order of a block from the position of each variant's process.
    pub fn note_places(&mut self, block: u32, places: &[u32]) {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&variant| places[variant]);
        self.note(block, order);
    }

    /// Forgets a block that turned out not to count. The next block can then use its order.
    pub fn forget(&mut self, block: u32) {
        self.0.remove(&block);
    }

    /// Returns the order of a block that was launched before.
    pub fn of(&self, block: u32) -> Option<&Vec<usize>> {
        self.0.get(&block)
    }

    fn sum_of_places(&self, variant: usize) -> usize {
        let places = self.0.values().map(|order| order.iter().position(|&other| other == variant));
        places.map(Option::unwrap_or_default).sum()
    }
}

/// Returns the order for the next block of these cases. Variants that were launched late so far come
/// early. Ties are broken at random.
pub fn next(variants: usize, cases: &[&LaunchOrders], rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..variants).collect();
    rng.shuffle(&mut order);
    let places = |variant: usize| cases.iter().map(|case| case.sum_of_places(variant)).sum::<usize>();
    order.sort_by_cached_key(|&variant| Reverse(places(variant)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chooses and records the launch orders of these blocks of a case, one after the other.
    fn launch(orders: &mut LaunchOrders, variants: usize, blocks: std::ops::Range<u32>, rng: &mut Rng) {
        for block in blocks {
            let order = next(variants, &[orders], rng);
            orders.note(block, order);
        }
    }

    fn base_first(orders: &LaunchOrders) -> usize {
        orders.0.values().filter(|order| order[0] == 0).count()
    }

    #[test]
    fn pairs_come_in_couples_and_the_lot_decides_each() {
        let mut firsts = std::collections::BTreeSet::new();
        for seed in 0..20 {
            let (mut orders, mut rng) = (LaunchOrders::default(), Rng::new(seed));
            launch(&mut orders, 2, 0..8, &mut rng);
            for couple in [0, 2, 4, 6] {
                assert_ne!(orders.of(couple), orders.of(couple + 1));
            }
            firsts.insert([0, 2, 4, 6].map(|couple| orders.of(couple).unwrap()[0]));
        }
        assert!(firsts.len() > 5, "{firsts:?}");
    }

    #[test]
    fn of_many_sides_the_second_block_of_a_couple_has_the_order_reversed() {
        for variants in [1, 3, 5] {
            let (mut orders, mut rng) = (LaunchOrders::default(), Rng::new(7));
            launch(&mut orders, variants, 0..6, &mut rng);
            for couple in [0, 2, 4] {
                let mut mirrored = orders.of(couple + 1).unwrap().clone();
                mirrored.reverse();
                assert_eq!(orders.of(couple), Some(&mirrored));
            }
        }
    }

    #[test]
    fn a_block_that_does_not_count_is_made_up_for() {
        let (mut orders, mut rng) = (LaunchOrders::default(), Rng::new(3));
        launch(&mut orders, 2, 0..8, &mut rng);
        let lost = orders.of(5).unwrap().clone();
        orders.forget(5);
        assert_eq!(next(2, &[&orders], &mut rng), lost);
    }

    #[test]
    fn a_run_that_goes_on_makes_up_for_records_without_places() {
        let (mut orders, mut rng) = (LaunchOrders::default(), Rng::new(3));
        (0..4).for_each(|block| orders.note_places(block, &[0, 1]));
        launch(&mut orders, 2, 4..8, &mut rng);
        assert_eq!(base_first(&orders), 4);
        let mut three = LaunchOrders::default();
        three.note_places(0, &[2, 0, 1]);
        assert_eq!(three.of(0), Some(&vec![1, 2, 0]));
    }

    #[test]
    fn cases_that_share_a_block_are_balanced_together() {
        let (mut a, mut b) = (LaunchOrders::default(), LaunchOrders::default());
        (0..2).for_each(|block| a.note_places(block, &[0, 1]));
        b.note_places(2, &[1, 0]);
        assert_eq!(next(2, &[&a, &b], &mut Rng::new(1)), [1, 0]);
        (3..6).for_each(|block| b.note_places(block, &[1, 0]));
        assert_eq!(next(2, &[&a, &b], &mut Rng::new(1)), [0, 1]);
    }
}
