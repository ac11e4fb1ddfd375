//! The reaper: a process that ends the harnesses if the engine is killed.
//!
//! The engine cannot clean up after `kill -9`. It therefore starts its own program a second time as a
//! reaper. The engine reports every process group to the reaper through a pipe, on which the reaper
//! waits. If the engine dies, the pipe closes. The reaper then kills the remaining processes and removes
//! the private folders.
//!
//! On Linux, the direct child also dies with the engine (`PR_SET_PDEATHSIG`), and the reaper kills the
//! processes that this child has started.

use crate::launch::orphans;
use crate::os;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::{fmt, fs};

/// Hidden first argument with which the program runs as a reaper.
pub const ARGUMENT: &str = "__reap";

/// A process, process group or folder that a killed engine would leave behind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leftover {
    /// A process group.
    Group(u32),
    /// A process outside the program's group.
    Process(u32),
    /// A private folder.
    Folder(PathBuf),
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leftover::Group(group) => write!(f, "group {group}"),
            Leftover::Process(pid) => write!(f, "process {pid}"),
            Leftover::Folder(path) => write!(f, "folder {}", path.display()),
        }
    }
}

impl FromStr for Leftover {
    type Err = ();

    fn from_str(text: &str) -> Result<Leftover, ()> {
        let (kind, value) = text.split_once(' ').ok_or(())?;
        let number = || value.parse().map_err(|_| ());
        match kind {
            "group" => number().map(Leftover::Group),
            "process" => number().map(Leftover::Process),
            "folder" => Ok(Leftover::Folder(PathBuf::from(value))),
            _ => Err(()),
        }
    }
}

impl Leftover {
    fn end(&self) {
        match self {
            Leftover::Group(group) => os::kill_group(*group, os::SIGKILL),
            Leftover::Process(pid) => {
                os::kill_group(*pid, os::SIGKILL);
                os::kill_process(*pid, None, os::SIGKILL);
            }
            // Only the engine used the folder.
            Leftover::Folder(path) => _ = fs::remove_dir_all(path),
        }
    }
}

/// Handle of a reaper. Clones are cheap. The reaper ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Reaper {
    pipe: Arc<Mutex<Watcher>>,
}

#[derive(Debug)]
struct Watcher {
    program: PathBuf,
    /// The process of the reaper. `None` until there is something to watch.
    child: Option<Child>,
}

impl Watcher {
    fn child(&mut self) -> io::Result<&mut Child> {
        match &mut self.child {
            Some(child) => Ok(child),
            none => {
                let mut command = Command::new(&self.program);
                command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
                os::detach(&mut command);
                Ok(none.insert(orphans::spawn_watcher(&mut command)?))
            }
        }
    }
}

impl Reaper {
    /// Returns a reaper that starts `program __reap` when there is something to watch.
    pub fn new(program: &Path) -> Reaper {
        Reaper { pipe: Arc::new(Mutex::new(Watcher { program: program.to_path_buf(), child: None })) }
    }

    /// Registers a leftover to clean up.
    pub fn watch(&self, left: &Leftover) {
        self.tell('+', left);
    }

    /// Unregisters a leftover that no longer exists.
    pub fn forget(&self, left: &Leftover) {
        self.tell('-', left);
    }

    fn tell(&self, sign: char, left: &Leftover) {
        let Ok(mut watcher) = self.pipe.lock() else { return };
        // Measuring continues even if the reaper could not be started or was killed.
        if let Ok(child) = watcher.child()
            && let Some(pipe) = &mut child.stdin
        {
            let _ = writeln!(pipe, "{sign}{left}");
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}

/// Runs the reaper. Reads lines that report processes and folders that were created or removed, until
/// the engine is gone. Then kills the remaining processes. Removes the folders last, because the
/// processes may still use them.
pub fn serve(input: impl BufRead) {
    let mut all = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let (sign, left) = line.split_at_checked(1).unwrap_or_default();
        match (sign, left.parse::<Leftover>()) {
            ("+", Ok(left)) => _ = all.insert(left),
            ("-", Ok(left)) => _ = all.remove(&left),
            _ => {}
        }
    }
    all.iter().for_each(Leftover::end);
}

#[cfg(test)]
mod tests {
    use super::serve;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    fn sleeper() -> std::process::Child {
        Command::new("sleep").arg("60").process_group(0).spawn().unwrap()
    }

    #[test]
    fn kills_what_is_watched_and_spares_what_is_forgotten() {
        let (mut watched, mut spared) = (sleeper(), sleeper());
        let (w, s) = (watched.id(), spared.id());
        let folder = std::env::temp_dir().join(format!("derny-reaper-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("full")).unwrap();
        let lines = format!("+group {w}\n+group {s}\nnoise\n+folder {}\n-group {s}\n", folder.display());
        serve(lines.as_bytes());
        assert_eq!(watched.wait().unwrap().signal(), Some(9));
        assert!(spared.try_wait().unwrap().is_none());
        assert!(!folder.exists());
        spared.kill().unwrap();
        spared.wait().unwrap();
    }
}
