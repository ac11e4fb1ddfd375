//! A plain loop around one body: plain BODY [WARM_MS [MEASURE_MS [SLICE_NS]]]

use std::hint::black_box;
use std::time::{Duration, Instant};
use truth::{bodies, for_each_body, Inputs};

/// Maximum number of times in the median.
const SLICES: usize = 200_000;

struct Plan {
    warm: Duration,
    measure: Duration,
    slice_ns: f64,
}

/// Calls the body n times and drops its results. Returns the time in nanoseconds.
#[inline(never)]
fn slice<R>(n: u64, inputs: &mut Inputs, body: &impl Fn(&mut Inputs) -> R) -> f64 {
    let start = Instant::now();
    for _ in 0..n {
        black_box(body(black_box(inputs)));
    }
    start.elapsed().as_nanos() as f64
}

/// Returns the minor page faults of this process so far.
fn faults() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(7)?.parse().ok()
}

/// Calls the body until the time has passed. Returns the suitable number of calls per slice.
fn warm_up<R>(plan: &Plan, inputs: &mut Inputs, body: &impl Fn(&mut Inputs) -> R) -> u64 {
    let start = Instant::now();
    let mut n = 1;
    while start.elapsed() < plan.warm {
        let fitting = n as f64 * plan.slice_ns / slice(n, inputs, body).max(1.0);
        n = (fitting.round() as u64).clamp(1, 2 * n);
    }
    let best = (0..5).map(|_| slice(n, inputs, body) / n as f64).fold(f64::INFINITY, f64::min);
    ((plan.slice_ns / best).round() as u64).max(1)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let half = times.len() / 2;
    if times.len() % 2 == 1 {
        times[half]
    } else {
        (times[half - 1] + times[half]) / 2.0
    }
}

fn run<R>(plan: &Plan, body: impl Fn(&mut Inputs) -> R) {
    let inputs = &mut Inputs::new();
    // Fill the vector in advance, so that its pages exist before the measurement.
    let mut times = vec![1.0; SLICES];
    let n = warm_up(plan, inputs, &body);
    let before = faults();
    let start = Instant::now();
    let mut slices = 0;
    while start.elapsed() < plan.measure {
        let ns = slice(n, inputs, &body);
        if let Some(time) = times.get_mut(slices) {
            *time = ns;
        }
        slices += 1;
    }
    let (wall, after) = (start.elapsed().as_nanos() as f64, faults());
    let kept = slices.min(SLICES);
    let calls = slices as u64 * n;
    let faults = before.zip(after).map_or("null".to_string(), |(before, after)| (after - before).to_string());
    println!(
        "{{\"median_ns\":{},\"mean_ns\":{},\"calls\":{calls},\"slices\":{slices},\"collections\":null,\
         \"collection_ns\":null,\"faults\":{faults}}}",
        median(&mut times[..kept]) / n as f64,
        wall / calls as f64,
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, default: u64| words.get(i).map_or(default, |word| word.parse().expect("a number"));
    let plan = Plan {
        warm: Duration::from_millis(number(1, 1500)),
        measure: Duration::from_millis(number(2, 1500)),
        slice_ns: number(3, 20_000) as f64,
    };
    let wanted = words.first().expect("usage: plain BODY [WARM_MS [MEASURE_MS [SLICE_NS]]]");
    macro_rules! choose {
        ($($body:ident),*) => {
            match wanted.as_str() {
                $(stringify!($body) => run(&plan, bodies::$body),)*
                _ => panic!("no body is called {wanted}"),
            }
        };
    }
    for_each_body!(choose);
}
