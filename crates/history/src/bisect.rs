//! Finds the commit that changed a case: `derny bisect`.
//!
//! 1. `range` reads the commits between the two ends.
//! 2. `search` decides which pair of commits to measure next.
//! 3. `log` keeps the measurements in the store, so that the same command continues the search.
//! 4. `found` reads the change of the case from a run.
//! 5. `drive` lets the caller measure the pairs until the search ends.
//! 6. `answer` describes the result.

mod answer;
mod drive;
pub(crate) mod found;
pub(crate) mod log;
pub(crate) mod range;
pub(crate) mod search;

pub use drive::{Asked, BisectOptions, bisect};
