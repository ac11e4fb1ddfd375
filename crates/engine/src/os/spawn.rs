//! Starts a program on Linux without copying the engine.
//!
//! `Command` forks if a closure must run in the child, and a fork copies the page tables of the entire
//! engine. `posix_spawn` copies nothing, but it cannot disable core files or request a signal when the
//! engine dies. This module does both, and also copies nothing.
//!
//! Until the child runs the program, it shares the engine's memory, and the engine's thread waits. The
//! child makes only system calls: it takes no lock and allocates nothing.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::mem::{MaybeUninit, zeroed};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Command;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};

/// Search path if the environment has no `PATH`.
const DEFAULT_PATH: &str = "/bin:/usr/bin";
/// Interpreter of a script that does not name one.
const SHELL: &std::ffi::CStr = c"/bin/sh";
/// Size of the child's stack, in units of 16 bytes.
const STACK: usize = 4096;
/// Largest signal number.
const LAST_SIGNAL: i32 = 64;

/// Starts `command` in a new process group and returns its process id. `streams` become its standard
/// streams. The program inherits the descriptors `inherited`, except negative ones. It writes no core
/// files, and ends when the engine's thread dies.
///
/// The program is looked up on the child's `PATH`. Streams that were set on `command` are ignored.
///
/// # Errors
/// Fails if the system cannot start the program, for example because it does not exist, or for lack of
/// permission or memory.
pub fn start(command: &mut Command, streams: [OwnedFd; 3], inherited: [RawFd; 2]) -> io::Result<u32> {
    let env = environment(command);
    let path = env.get(OsStr::new("PATH")).map_or(OsStr::new(DEFAULT_PATH), OsString::as_os_str);
    let programs = candidates(command.get_program(), path)?;
    let directory = command.get_current_dir().map(|folder| CString::new(folder.as_os_str().as_bytes()));
    let directory = directory.transpose()?;
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let args = words.map(|word| CString::new(word.as_bytes())).collect::<Result<Vec<_>, _>>()?;
    let env = env.into_iter().map(|(name, value)| joined(name, value)).collect::<Result<Vec<_>, _>>()?;
    // The shell, the script, and the arguments of the script.
    let shell = [SHELL, SHELL].into_iter().chain(args.iter().skip(1).map(CString::as_c_str));
    let mut child = Child {
        programs: pointers(programs.iter().map(CString::as_c_str)),
        args: pointers(args.iter().map(CString::as_c_str)),
        shell_args: pointers(shell),
        env: pointers(env.iter().map(CString::as_c_str)),
        directory: directory.as_ref().map_or(null(), |folder| folder.as_ptr()),
        streams: streams.each_ref().map(AsRawFd::as_raw_fd),
        inherited,
        engine: std::process::id() as libc::pid_t,
        error: AtomicI32::new(0),
    };
    let pid = child.begin()?;
    match child.error.load(Ordering::Relaxed) {
        0 => Ok(pid as u32),
        error => {
            // SAFETY: a plain system call on a child of this process that has ended.
            unsafe { libc::waitpid(pid, null_mut(), 0) };
            Err(io::Error::from_raw_os_error(error))
        }
    }
}

/// Returns the engine's environment with the changes of `command`.
fn environment(command: &Command) -> BTreeMap<OsString, OsString> {
    let mut all: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => _ = all.insert(name.to_owned(), value.to_owned()),
            None => _ = all.remove(name),
        }
    }
    all
}

fn joined(mut name: OsString, value: OsString) -> io::Result<CString> {
    name.push("=");
    name.push(value);
    Ok(CString::new(name.into_vec())?)
}

/// Returns the files that a program's name may refer to, in the order in which they are tried.
fn candidates(program: &OsStr, path: &OsStr) -> io::Result<Vec<CString>> {
    let program = program.as_bytes();
    if program.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    if program.contains(&b'/') {
        return Ok(vec![CString::new(program)?]);
    }
    let within = |folder: &[u8]| match folder {
        // An empty entry means the working directory.
        b"" => CString::new(program),
        _ => CString::new([folder, b"/", program].concat()),
    };
    Ok(path.as_bytes().split(|byte| *byte == b':').map(within).collect::<Result<_, _>>()?)
}

/// Returns pointers to the texts as a C array, which ends in a null pointer.
fn pointers<'a>(texts: impl Iterator<Item = &'a std::ffi::CStr>) -> Vec<*const libc::c_char> {
    texts.map(std::ffi::CStr::as_ptr).chain([null()]).collect()
}

/// The data that the child needs until it runs the program. Each list ends in a null pointer.
struct Child {
    /// Paths of files to try.
    programs: Vec<*const libc::c_char>,
    args: Vec<*const libc::c_char>,
    /// Arguments of the shell for a script without an interpreter. The second argument is the script.
    shell_args: Vec<*const libc::c_char>,
    env: Vec<*const libc::c_char>,
    directory: *const libc::c_char,
    streams: [RawFd; 3],
    inherited: [RawFd; 2],
    engine: libc::pid_t,
    /// Error code of the system if the child could not run the program.
    error: AtomicI32,
}

extern "C" fn run(child: *mut libc::c_void) -> libc::c_int {
    // SAFETY: the pointer is to the `Child` in `begin`, which waits for this function.
    let child = unsafe { &mut *child.cast::<Child>() };
    let error = child.prepare().map_or_else(|error| error, |()| child.execute());
    child.error.store(error, Ordering::Relaxed);
    127
}

impl Child {
    /// Starts the child, and returns its process id as soon as it runs the program. Fails if the system
    /// cannot create it.
    fn begin(&mut self) -> io::Result<libc::pid_t> {
        let mut stack = Box::<[u128]>::new_uninit_slice(STACK);
        let top: *mut MaybeUninit<u128> = stack.as_mut_ptr_range().end;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        // SAFETY: the stack and the data that the child reads live until it has left this memory, for which
        // `CLONE_VFORK` waits. Signals are blocked, so no handler of the engine runs in the child.
        unsafe {
            let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = (zeroed(), zeroed());
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
            let pid = libc::clone(run, top.cast(), flags, std::ptr::from_mut(self).cast());
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, null_mut());
            if pid < 0 { Err(error) } else { Ok(pid) }
        }
    }

    /// Sets the process group, the descriptors, the working directory, the limits and the signals of the
    /// child. Fails with the system's error code.
    fn prepare(&self) -> Result<(), i32> {
        // SAFETY: system calls on plain data, and on descriptors that the engine keeps open. The child
        // does not share its signal handlers with the engine.
        unsafe {
            checked(libc::setpgid(0, 0))?;
            for (to, from) in self.streams.into_iter().enumerate() {
                checked(libc::dup2(from, to as RawFd))?;
            }
            for fd in self.inherited.into_iter().filter(|fd| *fd >= 0) {
                checked(libc::fcntl(fd, libc::F_SETFD, 0))?;
            }
            if !self.directory.is_null() {
                checked(libc::chdir(self.directory))?;
            }
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &none);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // If the engine died before the previous line, no signal will arrive.
            if libc::getppid() != self.engine {
                libc::_exit(1);
            }
            default_signals();
        }
        Ok(())
    }

    /// Runs the first executable file. Returns only on failure, with the system's error code.
    fn execute(&mut self) -> i32 {
        let mut is_denied = false;
        let mut last = libc::ENOENT;
        for &program in self.programs.iter().filter(|program| !program.is_null()) {
            // SAFETY: texts and lists belong to the engine, which waits. Each is terminated as C expects.
            unsafe {
                libc::execve(program, self.args.as_ptr(), self.env.as_ptr());
                last = number();
                if last == libc::ENOEXEC
                    && let Some(script) = self.shell_args.get_mut(1)
                {
                    *script = program;
                    libc::execve(SHELL.as_ptr(), self.shell_args.as_ptr(), self.env.as_ptr());
                    last = number();
                }
            }
            match last {
                libc::EACCES => is_denied = true,
                libc::ENOENT | libc::ENOTDIR | libc::ESTALE | libc::ENODEV | libc::ETIMEDOUT => {}
                other => return other,
            }
        }
        if is_denied { libc::EACCES } else { last }
    }
}

/// Sets every signal to its default action and unblocks it. Ignored signals stay ignored, because the
/// engine's parent has chosen that. SIGPIPE does not, because only the Rust runtime ignores it.
///
/// # Safety
/// The caller must be a child that does not share its signal handlers with the engine.
unsafe fn default_signals() {
    // SAFETY: plain data. Invalid signal numbers are rejected.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        let mut default: libc::sigaction = zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        for signal in 1..=LAST_SIGNAL {
            let is_kept = libc::sigaction(signal, null(), &mut action) != 0
                || action.sa_sigaction == libc::SIG_DFL
                || (action.sa_sigaction == libc::SIG_IGN && signal != libc::SIGPIPE);
            if !is_kept {
                libc::sigaction(signal, &default, null_mut());
            }
        }
        let mut none: libc::sigset_t = zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, null_mut());
    }
}

fn checked(result: libc::c_int) -> Result<(), i32> {
    if result < 0 { Err(number()) } else { Ok(()) }
}

/// Returns the system's code of the last error.
fn number() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}

#[cfg(test)]
mod tests {
    use super::start;
    use crate::launch::folder::PrivateFolder;
    use crate::os;
    use std::fs::{File, Permissions};
    use std::io::{self, Read};
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    fn null() -> OwnedFd {
        File::options().read(true).write(true).open("/dev/null").unwrap().into()
    }

    /// Returns the output of a program.
    fn printed(command: &mut Command) -> io::Result<String> {
        let (mut output, input) = io::pipe()?;
        let pid = start(command, [null(), input.into(), null()], [-1, -1])?;
        let mut text = String::new();
        output.read_to_string(&mut text)?;
        while os::try_wait(pid)?.is_none() {
            std::thread::yield_now();
        }
        Ok(text)
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_begins_as_one_that_a_shell_has_started() {
        let script = "ulimit -Hc; while read name value; do case $name in Sig[BI]*) echo $value;; esac; done </proc/self/status";
        let text = printed(&mut shell(script)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["0", "0000000000000000"], "no core files, and no signal is blocked");
        let ignored = u64::from_str_radix(lines[2], 16).unwrap();
        assert_eq!(
            ignored & (1 << (libc::SIGPIPE - 1)),
            0,
            "the Rust runtime ignores SIGPIPE, this program does not"
        );
        assert_eq!(
            printed(&mut shell("read pid rest </proc/self/stat; set -- $rest; echo $(($4 - pid))")).unwrap(),
            "0\n"
        );
    }

    #[test]
    fn a_program_is_found_in_its_own_path_and_a_script_needs_no_interpreter() {
        let folder = PrivateFolder::make(None).unwrap();
        let script = folder.path().join("tool");
        std::fs::write(&script, "echo tool \"$@\" in \"$PWD\"").unwrap();
        let tool = || {
            let mut command = Command::new("tool");
            command
                .args(["a b", "c"])
                .current_dir(folder.path())
                .env("PATH", format!("/nowhere:{}", folder.path().display()));
            command
        };
        assert_eq!(printed(&mut tool()).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        std::fs::set_permissions(&script, Permissions::from_mode(0o700)).unwrap();
        let wanted = format!("tool a b c in {}\n", folder.path().display());
        assert_eq!(printed(&mut tool()).unwrap(), wanted);
        assert_eq!(
            printed(Command::new("./tool").args(["a b", "c"]).current_dir(folder.path())).unwrap(),
            wanted
        );
        for missing in
            [tool().env("PATH", "/nowhere"), shell("true").current_dir("/nowhere"), &mut Command::new("")]
        {
            assert_eq!(printed(missing).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }

    #[test]
    fn only_the_descriptors_that_are_named_are_inherited() {
        let (mut output, input) = io::pipe().unwrap();
        let (_, other) = io::pipe().unwrap();
        let script = format!("echo named >&{}; echo other >&{}", input.as_raw_fd(), other.as_raw_fd());
        let pid = start(&mut shell(&script), [null(), null(), null()], [input.as_raw_fd(), -1]).unwrap();
        drop(input);
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        let ended = loop {
            if let Some(ended) = os::try_wait(pid).unwrap() {
                break ended;
            }
            std::thread::yield_now();
        };
        assert_eq!((text.as_str(), ended.code), ("named\n", Some(2)), "the shell has no other");
    }
}
