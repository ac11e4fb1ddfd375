//! Stubs for platforms on which Derny cannot observe processes. It starts no harness there.

use super::Ended;
use std::io;

fn unsupported<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this version runs commands on Linux and macOS only"))
}

/// Always fails: not supported on this platform.
pub fn wait(_pid: u32) -> io::Result<Ended> {
    unsupported()
}

/// Always fails: not supported on this platform.
pub fn try_wait(_pid: u32) -> io::Result<Option<Ended>> {
    unsupported()
}

/// Returns 0: not available on this platform.
pub fn own_peak_bytes() -> u64 {
    0
}

/// Returns false: not available on this platform.
pub fn has_members(_group: u32) -> bool {
    false
}

/// Does nothing: not supported on this platform.
pub fn kill_group(_group: u32) {}

/// Does nothing: not supported on this platform.
pub fn kill(_pid: u32) {}

/// Returns false: not supported on this platform.
pub fn adopt() -> bool {
    false
}

/// Returns false: not available on this platform.
pub fn has_children() -> bool {
    false
}
