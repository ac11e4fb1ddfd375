//! Shows how an optimising compiler spoils careless benchmarks. Wrong and right versions are side by side:
//! `cargo run --release --example traps`. The wrong ones take no time at all, and Derny warns about them
//! (DY202).

use derny_bench::{black_box, Suite};

/// Applies sixteen rounds of a mixing function, which takes about 15 ns.
fn mix(mut n: u64) -> u64 {
    for _ in 0..16 {
        n = (n ^ (n >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    n
}

fn traps(suite: &mut Suite) {
    suite.group("mix", |suite| {
        // The argument is a constant, so the compiler computes the result at compile time.
        suite.bench("wrong: of a constant", || mix(7));
        // The result is unused, so the compiler removes the computation.
        suite.bench("wrong: unused", || {
            mix(black_box(7));
        });
        suite.bench("right: of something unknown", || mix(black_box(7)));
        // A value from the set-up is opaque to the compiler in every call, even without `black_box`.
        suite.define("right: of what was set up").setup(|_| 7).run(|n| mix(*n));
    });
}

derny_bench::main!(traps);
