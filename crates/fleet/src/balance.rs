//! Assigns blocks to shards: the longest first, each to the shard with the least work so far (Graham 1969).
//! The result depends only on the blocks.

use derny_model::{PlannedBlock, PlannedShard};
use std::cmp::Reverse;

/// Divides blocks among `shards` shards. Each block goes to `copies` different shards. `setup_ns` is the time
/// that a shard with blocks needs before it measures.
pub fn balance(mut blocks: Vec<PlannedBlock>, copies: u32, shards: u32, setup_ns: u64) -> Vec<PlannedShard> {
    blocks.sort_by_key(|block| (Reverse(block.cost_ns), block.case));
    let mut all = vec![PlannedShard::default(); shards as usize];
    for block in blocks {
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|at| (all[*at].cost_ns, *at));
        for at in order.into_iter().take(copies as usize) {
            all[at].cost_ns += block.cost_ns;
            all[at].blocks.push(block.clone());
        }
    }
    for shard in all.iter_mut().filter(|shard| !shard.blocks.is_empty()) {
        shard.cost_ns += setup_ns;
        shard.blocks.sort_by_key(|block| block.case);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(costs: &[u64]) -> Vec<PlannedBlock> {
        (0..).zip(costs).map(|(case, cost_ns)| PlannedBlock { case, pairs: 8, cost_ns: *cost_ns }).collect()
    }

    #[test]
    fn costs_are_balanced_and_every_block_is_whole() {
        let shards = balance(blocks(&[9, 1, 1, 1, 5, 4, 3, 2, 2, 2]), 1, 3, 0);
        let costs: Vec<u64> = shards.iter().map(|shard| shard.cost_ns).collect();
        assert_eq!(costs, [10, 10, 10]);
        let mut cases: Vec<u32> = shards.iter().flat_map(|s| &s.blocks).map(|block| block.case).collect();
        cases.sort_unstable();
        assert_eq!(cases, (0..10).collect::<Vec<u32>>());
    }

    #[test]
    fn copies_of_a_case_are_in_different_shards() {
        let shards = balance(blocks(&[5, 4, 3]), 2, 3, 7);
        for case in 0..3 {
            let has = |shard: &&PlannedShard| shard.blocks.iter().any(|block| block.case == case);
            assert_eq!(shards.iter().filter(has).count(), 2);
        }
        assert!(shards.iter().all(|shard| shard.cost_ns >= 7 + 3));
        let few = balance(blocks(&[5]), 1, 3, 7);
        assert_eq!(few.iter().map(|shard| shard.cost_ns).collect::<Vec<u64>>(), [12, 0, 0]);
    }
}
