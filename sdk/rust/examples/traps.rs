//! What an optimising compiler does to a careless benchmark, wrong and right side by side: `cargo run --release --example
//! traps`. The wrong ones cost nothing, which Derny says (DY202).

use derny_bench::{black_box, Suite};

fn digits(mut n: u64) -> u32 {
    let mut count = 1;
    while n >= 10 {
        n /= 10;
        count += 1;
    }
    count
}

fn traps(suite: &mut Suite) {
    suite.group("digits", |suite| {
        // The argument is a constant: the compiler counts its digits itself.
        suite.bench("wrong: of a constant", || digits(1_234_567_890));
        // The result is not used: nothing is left to do.
        suite.bench("wrong: unused", || {
            digits(black_box(1_234_567_890));
        });
        suite.bench("right: of something unknown", || digits(black_box(1_234_567_890)));
        // What the set-up makes is unknown in every call, without `black_box`.
        suite.define("right: of what was set up").setup(|_| 1_234_567_890).run(|n| digits(*n));
    });
}

derny_bench::main!(traps);
