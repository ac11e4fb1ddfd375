//! Defines benchmarks for Derny and runs the timed loops. The engine `derny` measures and compares
//! them, and shows how reliable the results are.
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
//! `protocol/PROTOCOL.md` describes the protocol between the engine and this crate.

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
/// Hides a value from the optimiser. The compiler must compute the value, and cannot make assumptions about
/// the returned one.
pub use std::hint::black_box;

/// Defines the `main` function of a benchmark program from the functions that define its benchmarks. If the
/// program is a `[[bench]]` target, the target needs `harness = false`.
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
