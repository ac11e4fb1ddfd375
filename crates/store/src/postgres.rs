//! Runs in a schema of a PostgreSQL database, which many machines may share. What only this database needs is in this folder, and
//! nothing else is: where it is (`address`), what is said (`talk`, `tls`), and what is kept in it.

mod address;
mod append;
mod database;
mod fault;
mod leases;
mod rows;
mod schema;
mod stored;
mod talk;
mod tls;
mod value;

#[cfg(test)]
mod tests;

pub use address::is_address;
pub use database::{exists, open};
