//! Stores runs in a schema of a PostgreSQL database, which many machines may share. Everything specific to
//! PostgreSQL is in this folder. Builds without the feature `postgres` contain only `missing`, which returns
//! an error.

#[cfg(feature = "postgres")]
mod address;
#[cfg(feature = "postgres")]
mod append;
#[cfg(feature = "postgres")]
mod database;
#[cfg(feature = "postgres")]
mod fault;
#[cfg(feature = "postgres")]
mod history;
#[cfg(feature = "postgres")]
mod leases;
#[cfg(any(test, not(feature = "postgres")))]
mod missing;
#[cfg(feature = "postgres")]
mod rows;
#[cfg(feature = "postgres")]
mod schema;
#[cfg(feature = "postgres")]
mod stored;
#[cfg(feature = "postgres")]
mod talk;
#[cfg(feature = "postgres")]
mod tls;
#[cfg(feature = "postgres")]
mod trouble;
#[cfg(feature = "postgres")]
mod value;

#[cfg(all(test, feature = "postgres"))]
mod tests;

#[cfg(feature = "postgres")]
pub use database::{exists, open};
#[cfg(not(feature = "postgres"))]
pub use missing::{exists, open};

const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

pub fn is_address(text: &str) -> bool {
    scheme(text).is_some()
}

fn scheme(text: &str) -> Option<&'static str> {
    let begins =
        |scheme: &&&str| text.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().find(begins).copied()
}
