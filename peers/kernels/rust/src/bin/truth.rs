//! `truth KERNEL ROUNDS`: measures how much longer an iteration really takes with each extra, alternating in
//! random order within one process. Prints a line `extra ratio` for each, with the median over the rounds.
//! Counting instructions would miss a mispredicted end of the loop.

use kernels::{Chase, SEED, STEPS, mix};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// Extras of the trials. All are compared with the first.
const EXTRAS: [u64; 5] = [0, 16, 32, 64, 160];

/// Number of iterations between two readings of the clock, which take about half a millisecond.
const BATCH: u32 = 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let rounds = arguments.get(2).and_then(|rounds| rounds.parse().ok()).unwrap_or(0);
    let mut chase = Chase::new(SEED);
    let mut body: Box<dyn FnMut(u64)> = match arguments.get(1).map(String::as_str) {
        Some("mix") => Box::new(|steps| {
            black_box(mix(black_box(steps), black_box(SEED)));
        }),
        Some("chase") => Box::new(move |steps| {
            black_box(chase.walk(black_box(steps)));
        }),
        _ => {
            eprintln!("usage: truth mix|chase ROUNDS");
            return ExitCode::from(2);
        }
    };
    let mut ratios: Vec<Vec<f64>> = vec![Vec::with_capacity(rounds); EXTRAS.len()];
    let mut seed = SEED;
    for _ in 0..rounds {
        // The first extra is the reference and occurs twice. The ratio of extra 0 therefore shows the
        // remaining error.
        let mut order: Vec<usize> = (0..=EXTRAS.len()).collect();
        for i in (1..order.len()).rev() {
            seed = mix(1, seed);
            order.swap(i, (seed % (i as u64 + 1)) as usize);
        }
        let mut times = vec![0.0; order.len()];
        for place in order {
            let extra = if place == 0 { 0 } else { EXTRAS[place - 1] };
            let start = Instant::now();
            for _ in 0..BATCH {
                body(STEPS + extra);
            }
            times[place] = start.elapsed().as_nanos() as f64;
        }
        for (all, time) in ratios.iter_mut().zip(&times[1..]) {
            all.push(time / times[0]);
        }
    }
    for (extra, mut all) in EXTRAS.into_iter().zip(ratios) {
        all.sort_by(f64::total_cmp);
        println!("{extra} {:.5}", all.get(all.len() / 2).copied().unwrap_or(f64::NAN));
    }
    ExitCode::SUCCESS
}
