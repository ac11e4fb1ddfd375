//! A watcher beside the engine that ends the engine's harnesses if the engine is killed.
//!
//! The engine cannot clean up after `kill -9`. So it starts itself once more as a reaper, which sleeps on a pipe and
//! is told of every process group; when the pipe closes without a farewell the engine is dead, and it kills what is
//! left. On Linux the direct child also dies with the engine (`PR_SET_PDEATHSIG`); the reaper catches what that child
//! has started.

use crate::os;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// The hidden first argument with which the engine's program becomes a reaper.
pub const ARGUMENT: &str = "__reap";

/// Handle of a running reaper. Cheap to clone; the reaper ends when the last handle is dropped.
#[derive(Debug, Clone)]
pub struct Reaper {
    pipe: Arc<Mutex<Watcher>>,
}

#[derive(Debug)]
struct Watcher {
    program: PathBuf,
    /// None until there is something to watch.
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
                Ok(none.insert(command.spawn()?))
            }
        }
    }
}

impl Reaper {
    /// A reaper that starts `program __reap` as soon as there is something to watch.
    pub fn new(program: &Path) -> Reaper {
        Reaper { pipe: Arc::new(Mutex::new(Watcher { program: program.to_path_buf(), child: None })) }
    }

    /// A process group is alive.
    pub fn watch(&self, group: u32) {
        self.tell('+', group);
    }

    /// A process group is gone.
    pub fn forget(&self, group: u32) {
        self.tell('-', group);
    }

    fn tell(&self, sign: char, group: u32) {
        let Ok(mut watcher) = self.pipe.lock() else { return };
        // A reaper that cannot be started, or was killed, is no reason to stop measuring.
        if let Ok(child) = watcher.child()
            && let Some(pipe) = &mut child.stdin
        {
            let _ = writeln!(pipe, "{sign}{group}");
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

/// The reaper's whole life: reads `+group` and `-group` lines until the engine is gone, then kills what is left.
pub fn serve(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        match line.split_at_checked(1) {
            Some(("+", group)) => groups.extend(group.parse::<u32>()),
            Some(("-", group)) => {
                if let Ok(group) = group.parse() {
                    groups.remove(&group);
                }
            }
            _ => {}
        }
    }
    for group in groups {
        os::kill_group(group, os::SIGKILL);
    }
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
        serve(format!("+{w}\n+{s}\nnoise\n-{s}\n").as_bytes());
        assert_eq!(watched.wait().unwrap().signal(), Some(9));
        assert!(spared.try_wait().unwrap().is_none());
        spared.kill().unwrap();
        spared.wait().unwrap();
    }
}
