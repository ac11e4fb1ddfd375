//! The history of cases over commits: `derny history` and `derny bisect`.
//!
//! 1. `points` converts the document of a run to entries, and `imported` the results of other tools.
//! 2. `index` adds the store's new runs to its history, and `import` the new results.
//! 3. `commits` reads the order, dates and tags of the commits of a branch.
//! 4. `series` collects the points of a figure on one machine. `order` puts them in the order of commits.
//! 5. `detect` finds changes of level in a history, and `changes` keeps their states, such as confirmed.
//! 6. `pair` is the request to measure two commits, which the caller fulfils.
//! 7. `creep` measures the changes that accumulated since a release or an age.
//! 8. `bisect` finds the commit that changed a case, and `confirm` measures suspected changes.
//!
//! The crate prints nothing.

pub mod bisect;
mod changes;
mod commits;
pub mod confirm;
pub mod creep;
mod detect;
mod import;
mod imported;
mod index;
mod order;
pub mod pair;
mod points;
mod series;
mod since;

pub use changes::{StoredChange, apply, find, found, keep, stored};
pub use commits::{Branch, CommitInfo, Commits};
pub use detect::{Suspicion, detect, mark_machine, rules};
pub use import::{Added, Import};
pub use imported::Place;
pub use index::{Indexed, add, update};
pub use points::{Measured, entries};
pub use series::{Histories, Wanted};
pub use since::{Since, since};
