//! Measures the floor: an empty body as the 1st, the 5th and the 20th benchmark of a program must cost the
//! same.

use derny_bench::Suite;

fn floor(suite: &mut Suite) {
    for position in 1..=20_u64 {
        // The bodies in between do some work, so that the loops differ.
        match position {
            1 | 5 | 20 => suite.bench(&format!("empty at {position}"), || {}),
            _ => suite.bench(&format!("product at {position}"), move || derny_bench::black_box(position) * 3),
        }
    }
}

derny_bench::main!(floor);
