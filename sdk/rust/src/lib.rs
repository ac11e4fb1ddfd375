//! Benchmarks in Rust for Derny: this crate defines them and runs the timed loop; the engine
//! `derny` measures, compares and tells what the figures are worth.
//!
//! ```no_run
//! use derny_bench::{black_box, Suite};
//!
//! fn benchmarks(suite: &mut Suite) {
//!     suite.bench("fib", || fib(black_box(20)));
//!
//!     suite
//!         .define("join")
//!         .param("n", [10, 1000])
//!         .setup(|params| vec!["word"; params.get("n")])
//!         .run(|words| words.join(" "));
//! }
//!
//! fn fib(n: u64) -> u64 {
//!     if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
//! }
//!
//! derny_bench::main!(benchmarks);
//! ```
//!
//! The protocol stands in `protocol/PROTOCOL.md`; the parts here are those of every harness: `wire`, `clock`,
//! `loops`, `registry`, `turns`, `session`, `start`.

mod alloc;
mod clock;
mod hash;
mod loops;
mod once;
mod panics;
mod params;
mod registry;
mod session;
mod start;
mod turns;
mod wire;

pub use crate::alloc::CountingAllocator;
pub use crate::params::Params;
pub use crate::registry::{Better, Definition, Fresh, Kind, Prepared, Suite};
pub use crate::start::run;
/// Hides a value from the optimiser: the value must be computed, and the compiler cannot make assumptions
/// about the returned one.
pub use std::hint::black_box;

/// The `main` of a benchmark program, from the functions that define its benchmarks. The program's target
/// needs `harness = false` if it is a `[[bench]]`.
///
/// ```no_run
/// fn strings(suite: &mut derny_bench::Suite) {
///     suite.bench("upper", || derny_bench::black_box("word").to_uppercase());
/// }
///
/// derny_bench::main!(strings);
/// ```
#[macro_export]
macro_rules! main {
    ($($define:path),+ $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            $crate::run(::std::option_env!("CARGO_MANIFEST_DIR"), |suite| {
                $($define(suite);)+
            })
        }
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
