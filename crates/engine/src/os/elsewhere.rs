//! Systems without Unix process groups and inherited pipes (Windows for now): everything builds, stored runs
//! can be read, and starting a harness answers with an error that says so.

use super::Ended;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Stands for a descriptor.
pub type RawFd = i32;
/// The signal that cannot be caught.
pub const SIGKILL: i32 = 9;
/// The polite one.
pub const SIGTERM: i32 = 15;

/// Nothing to detach from.
pub fn detach(_command: &mut Command) {}
/// Not possible here.
pub fn adopt_orphans() {}
/// No groups.
pub fn kill_group(_group: u32, _signal: i32) {}
/// Makes a folder of a name that cannot be guessed. Fails rather than use one that is there.
pub fn make_private_folder(within: &Path) -> io::Result<PathBuf> {
    use std::hash::{BuildHasher, RandomState};
    let path = within.join(format!("derny-{:016x}", RandomState::new().hash_one(std::process::id())));
    std::fs::create_dir(&path).map(|()| path)
}
/// Not known here.
pub fn user_id() -> u32 {
    0
}
/// No FIFOs.
pub fn make_fifo(_path: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// No FIFOs.
pub fn open_without_waiting(_path: &Path, _write: bool) -> io::Result<File> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// Nothing to change.
pub fn set_blocking(_file: &File) -> io::Result<()> {
    Ok(())
}
/// Never reached: nothing is waited for.
pub fn poll<const N: usize>(_fds: [RawFd; N], _timeout_ms: i32) -> [bool; N] {
    [false; N]
}
/// Stands for a process.
#[derive(Debug)]
pub struct Handle;
/// None.
pub fn descriptor(_handle: &Handle) -> RawFd {
    -1
}
/// Not known here.
pub fn process_handle(_pid: u32) -> Option<Handle> {
    None
}
/// Not known here.
pub fn has_open(_pid: u32, _file: &File) -> Option<bool> {
    None
}
/// Not known here.
pub fn group_of(_pid: u32) -> Option<u32> {
    None
}
/// Not known here.
pub fn is_alive(_pid: u32) -> bool {
    false
}
/// Never reached: no harness is started.
pub fn kill_process(_pid: u32, _handle: Option<&Handle>, _signal: i32) {}
/// Never reached: no harness is started.
pub fn try_wait(_pid: u32) -> io::Result<Option<Ended>> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
/// Unknown.
pub fn own_peak_bytes() -> u64 {
    0
}
/// Unknown.
pub fn own_cpu_ns() -> (u64, u64) {
    (0, 0)
}
/// Hands the processor over: the least that the system can be asked for.
pub fn system_call() {
    std::thread::yield_now();
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
