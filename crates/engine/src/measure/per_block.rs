//! Environment variables with a different value in every block, but the same value for all variants of a
//! block. An example is the seed of a runtime's hashes.

use derny_stats::rng::Rng;
use std::env;

/// A variable, and the minimum and maximum of its integer values.
pub type Range = (String, [u64; 2]);

/// Returns the variables of a block with their values. Excludes variables that the user has set: in
/// `own`, the environment of the launch, or in the engine's environment.
pub fn variables(ranges: &[Range], own: &[(String, String)], seed: u64, block: u32) -> Vec<(String, String)> {
    let is_set = |name: &str| own.iter().any(|(set, _)| set == name) || env::var_os(name).is_some();
    let mut rng = Rng::new(seed).fork(u64::from(block));
    ranges
        .iter()
        .map(|(name, [least, greatest])| {
            let span = greatest.saturating_sub(*least).saturating_add(1);
            (name.clone(), (least + rng.below(span)).to_string())
        })
        .filter(|(name, _)| !is_set(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_values_of_its_own_that_its_processes_share() {
        let ranges =
            [("DERNY_TEST_SEED".to_string(), [1, 4_294_967_295]), ("DERNY_TEST_ONE".to_string(), [7, 7])];
        let of = |seed, block| variables(&ranges, &[], seed, block);
        assert_eq!(of(1, 5), of(1, 5));
        assert_eq!(of(1, 5)[1].1, "7");
        let mut seen: Vec<_> = (0..50).map(|block| of(1, block)[0].1.parse::<u64>().unwrap()).collect();
        assert!(seen.iter().all(|value| (1..=4_294_967_295).contains(value)));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 50);
        assert_ne!(of(1, 5), of(2, 5));
    }

    #[test]
    fn what_the_user_has_set_stays() {
        let ranges = [("DERNY_TEST_SEED".to_string(), [1, 9]), ("PATH".to_string(), [1, 9])];
        let own = [("DERNY_TEST_SEED".to_string(), "0".to_string())];
        assert_eq!(variables(&ranges, &own, 1, 1), []);
    }
}
