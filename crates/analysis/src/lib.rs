//! Analysis: turns records into results.
//!
//! 1. `replay` builds records from an event stream. Records from the store skip this step.
//! 2. `run` sorts records by case, and `scope` contains the data that cases share.
//! 3. `process` computes one value from the turns of a process, by the rules of the estimate crate.
//! 4. `case` collects a case's processes; `time`, `cold`, `metrics` and `witness` compute its results.
//! 5. `diagnose` adds warnings, and `ranking` orders the cases of a group.
//! 6. `summarise` puts all cases into a document.
//! 7. `compare` judges the sides of one or several runs. `change` compares a run with an earlier one.
//!
//! The crate reads no clock and no files, so newer code can analyse an old run again. It formats only
//! short texts, such as warnings, notes and chart titles. Intervals use only process values, because batches
//! and turns of one process are correlated.

mod accounting;
mod case;
mod change;
pub mod classic;
mod cold;
mod compare;
pub mod criterion;
pub mod diagnose;
mod digest;
mod figures;
mod join;
mod ladder;
mod metrics;
mod parallel;
pub mod picture;
mod process;
mod process_results;
mod ranking;
mod replay;
mod run;
pub mod same;
pub mod scaling;
mod scope;
mod select;
mod spread;
pub mod stability;
mod steady;
mod summarise;
pub mod template;
mod time;
mod witness;

pub use accounting::accounting;
pub use change::change;
pub use compare::{Input, Options, compare, compare_by};
pub use derny_estimate::gate::{Gate, gate};
pub use digest::{Digest, Digests, digests};
pub use join::{append, join};
pub use process_results::process_results;
pub use replay::replay;
pub use select::{only_metrics, select, select_document, select_variant};
pub use summarise::{summarise, summarise_by};
