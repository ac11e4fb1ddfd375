//! `derny-selfbench`: the engine measures its own performance-critical code.
//!
//! 1. `recorded` creates the data: turns as the engine receives them, and a store that records them.
//! 2. `of_a_turn` measures code that runs once per turn, between timed regions.
//! 3. `of_a_visit` and `of_a_case` measure code that runs less often.

mod recorded;

use derny_bench::Suite;
use derny_protocol::{Command, Reply};
use derny_stats::{Rng, hodges_lehmann, median, signed_rank, steady};

derny_bench::main!(of_a_turn, of_a_visit, of_a_case);

/// Adds operations that run once per turn, and so determine how much of a run is outside timed regions.
fn of_a_turn(suite: &mut Suite) {
    suite
        .define("protocol/print measure")
        .setup(|_| Command::Measure {
            iterations: 412,
            batches: 100,
            within_ns: 2_000_000,
            lead_ns: 0,
            mode: None,
            hash: false,
        })
        .run(|command| command.to_string());
    suite
        .define("protocol/parse times")
        .param("n", [1, 100, 1000])
        .setup(|params| Reply::Times(recorded::times(params.get("n"))).to_string())
        .run(|line| Reply::parse(line));
    over(suite, "stats/median", &[100], median);
    suite
        .define("store/record turn")
        .param("n", [100])
        .setup(|params| recorded::Recording::start(params.get("n")))
        .run(recorded::Recording::record);
}

/// Adds operations that run a few times per visit.
fn of_a_visit(suite: &mut Suite) {
    over(suite, "stats/is_warm", &[100], steady::is_warm);
    over(suite, "stats/classify", &[200], steady::classify);
}

/// Adds operations that run a few times per case.
fn of_a_case(suite: &mut Suite) {
    over(suite, "stats/hodges_lehmann", &[8, 40, 400], hodges_lehmann);
    over(suite, "stats/signed rank interval", &[8, 40], |values| signed_rank::interval(values, 0.05));
}

/// Adds a statistic over `n` values that have 1 % of noise, like those of turns.
fn over<R: 'static>(suite: &mut Suite, name: &str, n: &[usize], statistic: impl Fn(&[f64]) -> R + 'static) {
    let noisy = |n: usize| -> Vec<f64> {
        let mut rng = Rng::new(1);
        (0..n).map(|_| 100.0 + rng.normal()).collect()
    };
    suite
        .define(name)
        .param("n", n)
        .setup(move |params| noisy(params.get("n")))
        .run(move |values| statistic(values));
}
