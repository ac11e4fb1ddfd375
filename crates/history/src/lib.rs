//! The history of cases over commits: `derny history` and `derny bisect`.
//!
//! 1. `points` converts the document of a run to entries with their points.
//! 2. `index` brings the history of the store up to date with its runs.
//! 3. `commits` reads the order, dates and tags of the commits of a branch.
//! 4. `series` joins the points of a figure on one machine, in the order of commits, which `order` makes.
//! 5. `detect` finds changes of level in them.
//! 6. `changes` keeps the states of changes: confirmed, accepted, fixed.
//! 7. `bisect` finds the commit that changed a case; the caller measures pairs of commits.
//!
//! The crate prints nothing.

pub mod bisect;
mod changes;
mod commits;
mod detect;
mod index;
mod order;
mod points;
mod series;
mod since;

pub use changes::{StoredChange, apply, find, keep, stored};
pub use commits::{Branch, CommitInfo};
pub use detect::{Suspicion, detect, mark_machine};
pub use index::{Indexed, add, update};
pub use points::{Measured, entries};
pub use series::{Histories, Wanted};
pub use since::{Since, since};
