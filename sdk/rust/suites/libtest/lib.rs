//! Replaces the built-in crate test and provides all of its names. The engine controls the loops of
//! `#[bench]` functions. Other tests of the program do not run.

#![feature(test)]
#![allow(missing_docs, dead_code, clippy::all)]
#![allow(unexpected_cfgs, unused_imports)]

extern crate test as own;

include!("../shared.rs");

use crate::bodies::{Case, Plain};
use crate::live::Found;
pub use own::*;

pub struct Bencher {
    /// Bytes per iteration. Ignored, because cases are listed before the benchmark sets it.
    pub bytes: u64,
}

impl Bencher {
    pub fn iter<T, F>(&mut self, inner: F)
    where
        F: FnMut() -> T,
    {
        live::serve(&mut Case(Plain(inner)));
    }
}

/// A test or benchmark, as the compiler generates it.
pub struct TestDescAndFn {
    pub desc: TestDesc,
    pub testfn: TestFn,
}

pub enum TestFn {
    StaticTestFn(fn() -> Result<(), String>),
    StaticBenchFn(fn(&mut Bencher) -> Result<(), String>),
}

pub use TestFn::{StaticBenchFn, StaticTestFn};

/// Runs the benchmarks. The `main` that the compiler generates calls this function with all tests, sorted by
/// name.
pub fn test_main_static(tests: &[&TestDescAndFn]) {
    let walk = || tests.iter().for_each(|test| reached(test));
    live::main(&[("benches", &walk)]);
}

pub fn test_main_static_abort(tests: &[&TestDescAndFn]) {
    test_main_static(tests);
}

fn reached(test: &TestDescAndFn) {
    let StaticBenchFn(call) = test.testfn else { return };
    if test.desc.ignore {
        return;
    }
    let name = test.desc.name.as_slice().to_owned();
    let found = Found {
        group: name.rsplit_once("::").map(|(group, _)| group.to_owned()),
        name,
        at: Some((test.desc.source_file, test.desc.start_line as u32)),
        ..Found::default()
    };
    live::reached(&found, &mut || {
        if let Err(why) = call(&mut Bencher { bytes: 0 }) {
            panic!("{why}");
        }
    });
}
