//! What is measured: each benchmark with its input, and the timed loop of its own around it.

use crate::recorded;
use derny_protocol::{Command, Reply};
use derny_stats::{Rng, hodges_lehmann, median, signed_rank, steady};
use std::hint::black_box;
use std::time::Instant;

/// Calls the measured function so many times; the time of all calls in ns.
pub type Body = Box<dyn FnMut(u64) -> u64>;

/// A name, the values of its parameter `n` if it has one, and how to set it up for one of them.
pub struct Benchmark {
    /// Its name.
    pub name: &'static str,
    /// Values of `n`.
    pub n: &'static [usize],
    /// The set-up; `n` is 0 for a benchmark without it. An error is a sentence.
    pub make: fn(usize) -> Result<Body, String>,
}

/// All benchmarks, in the order in which `list` tells them.
pub const BENCHMARKS: &[Benchmark] = &[
    // One of each per turn: these bound how much of a run is spent outside timed regions.
    Benchmark { name: "protocol/print measure", n: &[], make: print_measure },
    Benchmark { name: "protocol/parse times", n: &[1, 100, 1000], make: parse_times },
    Benchmark { name: "stats/median", n: &[100], make: |n| over(n, median) },
    Benchmark { name: "store/record turn", n: &[100], make: recorded::turns },
    // Some per visit.
    Benchmark { name: "stats/is_steady", n: &[100], make: |n| over(n, steady::is_steady) },
    Benchmark { name: "stats/classify", n: &[200], make: |n| over(n, steady::classify) },
    // A few per case.
    Benchmark { name: "stats/hodges_lehmann", n: &[8, 40, 400], make: |n| over(n, hodges_lehmann) },
    Benchmark {
        name: "stats/signed rank interval",
        n: &[8, 40],
        make: |n| over(n, |values| signed_rank::interval(values, 0.05)),
    },
];

/// A loop around `call` that is compiled for it alone; the sink is `black_box`.
pub fn body<R>(mut call: impl FnMut() -> R + 'static) -> Body {
    Box::new(move |iterations| {
        let start = Instant::now();
        for _ in 0..iterations {
            black_box(call());
        }
        start.elapsed().as_nanos() as u64
    })
}

/// A statistic over `n` values with 1 % of noise, as turns have it.
fn over<R: 'static>(n: usize, statistic: fn(&[f64]) -> R) -> Result<Body, String> {
    let mut rng = Rng::new(1);
    let values: Vec<f64> = (0..n).map(|_| 100.0 + rng.normal()).collect();
    Ok(body(move || statistic(black_box(&values))))
}

fn print_measure(_: usize) -> Result<Body, String> {
    let command =
        Command::Measure { iterations: 412, batches: 100, within_ns: 2_000_000, mode: None, hash: false };
    Ok(body(move || black_box(&command).to_string()))
}

fn parse_times(n: usize) -> Result<Body, String> {
    let line = Reply::Times(recorded::times(n)).to_string();
    Reply::parse(&line).map_err(|error| error.to_string())?;
    Ok(body(move || Reply::parse(black_box(&line))))
}
