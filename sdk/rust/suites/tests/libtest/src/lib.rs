/// Returns the sum of the first numbers.
pub fn sum(n: u64) -> u64 {
    (0..n).fold(if cfg!(other) { 1 } else { 0 }, |sum, n| sum ^ n)
}
