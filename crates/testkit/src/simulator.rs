//! Simulates comparisons with known truth, to test the rules of stopping and reporting.
//!
//! A [`scene`] defines the behaviour of two programs and their machine, and generates pairs of
//! [`process`]es. [`jmh`] draws pairs from published measurements instead. [`shapes`] contains suites
//! with five distributions of process offsets. A [`rule`] judges the pairs with the crate `estimate`,
//! as engine and analysis do.
//!
//! [`days`] simulates two runs on different days, and [`precise`] simulates runs without variants.
//! [`fleet`] simulates cases measured on several machines.

pub mod days;
pub mod fleet;
pub mod jmh;
pub mod outcome;
pub mod precise;
pub mod process;
pub mod rule;
pub mod scene;
pub mod shapes;
