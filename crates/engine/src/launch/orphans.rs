//! Orphans: processes that a program leaves behind outside its process group, because they have their
//! own session and their parent has ended. They would disturb the next measurement unnoticed.
//!
//! On Linux, the engine adopts these processes (`PR_SET_CHILD_SUBREAPER`). It kills the orphans of a
//! program only after the program has ended. Until then they may be part of the measurement, or a
//! global set-up may have started them for the entire run. The engine keeps processes that a build
//! leaves behind, such as the daemon of a build tool. On other systems, it finds no orphans.

use crate::os;
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Variable that marks the processes of a program that the engine has started.
pub const MARK: &str = "DERNY_LAUNCH";
/// Value of [`MARK`] for builds and preparations, whose orphans are kept.
pub const KEPT: &str = "kept";
/// Time limit for a killed process to disappear.
const PATIENCE: Duration = Duration::from_secs(1);

/// The children that the engine itself has started, as opposed to adopted ones.
static OWN: Mutex<OwnProcesses> =
    Mutex::new(OwnProcesses { programs: BTreeSet::new(), watchers: BTreeSet::new() });

struct OwnProcesses {
    /// Ids of programs that may leave processes behind.
    programs: BTreeSet<u32>,
    /// Ids of Derny's own helper processes.
    watchers: BTreeSet<u32>,
}

fn own() -> MutexGuard<'static, OwnProcesses> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a mark that is unique among the programs of this engine.
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
/// Fails if `start` fails.
pub fn start(start: impl FnOnce() -> io::Result<u32>) -> io::Result<u32> {
    adopt();
    // Hold the lock until the process is registered. Otherwise, another thread could mistake it for an
    // orphan.
    let mut own = own();
    let pid = start()?;
    own.programs.insert(pid);
    Ok(pid)
}

/// Starts one of Derny's own helper processes, which leaves no processes behind.
///
/// # Errors
/// Fails if the system cannot start the helper.
pub fn spawn_watcher(command: &mut Command) -> io::Result<Child> {
    let mut own = own();
    let child = command.spawn()?;
    own.watchers.insert(child.id());
    Ok(child)
}

/// Kills the processes that the program `pid` with this mark has left behind. Both the program's group
/// and `wrapped`, the process that it started, must have ended. Returns the names, each with its
/// process id.
pub fn end(pid: u32, wrapped: Option<u32>, mark: &str) -> Vec<String> {
    let mut own = own();
    own.programs.remove(&pid);
    let is_last = own.programs.is_empty();
    let mut names = Vec::new();
    let start = Instant::now();
    // Killing an orphan makes this process adopt its children, so repeat the search.
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

/// Returns the ids of the processes that the live program `pid` with this mark has left behind outside its
/// group.
pub fn of(pid: u32, mark: &str) -> BTreeSet<u32> {
    let own = own();
    let is_left = |it: &Orphan| !it.is_over && it.group != Some(pid) && it.mark.as_deref() == Some(mark);
    orphans(&own).into_iter().filter(is_left).map(|it| it.pid).collect()
}

/// Kills the processes that the program has left behind since `before` was read, such as those of a
/// closed case. Returns the names, each with its process id.
pub fn end_new(pid: u32, mark: &str, before: &BTreeSet<u32>) -> Vec<String> {
    let new: Vec<u32> = of(pid, mark).into_iter().filter(|pid| !before.contains(pid)).collect();
    let named = |pid: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        os::kill_process(pid, None, os::SIGKILL);
        format!("`{}` (process {pid})", stat.trim())
    };
    new.into_iter().map(named).collect()
}

/// A child of this process that this process did not start.
struct Orphan {
    pid: u32,
    name: String,
    group: Option<u32>,
    /// True if the process has ended and waits to be reaped.
    is_over: bool,
    mark: Option<String>,
}

impl Orphan {
    /// Returns true if the program with this mark left the process behind. A process belongs to the
    /// program if its environment contains the mark. If `is_last`, no other program is alive, so a
    /// process without a mark belongs to it too.
    fn is_of(&self, mark: &str, is_last: bool) -> bool {
        match &self.mark {
            Some(own) => own == mark || (is_last && own != KEPT),
            None => self.is_over || is_last,
        }
    }
}

/// Returns the orphans that this process has adopted. Excludes programs that it started within its own
/// group, such as builds.
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
