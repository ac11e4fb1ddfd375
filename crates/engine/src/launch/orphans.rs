//! What a program of the engine's leaves behind outside of its process group: a process whose parent has ended, and that has made a session
//! of its own. It would run beside the next measurement, and nothing says so.
//!
//! On Linux the engine adopts such processes (`PR_SET_CHILD_SUBREAPER`), so that they are its children. It ends those of a program once the
//! program has ended: while it lives, they may be what it measures with, or what a global set-up has made for the whole run. What a
//! build leaves behind stays, such as the daemon of a build tool. Elsewhere nothing is found.

use crate::os;
use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The variable by which a process is known to come from one that the engine has started.
pub const MARK: &str = "DERNY_LAUNCH";
/// Its value in what builds or prepares something: what that leaves behind may be what it is for.
pub const KEPT: &str = "kept";
/// A process that was ended is gone after so long.
const PATIENCE: Duration = Duration::from_secs(1);

/// The children that the engine has started itself, and not adopted.
static OWN: Mutex<Own> = Mutex::new(Own { programs: BTreeSet::new(), watchers: BTreeSet::new() });

struct Own {
    /// Programs that may leave something behind.
    programs: BTreeSet<u32>,
    /// Processes of Derny's own.
    watchers: BTreeSet<u32>,
}

fn own() -> MutexGuard<'static, Own> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A mark that no other program of this engine has.
pub fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// From now on this process adopts what programs leave behind.
pub fn adopt() {
    os::adopt_orphans();
}

/// Calls `start`, which starts a program and returns its number. The program is a process of the engine's own until [`end`]
/// is called for it.
///
/// # Errors
/// Those of `start`.
pub fn start(start: impl FnOnce() -> io::Result<u32>) -> io::Result<u32> {
    adopt();
    // No thread looks for orphans before it is known that this is none.
    let mut own = own();
    let pid = start()?;
    own.programs.insert(pid);
    Ok(pid)
}

/// Starts a process of Derny's own, which leaves nothing behind.
///
/// # Errors
/// Those of the system.
pub fn spawn_watcher(command: &mut Command) -> io::Result<Child> {
    let mut own = own();
    let child = command.spawn()?;
    own.watchers.insert(child.id());
    Ok(child)
}

/// The program `pid` with this mark has ended, and so has its group, and the process `wrapped` that it has started: what it has left behind
/// beside is ended too. The names of that, each with its number.
pub fn end(pid: u32, wrapped: Option<u32>, mark: &str) -> Vec<String> {
    let mut own = own();
    own.programs.remove(&pid);
    let is_last = own.programs.is_empty();
    let mut names = Vec::new();
    let start = Instant::now();
    // What one of them has started itself is adopted once that one has ended.
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

/// What the program `pid` with this mark has left behind so far, outside of its group. It still lives.
pub fn of(pid: u32, mark: &str) -> BTreeSet<u32> {
    let own = own();
    let is_left = |it: &Orphan| !it.is_over && it.group != Some(pid) && it.mark.as_deref() == Some(mark);
    orphans(&own).into_iter().filter(is_left).map(|it| it.pid).collect()
}

/// Ends what it has left behind but those `before`: what a case has left that is closed. The names, each with its number.
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
    /// It has ended and waits to be collected.
    is_over: bool,
    mark: Option<String>,
}

impl Orphan {
    /// Whether the program with this mark has left it: by its environment, or because no other program of the engine's `is_last`.
    fn is_of(&self, mark: &str, is_last: bool) -> bool {
        match &self.mark {
            Some(own) => own == mark || (is_last && own != KEPT),
            None => self.is_over || is_last,
        }
    }
}

/// The orphans that this process has adopted. Programs that it starts without a group of their own, such as builds, are none.
fn orphans(own: &Own) -> Vec<Orphan> {
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
