//! Systems without Unix process groups and inherited pipes (currently Windows). Everything builds there, and
//! stored runs are readable, but starting a harness returns an error.

use super::Ended;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Placeholder for a descriptor.
pub type RawFd = i32;
/// The signal that cannot be caught.
pub const SIGKILL: i32 = 9;
/// The signal that asks a process to end.
pub const SIGTERM: i32 = 15;

/// Does nothing: there is no terminal session to detach from.
pub fn detach(_command: &mut Command) {}
/// Does nothing: not supported on this platform.
pub fn adopt_orphans() {}
/// Does nothing: this platform has no process groups.
pub fn kill_group(_group: u32, _signal: i32) {}
/// Creates a folder with an unpredictable name. Fails if the name already exists.
pub fn make_private_folder(within: &Path) -> io::Result<PathBuf> {
    use std::hash::{BuildHasher, RandomState};
    let path = within.join(format!("derny-{:016x}", RandomState::new().hash_one(std::process::id())));
    std::fs::create_dir(&path).map(|()| path)
}
/// Returns 0: not available on this platform.
pub fn user_id() -> u32 {
    0
}
/// Always fails: this platform has no FIFOs.
pub fn make_fifo(_path: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// Always fails: this platform has no FIFOs.
pub fn open_without_waiting(_path: &Path, _write: bool) -> io::Result<File> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// Does nothing: all descriptors block.
pub fn set_blocking(_file: &File) -> io::Result<()> {
    Ok(())
}
/// Never called: nothing is polled on this platform.
pub fn poll<const N: usize>(_fds: [RawFd; N], _timeout_ms: i32) -> [bool; N] {
    [false; N]
}
/// Placeholder for a process handle.
#[derive(Debug)]
pub struct Handle;
/// Returns -1: there are no handles.
pub fn descriptor(_handle: &Handle) -> RawFd {
    -1
}
/// Returns `None`: not available on this platform.
pub fn process_handle(_pid: u32) -> Option<Handle> {
    None
}
/// Returns `None`: not available on this platform.
pub fn has_open(_pid: u32, _file: &File) -> Option<bool> {
    None
}
/// Returns `None`: not available on this platform.
pub fn group_of(_pid: u32) -> Option<u32> {
    None
}
/// Returns false: not available on this platform.
pub fn is_alive(_pid: u32) -> bool {
    false
}
/// Never called: this platform starts no harness.
pub fn kill_process(_pid: u32, _handle: Option<&Handle>, _signal: i32) {}
/// Never called: this platform starts no harness.
pub fn try_wait(_pid: u32) -> io::Result<Option<Ended>> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// Returns 0: unknown.
pub fn own_peak_bytes() -> u64 {
    0
}
/// Returns zeros: unknown.
pub fn own_cpu_ns() -> (u64, u64) {
    (0, 0)
}
/// Makes a system call: yields the processor.
pub fn system_call() {
    std::thread::yield_now();
}
/// Returns false: not supported on this platform.
pub fn set_affinity(_thread: u32, _processors: &[u32]) -> bool {
    false
}
/// Returns an empty list: not available on this platform.
pub fn affinity(_thread: u32) -> Vec<u32> {
    Vec::new()
}
/// Returns `None`: unknown.
pub fn terminal_width() -> Option<usize> {
    None
}
