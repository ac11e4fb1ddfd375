//! Where no harness is started: nothing can be known of a process.

use super::Ended;
use std::io;

fn unsupported<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this version runs commands on Linux and macOS only"))
}

/// Not here.
pub fn wait(_pid: u32) -> io::Result<Ended> {
    unsupported()
}

/// Not here.
pub fn try_wait(_pid: u32) -> io::Result<Option<Ended>> {
    unsupported()
}

/// Not known here.
pub fn own_peak_bytes() -> u64 {
    0
}

/// Not known here.
pub fn has_members(_group: u32) -> bool {
    false
}

/// Not here.
pub fn kill_group(_group: u32) {}

/// Not here.
pub fn kill(_pid: u32) {}

/// Not here.
pub fn adopt() -> bool {
    false
}

/// Not known here.
pub fn has_children() -> bool {
    false
}
