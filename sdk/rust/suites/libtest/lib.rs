//! Replaces the compiler's crate test, with all of its names: `#[bench]` with loops driven by the engine.
//! Other tests of the program are not called.

#![feature(test)]
#![allow(missing_docs, dead_code, clippy::all)]
#![allow(unexpected_cfgs, unused_imports)]

extern crate test as own;

include!("../shared.rs");

use crate::bodies::{Case, Plain};
use crate::live::Found;
pub use own::*;

/// Argument of a benchmark function.
pub struct Bencher {
    /// Set too late to be listed: a benchmark sets it while it runs.
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

/// Test or benchmark as emitted by the compiler.
pub struct TestDescAndFn {
    pub desc: TestDesc,
    pub testfn: TestFn,
}

pub enum TestFn {
    StaticTestFn(fn() -> Result<(), String>),
    StaticBenchFn(fn(&mut Bencher) -> Result<(), String>),
}

pub use TestFn::{StaticBenchFn, StaticTestFn};

/// Called by the `main` that the compiler generates, with everything it found, sorted by name.
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
