//! Replaces the crate divan. It has the same names, but the engine controls the loops.

#![allow(missing_docs, dead_code, clippy::all)]
#![allow(unexpected_cfgs, unused_imports)]

include!("../shared.rs");

mod bencher;
pub mod counter;
#[doc(hidden)]
pub mod entry;
mod runner;
mod threads;

pub use crate::alloc::CountingAllocator as AllocProfiler;
pub use crate::bencher::Bencher;
pub use crate::runner::Divan;
pub use divan_macros::{bench, bench_group};
pub use std::hint::black_box;

impl<A> AllocProfiler<A> {
    /// Returns an allocator that counts requests to another allocator.
    pub const fn new(allocator: A) -> AllocProfiler<A> {
        AllocProfiler::around(allocator)
    }
}

#[doc(hidden)]
pub use crate::entry as __private;

pub fn main() {
    Divan::from_args().main();
}

/// Drops a value in a way that the compiler cannot optimise away.
pub fn black_box_drop<T>(dummy: T) {
    drop(black_box(dummy));
}
