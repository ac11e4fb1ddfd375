//! The tests of this crate as one program, which is linked once.

mod comparison;
mod engine_cost;
mod language;
mod project;
