//! Links all tests of this crate into one program, which is faster than one program per file.

mod comparison;
mod engine_cost;
mod language;
mod project;
