//! Runs in one SQLite file. What only this database needs is in this folder, and nothing else is.

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
