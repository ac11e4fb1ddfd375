//! The workbench: what stands between arguments and pipeline.
//!
//! It takes plain [`options`], finds the project and its store ([`session`]), reads [`settings`] with their origins, builds
//! variants ([`prepare`]) and knows which stored runs are meant ([`stored`], [`sides`]). The [`pipeline`] plans, measures and
//! concludes; [`fleet`] divides that among machines. The workbench prints nothing and installs no signal handler: what it has to say comes back as data.

mod again;
mod asked;
mod build;
pub mod elsewhere;
pub mod error;
pub mod fleet;
pub mod gate;
mod git;
mod history;
pub mod init;
pub mod kept;
pub mod notice;
pub mod options;
pub mod outcome;
mod packages;
mod passed;
pub mod pipeline;
pub mod prepare;
pub mod resume;
pub mod session;
pub mod settings;
pub mod sides;
pub mod source;
pub mod stored;
pub mod units;
pub mod variants;
mod worktree;

pub use error::{Error, Result};
pub use notice::Notice;
pub use outcome::{Happened, Outcome};
