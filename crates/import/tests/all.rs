//! Links all tests of this crate into one program, which is faster than one program per file.

mod apart;
mod benchfmt;
mod events;
mod figures;
mod formats;
mod fuzz;
mod history;
mod identity;
mod json;
mod tools;
