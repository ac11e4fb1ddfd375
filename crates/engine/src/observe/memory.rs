//! The resident memory of a process, and the available memory of the machine.

use std::fs::{self, File};

/// Reads the resident size of a process. Keeps the file open, because opening it costs ten times as
/// much as reading it.
#[derive(Debug)]
pub struct Resident {
    statm: File,
}

impl Resident {
    /// Opens the reader for process `pid`. Returns `None` if the system does not report the value.
    pub fn open(pid: u32) -> Option<Resident> {
        File::open(format!("/proc/{pid}/statm")).ok().map(|statm| Resident { statm })
    }

    /// Returns the resident size in bytes, or `None` once the process is gone.
    #[cfg(unix)]
    pub fn bytes(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 128];
        let length = self.statm.read_at(&mut bytes, 0).ok()?;
        let text = std::str::from_utf8(&bytes[..length]).ok()?;
        let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some(pages * 4096)
    }

    /// Returns `None`: not available on this platform.
    #[cfg(not(unix))]
    pub fn bytes(&self) -> Option<u64> {
        let _ = &self.statm;
        None
    }
}

/// Returns a value of `/proc/meminfo` in bytes.
fn meminfo(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Returns the installed memory in bytes.
pub fn installed_bytes() -> Option<u64> {
    meminfo("MemTotal:")
}

/// Returns the swap in use and its size in bytes, or `None` if there is no swap.
pub fn swap_bytes() -> Option<(u64, u64)> {
    let size = meminfo("SwapTotal:").filter(|size| *size > 0)?;
    Some((size.saturating_sub(meminfo("SwapFree:")?), size))
}

/// Returns the memory available without swapping, in bytes.
pub fn available_bytes() -> Option<u64> {
    meminfo("MemAvailable:")
}
