//! The workbench: what stands between arguments and pipeline.
//!
//! It takes plain options and settings with their origins ([`config`]), finds the project and its
//! store ([`project`]), builds [`variants`], and finds the stored runs that are meant
//! ([`results`]). The [`pipeline`] plans, measures and concludes. The workbench prints nothing and
//! installs no signal handler: what it has to say comes back as data.

pub mod config;
pub mod error;
pub mod init;
pub mod notice;
pub mod pipeline;
pub mod project;
pub mod results;
pub mod variants;

pub use error::{Error, Result};
pub use notice::Notice;
pub use results::outcome::{Happened, Outcome};
