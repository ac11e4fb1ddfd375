//! `command KERNEL ITERATIONS`: a whole command, for tools that time commands and for counting instructions.

use kernels::{Chase, SEED, mix, steps};
use std::hint::black_box;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let (kernel, iterations) = match &arguments[1..] {
        [kernel, iterations] => (kernel.as_str(), iterations.parse::<u64>()),
        _ => ("", Ok(0)),
    };
    let steps = steps();
    match (kernel, iterations) {
        ("mix", Ok(iterations)) => {
            for _ in 0..iterations {
                black_box(mix(black_box(steps), black_box(SEED)));
            }
        }
        ("chase", Ok(iterations)) => {
            let mut chase = Chase::new(SEED);
            for _ in 0..iterations {
                black_box(chase.walk(black_box(steps)));
            }
        }
        _ => {
            eprintln!("usage: [KERNEL_EXTRA=STEPS] command mix|chase ITERATIONS");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
