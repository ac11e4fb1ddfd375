//! Process functions for Unix: waiting, process groups, and on Linux the adoption of orphans.
#![allow(unsafe_code)]

use super::{Ended, Exit};
use std::io;
use std::mem::zeroed;

/// Waits until a child has ended.
pub fn wait(pid: u32) -> io::Result<Ended> {
    loop {
        match wait4(pid, 0) {
            Ok(Some(ended)) => return Ok(ended),
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns the exit and resource use of a child, or `None` while it runs.
pub fn try_wait(pid: u32) -> io::Result<Option<Ended>> {
    wait4(pid, libc::WNOHANG)
}

fn wait4(pid: u32, options: i32) -> io::Result<Option<Ended>> {
    // SAFETY: status and usage are plain data that outlive the call.
    let (waited, status, usage) = unsafe {
        let mut status = 0;
        let mut usage: libc::rusage = zeroed();
        (libc::wait4(pid as libc::pid_t, &mut status, options, &mut usage), status, usage)
    };
    if waited < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((waited > 0).then(|| Ended {
        exit: if libc::WIFSIGNALED(status) {
            Exit::Signal(libc::WTERMSIG(status))
        } else {
            Exit::Status(libc::WEXITSTATUS(status))
        },
        user_ns: nanoseconds(usage.ru_utime),
        system_ns: nanoseconds(usage.ru_stime),
        peak_bytes: bytes(&usage),
        minor_faults: usage.ru_minflt as u64,
        major_faults: usage.ru_majflt as u64,
        switches: usage.ru_nvcsw as u64,
        preempted: usage.ru_nivcsw as u64,
    }))
}

fn nanoseconds(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000
}

fn bytes(usage: &libc::rusage) -> u64 {
    usage.ru_maxrss as u64 * if cfg!(target_os = "macos") { 1 } else { 1024 }
}

/// Returns the peak memory of this program, in bytes. A child starts as a copy of this process, so its
/// reported peak is never lower. The value is read from `/proc`, because the value of `getrusage` on
/// Linux includes the process that started this one.
pub fn own_peak_bytes() -> u64 {
    let page = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = page
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    peak.map_or_else(counted_peak_bytes, |peak| 1024 * peak)
}

fn counted_peak_bytes() -> u64 {
    // SAFETY: usage is plain data that outlives the call.
    unsafe {
        let mut usage: libc::rusage = zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        bytes(&usage)
    }
}

/// Returns true if a process group has a member.
pub fn has_members(group: u32) -> bool {
    // SAFETY: signal 0 only tests whether a signal could be sent.
    unsafe { libc::killpg(group as libc::pid_t, 0) == 0 }
}

/// Kills all processes of a group.
pub fn kill_group(group: u32) {
    // SAFETY: a plain system call. A group that has ended is not an error.
    unsafe {
        libc::killpg(group as libc::pid_t, libc::SIGKILL);
    }
}

/// Kills a process.
pub fn kill(pid: u32) {
    // SAFETY: a plain system call. A process that has ended is not an error.
    unsafe {
        libc::kill(pid as libc::pid_t, libc::SIGKILL);
    }
}

/// Makes this process the new parent of processes that commands leave behind, from now on. Returns false if
/// that is impossible.
#[cfg(target_os = "linux")]
pub fn adopt() -> bool {
    // SAFETY: a plain system call.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 }
}

/// Returns false: not supported on this platform.
#[cfg(not(target_os = "linux"))]
pub fn adopt() -> bool {
    false
}

/// Reaps the children that have ended. Returns true if others are alive.
pub fn has_children() -> bool {
    loop {
        // SAFETY: a plain system call that writes nothing.
        let waited = unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) };
        if waited <= 0 {
            return waited == 0;
        }
    }
}
