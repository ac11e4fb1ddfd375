//! Memory: a process's resident set, and what the machine has left.

use std::fs::{self, File};

/// Reader of a process's resident set. The file stays open: opening it costs ten times as much as reading it.
#[derive(Debug)]
pub struct Resident {
    statm: File,
}

impl Resident {
    /// Of process `pid`; none where the system does not tell.
    pub fn open(pid: u32) -> Option<Resident> {
        File::open(format!("/proc/{pid}/statm")).ok().map(|statm| Resident { statm })
    }

    /// Resident set in bytes; none once the process is gone.
    #[cfg(unix)]
    pub fn bytes(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 128];
        let length = self.statm.read_at(&mut bytes, 0).ok()?;
        let text = std::str::from_utf8(&bytes[..length]).ok()?;
        let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
        Some(pages * 4096)
    }

    /// Not here.
    #[cfg(not(unix))]
    pub fn bytes(&self) -> Option<u64> {
        let _ = &self.statm;
        None
    }
}

/// A figure of `/proc/meminfo` in bytes.
fn meminfo(key: &str) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Installed memory in bytes.
pub fn installed_bytes() -> Option<u64> {
    meminfo("MemTotal:")
}

/// Swap in use and its size in bytes; none where there is no swap.
pub fn swap_bytes() -> Option<(u64, u64)> {
    let size = meminfo("SwapTotal:").filter(|size| *size > 0)?;
    Some((size.saturating_sub(meminfo("SwapFree:")?), size))
}

/// Memory that can be had without swapping, in bytes.
pub fn available_bytes() -> Option<u64> {
    meminfo("MemAvailable:")
}
