//! The history of cases over commits: `derny history` and `derny bisect`.
//!
//! 1. `points` converts the document of a run to entries with their points.
//! 2. `index` brings the history of the store up to date with its runs.
//! 3. `imported` converts results of other tools to entries, and `import` adds those that are new.
//! 4. `commits` reads the order, dates and tags of the commits of a branch.
//! 5. `series` joins the points of a figure on one machine, in the order of commits, which `order` makes.
//! 6. `detect` finds changes of level in them.
//! 7. `changes` keeps the states of changes: confirmed, accepted, fixed.
//! 8. `bisect` finds the commit that changed a case; the caller measures pairs of commits.
//!
//! The crate prints nothing.

pub mod bisect;
mod changes;
mod commits;
mod detect;
mod import;
mod imported;
mod index;
mod order;
mod points;
mod series;
mod since;

pub use changes::{StoredChange, apply, find, keep, stored};
pub use commits::{Branch, CommitInfo, Commits};
pub use detect::{Suspicion, detect, mark_machine};
pub use import::{Added, Import};
pub use imported::Place;
pub use index::{Indexed, add, update};
pub use points::{Measured, entries};
pub use series::{Histories, Wanted};
pub use since::{Since, since};
