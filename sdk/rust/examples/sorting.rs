//! Inputs that the body consumes: each call sorts its own list. The body returns the list, and `drop_outside`
//! excludes the cost of dropping it.

use derny_bench::{CountingAllocator, Suite};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::system();

/// Returns pseudo-random numbers, the same in every process, from Knuth's linear congruential generator MMIX.
fn numbers(n: usize) -> Vec<u32> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    (0..n).map(|_| next()).collect()
}

fn sorting(suite: &mut Suite) {
    suite.group("sort", |suite| {
        suite
            .define("stable")
            .param("n", [100, 10_000])
            .items(|params| params.get("n"))
            .drop_outside()
            .setup(|params| numbers(params.get("n")))
            .fresh(|list| list.clone())
            .run_hashed(|mut list| {
                list.sort();
                list
            });
        suite
            .define("unstable")
            .param("n", [100, 10_000])
            .items(|params| params.get("n"))
            .drop_outside()
            .setup(|params| numbers(params.get("n")))
            .fresh(|list| list.clone())
            .run_hashed(|mut list| {
                list.sort_unstable();
                list
            });
    });
}

derny_bench::main!(sorting);
