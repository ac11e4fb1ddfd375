//! Comparisons that are simulated, with the truth known: what the rules of stopping and reporting make of them.
//!
//! A [`scene`] says how two programs and the machine under them behave, and gives pairs of [`process`]es; [`jmh`] gives pairs
//! that others have measured. [`rule`] judges them by the crate `estimate`, as engine and analysis do. [`old_rule`] judges them as Derny once did, to be shown beside the rule of today. [`days`] are
//! two runs of different days. [`precise`] are runs without variants. A [`fleet`] measures cases on several machines.

pub mod days;
pub mod fleet;
pub mod jmh;
pub mod old_rule;
pub mod outcome;
pub mod precise;
pub mod process;
pub mod rule;
pub mod scene;
