//! All tests of this crate in one program, which is linked once.

mod cost;
mod older;
mod scenario;
mod size;
mod sqlite;
