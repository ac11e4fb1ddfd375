//! Orphans: processes that a program leaves behind outside its process group, because their parent has ended
//! and they have their own session. They would disturb the next measurement unnoticed.
//!
//! On Linux the engine adopts such processes (`PR_SET_CHILD_SUBREAPER`). It ends those of a program only once
//! the program has ended: until then they may be part of the measurement, or made by a global set-up for the
//! whole run. What a build leaves behind stays, such as the daemon of a build tool. Other systems find none.

use crate::os;
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The variable that marks processes which the engine has started.
pub const MARK: &str = "DERNY_LAUNCH";
/// Its value for builds and preparations, whose orphans are kept.
pub const KEPT: &str = "kept";
/// Time limit for a killed process to disappear.
const PATIENCE: Duration = Duration::from_secs(1);

/// The children that the engine has started itself, not adopted.
static OWN: Mutex<OwnProcesses> =
    Mutex::new(OwnProcesses { programs: BTreeSet::new(), watchers: BTreeSet::new() });

struct OwnProcesses {
    /// Programs that may leave something behind.
    programs: BTreeSet<u32>,
    /// Derny's own processes.
    watchers: BTreeSet<u32>,
}

fn own() -> MutexGuard<'static, OwnProcesses> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a mark that no other program of this engine has.
pub fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Makes this process adopt orphans from now on.
pub fn adopt() {
    os::adopt_orphans();
}

/// Calls `start`, which starts a program and returns its process id. The program counts as the engine's own
/// until [`end`] is called for it.
///
/// # Errors
/// Fails if `start` does.
pub fn start(start: impl FnOnce() -> io::Result<u32>) -> io::Result<u32> {
    adopt();
    // Hold the lock, so that no thread takes the new process for an orphan.
    let mut own = own();
    let pid = start()?;
    own.programs.insert(pid);
    Ok(pid)
}

/// Starts one of Derny's own processes, which leaves no children behind.
///
/// # Errors
/// Fails if the system cannot start it.
pub fn spawn_watcher(command: &mut Command) -> io::Result<Child> {
    let mut own = own();
    let child = command.spawn()?;
    own.watchers.insert(child.id());
    Ok(child)
}

/// Ends the remaining processes of the program `pid` with this mark. The program, its group and the process
/// `wrapped` that it started must have ended. Returns the names, each with its process id.
pub fn end(pid: u32, wrapped: Option<u32>, mark: &str) -> Vec<String> {
    let mut own = own();
    own.programs.remove(&pid);
    let is_last = own.programs.is_empty();
    let mut names = Vec::new();
    let start = Instant::now();
    // The children of an orphan are adopted once it has ended, so repeat.
    while start.elapsed() < PATIENCE {
        let left: Vec<Orphan> = orphans(&own).into_iter().filter(|it| it.is_of(mark, is_last)).collect();
        if left.is_empty() {
            break;
        }
        for orphan in left {
            let name = format!("`{}` (process {})", orphan.name, orphan.pid);
            let is_known = orphan.group == Some(pid) || wrapped == Some(orphan.pid);
            if !orphan.is_over && !is_known && !names.contains(&name) {
                os::kill_process(orphan.pid, None, os::SIGKILL);
                names.push(name);
            }
            let _ = os::try_wait(orphan.pid);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    names
}

/// Returns the processes that the live program `pid` with this mark has left behind outside its group.
pub fn of(pid: u32, mark: &str) -> BTreeSet<u32> {
    let own = own();
    let is_left = |it: &Orphan| !it.is_over && it.group != Some(pid) && it.mark.as_deref() == Some(mark);
    orphans(&own).into_iter().filter(is_left).map(|it| it.pid).collect()
}

/// Ends the processes that it has started since `before` and left behind, such as those of a closed case.
/// Returns the names, each with its process id.
pub fn end_new(pid: u32, mark: &str, before: &BTreeSet<u32>) -> Vec<String> {
    let new: Vec<u32> = of(pid, mark).into_iter().filter(|pid| !before.contains(pid)).collect();
    let named = |pid: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        os::kill_process(pid, None, os::SIGKILL);
        format!("`{}` (process {pid})", stat.trim())
    };
    new.into_iter().map(named).collect()
}

/// A child of this process that it has not started.
struct Orphan {
    pid: u32,
    name: String,
    group: Option<u32>,
    /// It has ended and waits to be reaped.
    is_over: bool,
    mark: Option<String>,
}

impl Orphan {
    /// Returns true if the program with this mark left it behind: by its environment, or because no other
    /// program of the engine remains (`is_last`).
    fn is_of(&self, mark: &str, is_last: bool) -> bool {
        match &self.mark {
            Some(own) => own == mark || (is_last && own != KEPT),
            None => self.is_over || is_last,
        }
    }
}

/// Returns the orphans that this process has adopted. Excludes programs that it starts within its own group,
/// such as builds.
fn orphans(own: &OwnProcesses) -> Vec<Orphan> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let lists = lists.collect::<Vec<String>>().join(" ");
    let pids = lists.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok());
    let group = os::group_of(std::process::id());
    let is_own = |pid: &u32| own.programs.contains(pid) || own.watchers.contains(pid);
    pids.filter(|pid| !is_own(pid)).filter_map(|pid| orphan(pid, group)).collect()
}

fn orphan(pid: u32, own_group: Option<u32>) -> Option<Orphan> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (head, rest) = stat.rsplit_once(") ")?;
    let name = head.split_once(" (")?.1.to_owned();
    let mut fields = rest.split(' ');
    let is_over = matches!(fields.next()?, "Z" | "X");
    let group = fields.nth(1)?.parse().ok();
    if group == own_group {
        return None;
    }
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let entries = environment.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mark =
        entries.filter_map(|entry| Some(entry.strip_prefix(MARK)?.strip_prefix('=')?.to_owned())).next();
    Some(Orphan { pid, name, group, is_over, mark })
}
