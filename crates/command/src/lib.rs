//! Whole commands as benchmarks: `derny try`.
//!
//! [`request`] contains what a user asked for, and [`plan`] turns it into runs: it fills in parameters
//! ([`parameters`]), splits each command into words ([`words`]) and, on request, copies the folder
//! ([`copies`]). [`first`] runs every command once before anything is measured. [`harness`] speaks the
//! protocol: an iteration is one run of a command, from its start to its end.

pub mod calls;
pub mod copies;
pub mod first;
pub mod harness;
pub mod os;
pub mod parameters;
pub mod plan;
pub mod request;
mod shell;
pub mod words;
