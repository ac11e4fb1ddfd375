//! All tests of this crate in one program, which is linked once.

mod apart;
mod benchfmt;
mod events;
mod figures;
mod formats;
mod fuzz;
mod identity;
mod json;
mod tools;
