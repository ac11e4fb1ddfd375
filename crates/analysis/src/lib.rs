//! Analysis: records in, conclusions out.
//!
//! 1. [`summarise()`] turns records into a document.
//! 2. [`compare()`] compares sides of one run or of several runs.
//! 3. [`change()`] adds the change since an earlier run.
//! 4. [`replay()`] reads records from an event stream.
//!
//! The crate reads no clock and no files, and formats only the sentences of warnings, so an old run can be
//! analysed again by newer code. Batches are summarised by turn and turns by process. Only process values
//! reach an interval, because batches and turns of one process are correlated.

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
