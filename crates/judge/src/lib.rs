//! Decides whether to keep a candidate: `derny judge`.
//!
//! 1. `sides` freezes base, best and candidate; `snapshot` stores the working tree as a commit.
//! 2. `session` reads the earlier candidates from the store, and computes the level of the next test.
//! 3. `frozen` compares the benchmark's files with those of the base; `check` runs the user's command.
//! 4. `candidate` has the sides measured by the caller, with the confidence that the level requires.
//! 5. `found` compares the sides of the run, `composite` combines the cases, and `rule` decides.
//! 6. `receipt` records what was measured, and `verify` recomputes the decision from the stored run.
//!
//! The crate measures nothing and prints nothing.

mod candidate;
mod check;
mod composite;
mod found;
mod frozen;
mod receipt;
mod rule;
mod session;
mod sides;
mod snapshot;
mod verify;

pub use candidate::{JudgeOptions, Measure, Measured, Request, finish, judge, keep};
pub use check::Check;
pub use frozen::Built;
pub use session::{Session, Tested, names};
pub use sides::Side;
pub use verify::{Verified, verify};
