//! One file per verb.

pub mod attach;
pub mod baseline;
pub mod compare;
pub mod completions;
pub mod config;
pub mod conform;
pub mod doctor;
pub mod explain;
pub mod export;
pub mod gate;
pub mod import;
pub mod init;
pub mod list;
pub mod man;
pub mod plot;
pub mod protocol;
pub mod report;
pub mod run;
pub mod runs;
pub mod scaling;
pub mod schema;
pub mod show;
pub mod watch;
pub mod whole;
