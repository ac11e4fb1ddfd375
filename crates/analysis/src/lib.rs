//! Analysis: what was recorded in, what can be concluded out.
//!
//! [`summarise()`] turns records into a document, [`compare()`] sets sides of one run or of several against each
//! other; [`change()`] hints at an earlier run; [`replay()`] reads an event stream back. Pure: no
//! clock, no files, no formatting beyond the sentences of warnings, so an old run is analysed again by the same
//! code. Batches are summarised by turn, turns by process, and only process values ever reach an interval:
//! batches and turns of one process share its luck.

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
