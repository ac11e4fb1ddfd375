//! The first runs. Before anything is measured, they show whether every command works, how long it
//! takes, and whether it uses more than one processor.

use crate::calls::{Call, Entry, FirstResults, Output};
use crate::gather::{Gathered, Gathering};
use crate::os::{self, Ended};
use crate::printed::{self, Figures, Source};
use derny_model::{Problem, problem};
use std::io;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Minimum time between two observations of a running command.
const LOOK: Duration = Duration::from_micros(300);
/// Maximum number of bytes to keep of a command's error output.
const KEPT: usize = 4096;
/// Maximum number of lines to show of a command's error output.
const LINES: usize = 8;
/// Minimum number of runs of each command that the default budget allows. See [`budget_ns`].
const RUNS: u32 = 20;
/// Minimum of the default budget, in ns.
const LEAST_NS: u64 = 3_000_000_000;
/// Ratio of processor time to wall time above which a command has used more than one processor. The margin
/// above 1 allows for errors of the two clocks.
const TWO: f64 = 1.03;

/// The reason why a first run did not succeed.
#[derive(Debug)]
pub enum Wrong {
    /// The command failed: the error, and a remedy.
    Failed(Problem),
    /// The user stopped the runs.
    Stopped,
}

/// Observes the first runs.
pub trait Watcher {
    /// Returns true if the user wants to stop.
    fn is_stopped(&self) -> bool;
    /// Reports that the command `text` has been running for `since`.
    fn runs(&mut self, text: &str, since: Duration);
    /// Reports `text`, a message that is not a failure.
    fn notes(&mut self, text: &str);
}

/// The result of a first run: time, exit status, resource use and output.
struct FirstRun {
    wall: Duration,
    ended: Ended,
    complaints: Vec<u8>,
    output: Gathered,
    is_single: bool,
    leftovers: Vec<String>,
}

/// Minimum number of runs that show whether figures vary. If these runs print the same figures, one more
/// follows.
const FEWEST: u32 = 2;

/// Runs the command of `entry` `runs` times, with the commands before and after each run. If there are
/// `sources` of figures, it runs at least twice. Stores the results in `entry.seen`, and the figures in
/// `entry.figures`.
///
/// # Errors
/// Fails if a command cannot be started, exits with a status that is not accepted, or exceeds
/// `timeout`. Also fails if the user stops the runs.
pub fn first(
    entry: &mut Entry,
    runs: u32,
    (timeout, sources): (Option<Duration>, &[Source]),
    watcher: &mut dyn Watcher,
) -> Result<(), Wrong> {
    let mut seen = FirstResults { about_ns: u64::MAX, whole_ns: u64::MAX, is_single: true };
    let mut figures: Vec<Figures> = Vec::new();
    let least = runs.max(if sources.is_empty() { 1 } else { FEWEST });
    let is_alike = |runs: &[Figures]| runs.len() > 1 && runs.iter().all(|run| run.values == runs[0].values);
    let wants = |number: u32, runs: &[Figures]| number < least || (number == FEWEST && is_alike(runs));
    for number in 0.. {
        if !wants(number, &figures) {
            break;
        }
        let begun = Instant::now();
        let iteration = format!("warmup-{number}");
        around(entry.prepare.as_ref(), "--prepare", &iteration, watcher)?;
        let marks = printed::mark(sources, &entry.run.directory);
        let run = start(&entry.run, Some(entry), Some(&iteration), timeout, watcher)?;
        if !sources.is_empty() {
            figures.push(printed::read(sources, &run.output, &entry.run.directory, &marks));
        }
        around(entry.conclude.as_ref(), "--conclude", &iteration, watcher)?;
        if !entry.accepted.has(run.ended.exit) {
            let advice = "use -i if this status is expected; --show-output shows its output";
            return Err(Wrong::Failed(failure(&entry.run, &run, advice)));
        }
        if !run.leftovers.is_empty() && number == 0 {
            watcher.notes(&left_behind(&entry.run.text, &run.leftovers));
        }
        seen.about_ns = seen.about_ns.min(run.wall.as_nanos() as u64);
        seen.whole_ns = seen.whole_ns.min(begun.elapsed().as_nanos() as u64);
        seen.is_single &= run.is_single;
    }
    (entry.seen, entry.figures) = (seen, figures);
    Ok(())
}

/// Returns the default budget per case, in ns: the time of `runs` runs, but at least [`RUNS`], of every
/// command of the slowest case. It is at least [`LEAST_NS`].
pub fn budget_ns(entries: &[Entry], runs: u32) -> u64 {
    let of_case = |params: &[(String, String)]| -> u64 {
        entries.iter().filter(|entry| entry.params == params).map(|entry| entry.seen.whole_ns).sum()
    };
    let longest = entries.iter().map(|entry| of_case(&entry.params)).max().unwrap_or(0);
    longest.saturating_mul(runs.max(RUNS).into()).max(LEAST_NS)
}

/// Returns the message that the command `text` left the processes `leftovers` running.
pub fn left_behind(text: &str, leftovers: &[String]) -> String {
    format!(
        "`{text}` left processes running: {}. Derny ended them, because they would disturb later runs",
        leftovers.join(", ")
    )
}

/// Runs a command once, such as a set-up. Error messages name `flag`, the option that specified it.
///
/// # Errors
/// Fails like [`first`].
pub fn once(call: &Call, flag: &str, watcher: &mut dyn Watcher) -> Result<(), Wrong> {
    let run = start(call, None, None, None, watcher)?;
    let advice = format!("run the same line by itself; {flag} must exit with status 0");
    match run.ended.exit {
        os::Exit::Status(0) => Ok(()),
        _ => Err(Wrong::Failed(failure(call, &run, &advice))),
    }
}

fn around(call: Option<&Call>, flag: &str, iteration: &str, watcher: &mut dyn Watcher) -> Result<(), Wrong> {
    let Some(call) = call else { return Ok(()) };
    let ended = surround(call, iteration).map_err(|why| Wrong::Failed(call.not_started(&why)))?;
    match ended.exit {
        os::Exit::Status(0) if !watcher.is_stopped() => Ok(()),
        _ if watcher.is_stopped() => Err(Wrong::Stopped),
        exit => Err(Wrong::Failed(not_zero(call, exit, flag))),
    }
}

/// Returns the error for a command that did not exit with status 0. `flag` is the option that specified
/// the command, such as `--prepare`.
pub fn not_zero(call: &Call, exit: os::Exit, flag: &str) -> Problem {
    problem!("{flag}: `{}` {exit}", call.text)
        .remedy("run the same line by itself; it must exit with status 0")
}

/// Runs a command before or after the run `iteration`, without timing it. The command may leave processes
/// behind on purpose.
///
/// # Errors
/// Fails if the system cannot start the command.
pub fn surround(call: &Call, iteration: &str) -> io::Result<Ended> {
    let child = call.lasting_command(Some(iteration)).spawn()?;
    os::wait(child.id())
}

fn failure(call: &Call, run: &FirstRun, advice: &str) -> Problem {
    let mut text = format!("`{}` {}", call.text, run.ended.exit);
    let complaints = String::from_utf8_lossy(&run.complaints);
    for line in complaints.lines().filter(|line| !line.trim().is_empty()).take(LINES) {
        text.push_str("\n  | ");
        text.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300));
    }
    if run.ended.exit == os::Exit::Status(127) {
        let is_path = call.text.split_whitespace().next().is_some_and(|word| word.contains('/'));
        let advice = if is_path { "check the path" } else { "check the spelling, or use its full path" };
        return Problem::new(text).why("the shell did not find it").remedy(advice);
    }
    Problem::new(text).remedy(advice)
}

fn start(
    call: &Call,
    entry: Option<&Entry>,
    iteration: Option<&str>,
    timeout: Option<Duration>,
    watcher: &mut dyn Watcher,
) -> Result<FirstRun, Wrong> {
    let not_started = |why: io::Error| Wrong::Failed(call.not_started(&why));
    let mut command = if entry.is_some() { call.command(iteration) } else { call.lasting_command(iteration) };
    let output = match entry {
        Some(entry) => entry.connect(&mut command).map_err(not_started)?,
        None => None,
    };
    if entry.is_none_or(|entry| entry.output != Output::Inherit) {
        command.stderr(Stdio::piped());
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let begun = Instant::now();
    let mut child = command.spawn().map_err(not_started)?;
    drop(command);
    let complaints = child.stderr.take().map(|stream| Gathering::beginning_of(stream, KEPT));
    let looked = look(call, &child, begun, timeout, watcher);
    let wall = begun.elapsed();
    let leftovers = end_group(child.id());
    let (ended, was_single) = looked?;
    let is_single = was_single && ended.cpu_ns() as f64 <= TWO * wall.as_nanos() as f64;
    let complaints = complaints.map_or(Vec::new(), |kept| kept.end().bytes);
    let output = output.map(Gathering::end).unwrap_or_default();
    Ok(FirstRun { wall, ended, complaints, output, is_single, leftovers })
}

/// Waits until the command ends. Kills its process group if the user stops the runs, or if `timeout` is
/// exceeded. The flag of the result is true if the command was never seen with two threads that could run at
/// the same time.
fn look(
    call: &Call,
    child: &Child,
    begun: Instant,
    timeout: Option<Duration>,
    watcher: &mut dyn Watcher,
) -> Result<(Ended, bool), Wrong> {
    let mut is_single = true;
    loop {
        is_single &= runnable(child.id()) < 2;
        match os::try_wait(child.id()) {
            Ok(Some(ended)) => return Ok((ended, is_single)),
            Ok(None) => {}
            Err(why) => return Err(Wrong::Failed(problem!("`{}` cannot be waited for: {why}", call.text))),
        }
        let is_late = timeout.is_some_and(|most| begun.elapsed() > most);
        if watcher.is_stopped() || is_late {
            os::kill_group(child.id());
            let _ = os::wait(child.id());
        }
        if watcher.is_stopped() {
            return Err(Wrong::Stopped);
        }
        if is_late {
            let most = timeout.unwrap_or_default();
            return Err(Wrong::Failed(
                problem!("`{}` did not finish within {most:?}, and was stopped", call.text)
                    .remedy("use a longer --timeout"),
            ));
        }
        watcher.runs(&call.text, begun.elapsed());
        std::thread::sleep(LOOK.max(begun.elapsed() / 200).min(Duration::from_millis(20)));
    }
}

/// Kills the processes that a command has left behind in its group. Returns their names.
fn end_group(group: u32) -> Vec<String> {
    if !os::has_members(group) {
        return Vec::new();
    }
    let is_member = |stat: &Stat| stat.group == group && stat.state != 'Z';
    let mut names: Vec<String> = processes()
        .filter_map(|pid| stat(&format!("/proc/{pid}/stat")))
        .filter(is_member)
        .map(|stat| stat.name)
        .collect();
    names.sort();
    names.dedup();
    os::kill_group(group);
    names
}

/// Returns the names of the processes with these ids, without those that no longer exist.
pub fn names(pids: &[u32]) -> Vec<String> {
    let name = |pid: &u32| stat(&format!("/proc/{pid}/stat")).map(|stat| stat.name);
    pids.iter().filter_map(name).collect()
}

/// Returns the ids of this process's children.
pub fn children() -> Vec<u32> {
    let list = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).ok();
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let pids = tasks.filter_map(list).collect::<Vec<String>>().join(" ");
    pids.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// The state of a process or a thread.
struct Stat {
    name: String,
    state: char,
    group: u32,
}

fn stat(path: &str) -> Option<Stat> {
    let text = std::fs::read_to_string(Path::new(path)).ok()?;
    let (begin, rest) = text.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some(Stat { name: begin.split_once('(')?.1.to_owned(), state, group })
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Counts the threads that could run now, in a process and its descendants. Returns 0 if the system does
/// not report them.
fn runnable(group: u32) -> usize {
    let mut waiting = vec![group];
    let mut count = 0;
    while let Some(pid) = waiting.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let path = task.path();
            let children = std::fs::read_to_string(path.join("children")).unwrap_or_default();
            waiting.extend(children.split_ascii_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
            count +=
                usize::from(stat(&path.join("stat").to_string_lossy()).is_some_and(|stat| stat.state == 'R'));
        }
    }
    count
}
