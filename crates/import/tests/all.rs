//! The tests of this crate as one program, which is linked once.

mod apart;
mod benchfmt;
mod events;
mod formats;
mod fuzz;
mod json;
mod tools;
