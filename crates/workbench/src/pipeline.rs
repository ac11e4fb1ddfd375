//! The pipeline: plan, measure, conclude. [`run()`] goes through all of it; [`watch()`], [`attach()`] and
//! [`list()`] reuse its stages.

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
mod run;
mod watch;

pub use attach::{AttachOptions, Attached, attach};
pub use conclude::{Concluded, conclude, merged, stability};
pub use list::{Listed, list};
pub use measure::{Measured, measure};
pub use news::{News, Tell};
pub use occasion::{Occasion, PartOf, Scope};
pub use options::RunOptions;
pub use plan::{header_of_part, plan};
pub use planned::{Compared, Planned, Ready};
pub use run::{Ended, run};
pub use watch::{Watched, watch};
