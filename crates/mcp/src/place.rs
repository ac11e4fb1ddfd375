//! Where the calls run.

use derny_engine::launch::reaper::Reaper;
use std::ffi::OsString;
use std::path::PathBuf;

/// Where and how the tools run.
#[derive(Debug, Clone)]
pub struct Place {
    /// This program, which runs once more for each call.
    pub program: PathBuf,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// Options that come before those of every call.
    pub options: Vec<OsString>,
    /// Ends the calls if the server is killed.
    pub reaper: Reaper,
}
