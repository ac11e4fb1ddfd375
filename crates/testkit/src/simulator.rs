//! Comparisons that are simulated, with the truth known: what the rules of stopping and reporting make of them.
//!
//! A [`scene`] says how two programs and the machine under them behave, and gives pairs of [`process`]es; [`jmh`] gives pairs
//! that others have measured. [`shapes`] are suites whose processes differ in five ways. [`rule`] judges them by the crate `estimate`, as engine and analysis do. [`days`] are
//! two runs of different days. [`precise`] are runs without variants. A [`fleet`] measures cases on several machines.

pub mod days;
pub mod fleet;
pub mod jmh;
pub mod outcome;
pub mod precise;
pub mod process;
pub mod rule;
pub mod scene;
pub mod shapes;
