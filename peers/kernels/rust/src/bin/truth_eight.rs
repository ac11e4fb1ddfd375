//! `truth_eight KERNEL ROUNDS PER_MILLE...`: measures how much longer a call of one of the eight kernels
//! really takes with additional steps, alternating in random order within one process. Prints a line with the
//! time of a call without them in ns, and a line `per-mille ratio` for each, with medians over the rounds.

use kernels::eight::{Kernel, NAMES, more_steps};
use kernels::{SEED, mix};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let name = arguments.get(1).map_or("", String::as_str);
    let numbers: Vec<i64> = arguments.iter().skip(2).filter_map(|word| word.parse().ok()).collect();
    let (Some((&rounds, per_mille)), true) = (numbers.split_first(), NAMES.contains(&name)) else {
        eprintln!("usage: truth_eight {} ROUNDS PER_MILLE...", NAMES.join("|"));
        return ExitCode::from(2);
    };
    let mut kernel = Kernel::new(name);
    // The first is the reference.
    let steps: Vec<u64> = std::iter::once(0).chain(per_mille.iter().copied()).map(more_steps).collect();
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); per_mille.len()];
    let mut yardsticks = Vec::new();
    // The shortest calls take some microseconds.
    let calls = if name == "sleep" { 1 } else { 8 };
    let mut seed = SEED;
    for _ in 0..rounds {
        let mut order: Vec<usize> = (0..steps.len()).collect();
        for i in (1..order.len()).rev() {
            seed = mix(1, seed);
            order.swap(i, (seed % (i as u64 + 1)) as usize);
        }
        let mut times = vec![0.0; order.len()];
        for place in order {
            let start = Instant::now();
            for _ in 0..calls {
                kernel.call(steps[place]);
            }
            times[place] = start.elapsed().as_nanos() as f64;
        }
        yardsticks.push(times[0] / f64::from(calls));
        for (all, time) in ratios.iter_mut().zip(&times[1..]) {
            all.push(time / times[0]);
        }
    }
    println!("{:.1}", median(yardsticks));
    for (per_mille, all) in per_mille.iter().zip(ratios) {
        println!("{per_mille} {:.5}", median(all));
    }
    ExitCode::SUCCESS
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
