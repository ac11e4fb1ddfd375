//! Runs in a schema of a PostgreSQL database, which many machines may share. What only this database needs is in this folder, and
//! nothing else is: where it is (`address`), what is said (`talk`, `tls`), and what is kept in it. Without the feature `postgres` there is
//! only `missing`, which says so.

#[cfg(feature = "postgres")]
mod address;
#[cfg(feature = "postgres")]
mod append;
#[cfg(feature = "postgres")]
mod database;
#[cfg(feature = "postgres")]
mod fault;
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
mod value;

#[cfg(all(test, feature = "postgres"))]
mod tests;

#[cfg(feature = "postgres")]
pub use database::{exists, open};
#[cfg(not(feature = "postgres"))]
pub use missing::{exists, open};

/// How an address begins.
const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

/// Returns true if a text is the address of a database, and no folder.
pub fn is_address(text: &str) -> bool {
    scheme(text).is_some()
}

/// Returns the scheme with which an address begins, in whatever letters.
fn scheme(text: &str) -> Option<&'static str> {
    let begins =
        |scheme: &&&str| text.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().find(begins).copied()
}
