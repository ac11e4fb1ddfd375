//! Memory: a process's resident set, and what the machine has left.

use std::fs;

/// Resident set of a process in bytes.
pub fn resident_bytes(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
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

/// Memory that can be had without swapping, in bytes.
pub fn available_bytes() -> Option<u64> {
    meminfo("MemAvailable:")
}
