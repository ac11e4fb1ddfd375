//! The tests of this crate as one program, which is linked once.

mod cost;
mod older;
mod scenario;
mod size;
mod sqlite;
