//! The pipeline: plan, measure, conclude. [`plan()`] and then [`run()`] perform all of its stages.
//! [`watch()`], [`attach()`] and [`list()`] reuse them.

mod attach;
mod check_metrics;
mod conclude;
pub mod identity;
mod list;
mod measure;
mod news;
mod occasion;
mod options;
mod plan;
mod planned;
pub mod resume;
mod watch;

pub use attach::{AttachOptions, Attached, attach};
pub use conclude::{Concluded, conclude, merged, stability};
pub use list::{Listed, list};
pub use measure::{measure, run};
pub use news::{News, Tell};
pub use occasion::{Occasion, PartOf, Scope};
pub use options::RunOptions;
pub use plan::{header_of_part, plan};
pub use planned::{Compared, Measured, Planned, Ready};
pub use watch::{Watched, watch};
