//! Systems without Unix process groups and inherited pipes (Windows for now): everything builds, stored runs can be
//! read, and starting a harness answers with an error that says so.

use super::Ended;
use std::io;
use std::process::Command;

/// Stands for a descriptor.
pub type RawFd = i32;
/// The signal that cannot be caught.
pub const SIGKILL: i32 = 9;
/// The polite one.
pub const SIGTERM: i32 = 15;

/// Nothing to prepare.
pub fn prepare(_command: &mut Command, _fds: [RawFd; 2]) {}
/// Nothing to detach from.
pub fn detach(_command: &mut Command) {}
/// No groups.
pub fn kill_group(_group: u32, _signal: i32) {}
/// Never reached: no harness is started.
pub fn try_wait(_pid: u32) -> io::Result<Option<Ended>> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// Unknown.
pub fn own_cpu_ns() -> (u64, u64) {
    (0, 0)
}
/// Not possible here.
pub fn set_affinity(_thread: u32, _processors: &[u32]) -> bool {
    false
}
/// Not known here.
pub fn affinity(_thread: u32) -> Vec<u32> {
    Vec::new()
}
/// Unknown.
pub fn terminal_width() -> Option<usize> {
    None
}
