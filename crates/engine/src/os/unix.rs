//! Unix: process groups, inherited pipes, poll and wait4. On Linux, also affinity.
#![allow(unsafe_code)]

use super::Ended;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::mem::zeroed;
pub use std::os::fd::RawFd;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
#[cfg(target_os = "linux")]
use std::os::{fd::FromRawFd, unix::fs::MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Starts `command` in a new process group and returns its process id. `streams` become its standard
/// streams. The program inherits the descriptors `inherited`, except negative ones. It writes no core
/// files.
///
/// # Errors
/// Fails if the system cannot start the program, for example because it does not exist, or for lack of
/// permission or memory.
#[cfg(not(target_os = "linux"))]
pub fn start(command: &mut Command, streams: [OwnedFd; 3], inherited: [RawFd; 2]) -> io::Result<u32> {
    let [stdin, stdout, stderr] = streams;
    command.process_group(0).stdin(stdin).stdout(stdout).stderr(stderr);
    // SAFETY: the closure only makes async-signal-safe system calls, and touches no memory of the parent.
    unsafe {
        command.pre_exec(move || {
            for fd in inherited {
                if fd >= 0 && libc::fcntl(fd, libc::F_SETFD, 0) < 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &none);
            Ok(())
        });
    }
    command.spawn().map(|child| child.id())
}

/// Puts a child into a new session, so that signals from the terminal do not reach it.
pub fn detach(command: &mut Command) {
    // SAFETY: setsid is async-signal-safe.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        });
    }
}

/// Makes this process the parent of orphaned descendants, instead of the system's first process.
#[cfg(target_os = "linux")]
pub fn adopt_orphans() {
    let (yes, none): (libc::c_ulong, libc::c_ulong) = (1, 0);
    // SAFETY: a plain system call that sets a flag of this process. If it fails, no orphan is adopted.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, yes, none, none, none);
    }
}

/// Does nothing: not supported on this platform.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() {}

/// Makes reads from `fd` return immediately if there is no data.
pub fn set_nonblocking(fd: RawFd) -> io::Result<()> {
    set_flags(fd, |flags| flags | libc::O_NONBLOCK)
}

/// Makes reads and writes block.
pub fn set_blocking(file: &File) -> io::Result<()> {
    set_flags(file.as_raw_fd(), |flags| flags & !libc::O_NONBLOCK)
}

fn set_flags(fd: RawFd, change: fn(i32) -> i32) -> io::Result<()> {
    // SAFETY: plain system calls on a descriptor that the caller owns.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags < 0 || libc::fcntl(fd, libc::F_SETFL, change(flags)) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Creates a folder with an unpredictable name, which only this user may enter.
pub fn make_private_folder(within: &Path) -> io::Result<PathBuf> {
    let mut name = CString::new(within.join("derny-XXXXXX").as_os_str().as_bytes())?.into_bytes_with_nul();
    // SAFETY: the template belongs to this function, ends in a zero byte, and keeps its length.
    let made = unsafe { libc::mkdtemp(name.as_mut_ptr().cast()) };
    if made.is_null() {
        return Err(io::Error::last_os_error());
    }
    name.pop();
    Ok(PathBuf::from(std::ffi::OsString::from_vec(name)))
}

/// Returns the effective user id of this process.
pub fn user_id() -> u32 {
    // SAFETY: the call cannot fail and touches no memory.
    unsafe { libc::geteuid() }
}

/// Creates a FIFO that only this user may open.
pub fn make_fifo(path: &Path) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the path is a C string that outlives the call.
    let made = unsafe { libc::mkfifo(path.as_ptr(), 0o600) };
    if made == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Opens a FIFO for reading or for `write` without waiting for the other end. Opening for writing fails
/// without a reader.
pub fn open_without_waiting(path: &Path, write: bool) -> io::Result<File> {
    File::options().read(!write).write(write).custom_flags(libc::O_NONBLOCK).open(path)
}

/// A handle of a process.
pub type Handle = OwnedFd;

/// Returns the descriptor of a handle.
pub fn descriptor(handle: &Handle) -> RawFd {
    handle.as_raw_fd()
}

/// Returns a handle that always denotes this process, even if another process gets its id later. The
/// handle becomes readable when the process ends.
#[cfg(target_os = "linux")]
pub fn process_handle(pid: u32) -> Option<Handle> {
    // SAFETY: a plain system call. The result is a descriptor that belongs to this process, or negative.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, libc::c_long::from(pid), 0 as libc::c_long);
        (fd >= 0).then(|| OwnedFd::from_raw_fd(fd as RawFd))
    }
}

/// Returns `None`: not available on this platform.
#[cfg(not(target_os = "linux"))]
pub fn process_handle(_pid: u32) -> Option<Handle> {
    None
}

/// Returns true if a process has the FIFO of `file` open. Returns `None` if the system does not reveal
/// it.
#[cfg(target_os = "linux")]
pub fn has_open(pid: u32, file: &File) -> Option<bool> {
    let own = file.metadata().ok()?;
    let is_same = |there: std::fs::Metadata| (there.dev(), there.ino()) == (own.dev(), own.ino());
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
    Some(open.flatten().any(|entry| std::fs::metadata(entry.path()).is_ok_and(is_same)))
}

/// Returns `None`: not available on this platform.
#[cfg(not(target_os = "linux"))]
pub fn has_open(_pid: u32, _file: &File) -> Option<bool> {
    None
}

/// Returns the group of a process.
pub fn group_of(pid: u32) -> Option<u32> {
    // SAFETY: a plain system call.
    let group = unsafe { libc::getpgid(pid as libc::pid_t) };
    u32::try_from(group).ok()
}

/// Returns true if the process exists and has not ended.
pub fn is_alive(pid: u32) -> bool {
    // A process that has ended but was not reaped still has its id.
    if let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
        return !matches!(state, Some('Z' | 'X'));
    }
    // SAFETY: signal 0 only tests whether a signal could be sent.
    let told = unsafe { libc::kill(pid as libc::pid_t, 0) };
    told == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}

/// Sends `signal` to a process, by its handle if there is one, or by its id.
pub fn kill_process(pid: u32, handle: Option<&Handle>, signal: i32) {
    #[cfg(target_os = "linux")]
    if let Some(handle) = handle {
        let none: *const libc::siginfo_t = std::ptr::null();
        // SAFETY: a plain system call on a descriptor that outlives it.
        unsafe { libc::syscall(libc::SYS_pidfd_send_signal, handle.as_raw_fd(), signal, none, 0) };
        return;
    }
    let _ = handle;
    // SAFETY: a plain system call. A process that has ended is not an error.
    unsafe {
        libc::kill(pid as libc::pid_t, signal);
    }
}

/// Waits at most `timeout_ms` until one of `fds` is readable or closed. Ignores negative descriptors.
/// Returns for each descriptor whether it is readable or closed. If a signal interrupts the wait, returns
/// false for all.
pub fn poll<const N: usize>(fds: [RawFd; N], timeout_ms: i32) -> [bool; N] {
    let mut polled = fds.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    // SAFETY: the array outlives the call, and its length is given.
    let ready = unsafe { libc::poll(polled.as_mut_ptr(), N as libc::nfds_t, timeout_ms) };
    if ready <= 0 {
        return [false; N];
    }
    polled.map(|entry| entry.revents != 0)
}

/// Sends `signal` to an entire process group.
pub fn kill_group(group: u32, signal: i32) {
    // SAFETY: a plain system call. A group that has ended is not an error.
    unsafe {
        libc::killpg(group as libc::pid_t, signal);
    }
}

/// The signal that cannot be caught.
pub const SIGKILL: i32 = libc::SIGKILL;
/// The signal that asks a process to end.
pub const SIGTERM: i32 = libc::SIGTERM;

/// Reaps a child if it has ended, and returns how it ended. Returns `None` while it is alive.
pub fn try_wait(pid: u32) -> io::Result<Option<Ended>> {
    // SAFETY: status and usage are plain data that outlive the call.
    unsafe {
        let mut status = 0;
        let mut usage: libc::rusage = zeroed();
        match libc::wait4(pid as libc::pid_t, &mut status, libc::WNOHANG, &mut usage) {
            0 => Ok(None),
            n if n < 0 => Err(io::Error::last_os_error()),
            _ => Ok(Some(Ended {
                code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
                signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
                cpu_ns: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
                peak_bytes: Some(peak_bytes(&usage)),
            })),
        }
    }
}

fn peak_bytes(usage: &libc::rusage) -> u64 {
    usage.ru_maxrss as u64 * if cfg!(target_os = "macos") { 1 } else { 1024 }
}

/// Returns the peak memory of this process, in bytes.
pub fn own_peak_bytes() -> u64 {
    // SAFETY: usage is plain data that outlives the call.
    unsafe {
        let mut usage: libc::rusage = zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        peak_bytes(&usage)
    }
}

fn nanoseconds(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000
}

/// Returns the processor time in ns, of this process and of the children that it has waited for.
pub fn own_cpu_ns() -> (u64, u64) {
    let of = |who| {
        // SAFETY: usage is plain data that outlives the call.
        unsafe {
            let mut usage: libc::rusage = zeroed();
            libc::getrusage(who, &mut usage);
            nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
        }
    };
    (of(libc::RUSAGE_SELF), of(libc::RUSAGE_CHILDREN))
}

/// Makes a system call that does almost no work and that no library caches: it requests the id of the
/// parent process.
pub fn system_call() {
    // SAFETY: the call takes no arguments and cannot fail.
    std::hint::black_box(unsafe { libc::getppid() });
}

/// Restricts a thread to the given processors. 0 is the calling thread. Returns false if this fails.
#[cfg(target_os = "linux")]
pub fn set_affinity(thread: u32, processors: &[u32]) -> bool {
    // SAFETY: the set is plain data. Processor numbers beyond its size are skipped.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        for &processor in processors.iter().filter(|&&p| (p as usize) < libc::CPU_SETSIZE as usize) {
            libc::CPU_SET(processor as usize, &mut set);
        }
        libc::sched_setaffinity(thread as libc::pid_t, size_of::<libc::cpu_set_t>(), &set) == 0
    }
}

/// Returns the processors on which a thread may run, or an empty list if they are unknown. 0 is the
/// calling thread.
#[cfg(target_os = "linux")]
pub fn affinity(thread: u32) -> Vec<u32> {
    // SAFETY: the set is plain data that outlives the call.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        if libc::sched_getaffinity(thread as libc::pid_t, size_of::<libc::cpu_set_t>(), &mut set) != 0 {
            return Vec::new();
        }
        (0..libc::CPU_SETSIZE as u32).filter(|&p| libc::CPU_ISSET(p as usize, &set)).collect()
    }
}

/// Returns false: not supported on this platform.
#[cfg(not(target_os = "linux"))]
pub fn set_affinity(_thread: u32, _processors: &[u32]) -> bool {
    false
}

/// Returns an empty list: not available on this platform.
#[cfg(not(target_os = "linux"))]
pub fn affinity(_thread: u32) -> Vec<u32> {
    Vec::new()
}

/// Returns the number of columns of the terminal on standard output or standard error.
pub fn terminal_width() -> Option<usize> {
    // SAFETY: the size is plain data that outlives the call.
    let of = |fd| unsafe {
        let mut size: libc::winsize = zeroed();
        (libc::ioctl(fd, libc::TIOCGWINSZ, &mut size) == 0 && size.ws_col > 0).then_some(size.ws_col as usize)
    };
    of(libc::STDOUT_FILENO).or_else(|| of(libc::STDERR_FILENO))
}
