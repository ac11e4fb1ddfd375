//! The history of cases over commits: `derny history` and `derny bisect`.
//!
//! 1. `commits` reads the order, dates and tags of the commits of a branch.
//!
//! The crate prints nothing.

mod commits;

pub use commits::{Branch, CommitInfo};
