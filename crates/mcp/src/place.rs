//! Where and how calls run.

use derny_engine::launch::reaper::Reaper;
use std::ffi::OsString;
use std::path::PathBuf;

/// How to run the command line of a call.
#[derive(Debug, Clone)]
pub struct Place {
    /// Path of this program, which is run for each call.
    pub program: PathBuf,
    /// Folder in which it runs.
    pub folder: PathBuf,
    /// Global options that precede the arguments of every call.
    pub options: Vec<OsString>,
    /// Ends the calls if the server is killed.
    pub reaper: Reaper,
}
