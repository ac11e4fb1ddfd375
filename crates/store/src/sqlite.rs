//! Stores runs in one SQLite file. Everything specific to SQLite is in this folder.

mod append;
mod fault;
mod file;
mod guard;
mod many;
mod rows;
mod schema;
mod stored;
mod sum;
#[cfg(test)]
mod tests;
mod texts;

pub use file::{exists, open, open_part, open_reading};
