pub fn sum(n: u64) -> u64 {
    let times = if cfg!(feature = "more") { 2 } else { 1 };
    (0..n * times).map(std::hint::black_box).sum()
}
