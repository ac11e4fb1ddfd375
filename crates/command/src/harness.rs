//! The harness that measures whole commands. An iteration is one run of a command, from its start until
//! it has been reaped. The commands before and after a run are not timed.
//!
//! A command starts in the harness's process group, so that it ends together with the harness. It is started
//! with `posix_spawn`, which does not copy page tables. While the command runs, the harness writes and
//! allocates nothing.

mod printed;

use crate::calls::{Accepted, Call, Calls, Entry};
use crate::first;
use crate::gather::Gathering;
use crate::os::group::{Group, Together};
use crate::os::{self, Ended};
use crate::printed::{Figures, Source, mark, read};
use derny_model::Problem;
use derny_protocol::{
    Case, Collector, Command, Direction, End, Hello, Kind, MAX_BATCHES, Metric, Reply, VERSION,
};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// First argument with which `derny` runs as this harness. The second is the folder of its [`Calls`].
pub const ARGUMENT: &str = "__commands";

/// Number of runs of the empty shell before the first turn of a process, and maximum number of its latest
/// runs of which the median is taken.
const STARTS: [usize; 2] = [5, 11];
/// Multiple of the deviation from the median that counts as overhead. Three median deviations are about
/// two standard deviations.
const FAR: u64 = 3;
/// Time limit of a run if the user has set none, in ns. It is a day, because a command that runs for long is
/// indistinguishable from one that hangs.
const DAY_NS: u64 = 86_400_000_000_000;
/// Time that is added to the user's limit for the commands before and after a run, in ns.
const AROUND_NS: u64 = 60_000_000_000;

/// Runs the harness on the streams that the engine names in the environment, until it receives `quit` or
/// the engine ends.
///
/// # Errors
/// Fails if a file cannot be read, or if a stream is missing.
pub fn serve(folder: &Path) -> io::Result<()> {
    let path = |name: &str| {
        std::env::var_os(name).ok_or_else(|| {
            io::Error::other(format!(
                "{name} is not set: this command is internal to Derny and cannot be run directly"
            ))
        })
    };
    // Keep this order, because opening a FIFO waits for the other end.
    let replies = OpenOptions::new().write(true).open(path("DERNY_REPLIES")?)?;
    let commands = BufReader::new(File::open(path("DERNY_COMMANDS")?)?);
    let calls = Calls::read(folder)?;
    let harness = Harness::new(calls, folder).map_err(|why| io::Error::other(why.to_string()))?;
    converse(harness, commands, replies)
}

fn converse(mut harness: Harness, commands: impl BufRead, mut replies: impl Write) -> io::Result<()> {
    writeln!(replies, "{}", Reply::Hello(harness.hello()))?;
    for line in commands.lines() {
        let answer = match Command::parse(&line?) {
            Ok(Command::Quit) => break,
            Ok(command) => {
                harness.answer(&command).unwrap_or_else(|why| vec![Reply::error(&why, None, false)])
            }
            Err(error) => vec![Reply::error(&error.to_string(), None, false)],
        };
        let logs = std::mem::take(&mut harness.logs).into_iter().map(|message| Reply::Log { message });
        let text: String = logs.chain(answer).map(|reply| format!("{reply}\n")).collect();
        replies.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Returns the metrics in the order of [`values`]. Most are counters that the system reports for each process
/// that has ended. With a control group, further metrics cover all processes of a run. If statuses other than
/// 0 are accepted, the exit status is also a metric.
fn metrics(group: Option<&Group>, others_accepted: bool) -> Vec<Metric> {
    let metric = |name: &str, unit: &str, kind| Metric {
        name: name.to_owned(),
        unit: unit.to_owned(),
        kind,
        direction: Direction::Less,
        exact: false,
    };
    let mut all = vec![
        metric("cpu", "ns", Kind::Total),
        metric("user", "ns", Kind::Total),
        metric("system", "ns", Kind::Total),
        metric("peak", "B", Kind::Peak),
        metric("minor_faults", "count", Kind::Total),
        metric("major_faults", "count", Kind::Total),
        metric("switches", "count", Kind::Total),
        metric("preempted", "count", Kind::Total),
    ];
    all.extend(group.filter(|group| group.knows_cpu()).map(|_| metric("group_cpu", "ns", Kind::Total)));
    all.extend(group.filter(|group| group.knows_memory()).map(|_| metric("group_peak", "B", Kind::Peak)));
    let status = Metric { direction: Direction::None, ..metric("exit_code", "count", Kind::Level) };
    all.extend(others_accepted.then_some(status));
    all
}

/// Returns the values of [`metrics`] for a turn that consists of these runs. The peak memory that the system
/// reports for a child is never lower than that of this process, `own_peak`. A peak that does not exceed it
/// is therefore unknown.
fn values(
    runs: &[TimedRun],
    own_peak: u64,
    group: Option<&Group>,
    others_accepted: bool,
) -> Vec<Option<f64>> {
    let sum = |of: fn(&Ended) -> u64| Some(runs.iter().map(|run| of(&run.ended)).sum::<u64>() as f64);
    let peak = runs.iter().map(|run| run.ended.peak_bytes).max().filter(|peak| *peak > own_peak);
    let mut all = vec![
        sum(Ended::cpu_ns),
        sum(|run| run.user_ns),
        sum(|run| run.system_ns),
        peak.map(|bytes| bytes as f64),
        sum(|run| run.minor_faults),
        sum(|run| run.major_faults),
        sum(|run| run.switches),
        sum(|run| run.preempted),
    ];
    if group.is_some_and(Group::knows_cpu) {
        all.push(runs.iter().map(|run| run.together.cpu_ns).sum::<Option<u64>>().map(|ns| ns as f64));
    }
    if group.is_some_and(Group::knows_memory) {
        let peaks = runs.iter().map(|run| run.together.peak_bytes).collect::<Option<Vec<u64>>>();
        all.push(peaks.and_then(|peaks| peaks.into_iter().max()).map(|bytes| bytes as f64));
    }
    if others_accepted {
        let status = |run: &TimedRun| match run.ended.exit {
            os::Exit::Status(status) => Some(status),
            os::Exit::Signal(_) => None,
        };
        let statuses = runs.iter().map(status).collect::<Option<Vec<i32>>>();
        all.push(statuses.and_then(|statuses| statuses.into_iter().max()).map(f64::from));
    }
    all
}

/// The measurements of one run of a command.
struct TimedRun {
    wall_ns: u64,
    ended: Ended,
    together: Together,
    /// Number of the run, counted from 0 for each command.
    number: u64,
    figures: Figures,
}

struct Harness {
    calls: Calls,
    /// Folder with the files that count runs.
    counts: PathBuf,
    open: Option<usize>,
    /// Times of the last runs of the empty shell, in ns.
    starts: VecDeque<u64>,
    logs: Vec<String>,
    times: Vec<u64>,
    runs: Vec<TimedRun>,
    group: Option<Group>,
    /// Sources of figures. Empty if time is judged.
    sources: Vec<Source>,
}

type Answer = Result<Vec<Reply>, String>;

impl Harness {
    fn new(calls: Calls, folder: &Path) -> Result<Harness, Problem> {
        os::adopt();
        let room = MAX_BATCHES as usize;
        let sources = calls.sources.iter().map(|text| Source::parse(text)).collect::<Result<_, _>>()?;
        Ok(Harness {
            sources,
            calls,
            counts: folder.to_owned(),
            open: None,
            starts: VecDeque::with_capacity(STARTS[1] + 1),
            logs: Vec::new(),
            times: Vec::with_capacity(room),
            runs: Vec::with_capacity(room),
            group: Group::join(),
        })
    }

    fn others_accepted(&self) -> bool {
        self.calls.entries.iter().any(|entry| entry.accepted != Accepted::Zero)
    }

    /// Returns the metrics that the system reports. If figures are judged, these have no direction, and
    /// figures of the same name replace them.
    fn metrics(&self) -> Vec<Metric> {
        let all = metrics(self.group.as_ref(), self.others_accepted());
        if self.sources.is_empty() {
            return all;
        }
        let kept = all.into_iter().filter(|metric| !self.is_figure(&metric.name));
        kept.map(|metric| Metric { direction: Direction::None, ..metric }).collect()
    }

    fn hello(&self) -> Hello {
        let has_shell = self.calls.empty.is_some();
        Hello {
            version: VERSION,
            language: "command".to_owned(),
            runtime: format!("derny/{}", env!("CARGO_PKG_VERSION")),
            harness: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            thread: None,
            clock: "Instant".to_owned(),
            step_ns: 1,
            can: ["check"].into_iter().chain(has_shell.then_some("overhead")).map(String::from).collect(),
            gives_back: false,
            collector: Collector::None,
            modes: vec!["time".to_owned()],
            metrics: self.metrics(),
            settings: Vec::new(),
            package: Vec::new(),
        }
    }

    fn answer(&mut self, command: &Command) -> Answer {
        match command {
            Command::List { .. } => Ok(self.list()),
            Command::Open { benchmark, params, .. } => self.open(benchmark, params),
            Command::Check => {
                let place = self.opened("check")?;
                self.run(place)?;
                Ok(vec![Reply::Checked { hash: None }])
            }
            Command::Measure { iterations, batches, within_ns, .. } => {
                let place = self.opened("measure")?;
                self.measure(place, *iterations, *batches, *within_ns)
            }
            Command::Overhead { iterations, batches } => {
                self.opened("overhead")?;
                self.overhead(*iterations, *batches)
            }
            Command::Close => {
                self.opened("close")?;
                self.open = None;
                Ok(vec![Reply::Closed { ops: None, reported: Vec::new(), texts: Vec::new() }])
            }
            other => Ok(vec![Reply::Unsupported { verb: other.verb().to_owned() }]),
        }
    }

    fn list(&self) -> Vec<Reply> {
        let case = |entry: &Entry| Reply::Case(Box::new(self.case(entry)));
        self.calls.entries.iter().map(case).chain([Reply::End(End::default())]).collect()
    }

    fn case(&self, entry: &Entry) -> Case {
        let around_ns = if entry.is_surrounded() { AROUND_NS } else { 0 };
        Case {
            benchmark: entry.name.clone(),
            params: entry.params.clone(),
            max_iterations: Some(1),
            fresh: true,
            isolate: true,
            threads: (!entry.seen.is_single).then_some(0),
            about_ns: Some(entry.seen.about_ns),
            timeout_ns: Some(self.calls.timeout_ns.map_or(DAY_NS, |ns| ns.saturating_add(around_ns))),
            unit: Some("run".to_owned()),
            metrics: self.figures(),
            ..Case::default()
        }
    }

    fn open(&mut self, benchmark: &str, params: &[(String, String)]) -> Answer {
        if self.open.is_some() {
            return Err("open: a case is open already".to_owned());
        }
        let is_meant = |entry: &Entry| entry.name == benchmark && entry.params == params;
        let place = self.calls.entries.iter().position(is_meant);
        self.open = Some(place.ok_or_else(|| format!("open: there is no command `{benchmark}`"))?);
        Ok(vec![Reply::Opened { thread: None, once: false }])
    }

    fn opened(&self, verb: &str) -> Result<usize, String> {
        self.open.ok_or_else(|| format!("{verb}: no case is open"))
    }

    fn measure(&mut self, place: usize, iterations: u64, batches: u32, within_ns: u64) -> Answer {
        if !self.sources.is_empty() {
            return self.measure_figures(place);
        }
        self.times.clear();
        self.runs.clear();
        let begun = Instant::now();
        let start_ns = self.start_ns()?;
        while self.times.len() < batches.min(MAX_BATCHES) as usize {
            let mut batch_ns = 0;
            for _ in 0..iterations {
                let run = self.run(place)?;
                // A command that does almost nothing may take less time than a typical start of the shell.
                batch_ns += run.wall_ns.saturating_sub(start_ns).max(1);
                self.runs.push(run);
            }
            self.times.push(batch_ns);
            if begun.elapsed().as_nanos() as u64 >= within_ns {
                break;
            }
        }
        let counters = values(&self.runs, os::own_peak_bytes(), self.group.as_ref(), self.others_accepted());
        Ok(vec![Reply::Times(self.times.clone()), Reply::End(End { counters, ..End::default() })])
    }

    /// Measures how far runs of the empty shell deviate from the start-up time that is subtracted,
    /// multiplied by [`FAR`]. A command that takes less time than this is indistinguishable from an
    /// empty one.
    fn overhead(&mut self, iterations: u64, batches: u32) -> Answer {
        self.times.clear();
        let start_ns = self.start_ns()?;
        for _ in 0..batches.min(MAX_BATCHES) {
            let mut batch_ns = 0;
            for _ in 0..iterations {
                batch_ns += (FAR * self.start_shell()?.abs_diff(start_ns)).max(1);
            }
            self.times.push(batch_ns);
        }
        let end = End { counters: vec![None; self.metrics().len()], ..End::default() };
        Ok(vec![Reply::Times(self.times.clone()), Reply::End(end)])
    }

    /// Runs a command once, with the commands before and after it.
    fn run(&mut self, place: usize) -> Result<TimedRun, String> {
        let entry = &self.calls.entries[place];
        let number = count(&self.counts, &place.to_string()).map_err(uncounted)?;
        let iteration = number.to_string();
        surround(entry.prepare.as_ref(), "--prepare", &iteration)?;
        // Remember the processes that `--prepare` has started, so that they are not killed after the run.
        let before = if os::has_children() { first::children() } else { Vec::new() };
        let mut command = entry.run.command(Some(&iteration));
        let not_started = |why: io::Error| entry.run.not_started(&why).to_string();
        let output = entry.connect(&mut command).map_err(not_started)?;
        let marks = mark(&self.sources, &entry.run.directory);
        let state = self.group.as_mut().map(|group| group.before(entry.is_surrounded()));
        let begun = Instant::now();
        let child = command.spawn().map_err(not_started)?;
        let ended = os::wait(child.id());
        let wall_ns = begun.elapsed().as_nanos() as u64;
        let together = self.group.as_mut().zip(state).map(|(group, state)| group.after(state));
        drop(command);
        let ended = ended.map_err(|why| format!("`{}` cannot be waited for: {why}", entry.run.text))?;
        let left = if os::has_children() { end_others(&before) } else { Vec::new() };
        let output = output.map(Gathering::end).unwrap_or_default();
        let figures = read(&self.sources, &output, &entry.run.directory, &marks);
        surround(entry.conclude.as_ref(), "--conclude", &iteration)?;
        if !entry.accepted.has(ended.exit) {
            return Err(format!(
                "`{}` {} in run {number}; use -i to ignore the status, or --show-output to see the output",
                entry.run.text, ended.exit
            ));
        }
        if !left.is_empty() {
            self.logs.push(first::left_behind(&entry.run.text, &left));
        }
        Ok(TimedRun { wall_ns, ended, together: together.unwrap_or_default(), number, figures })
    }

    /// Returns the current start-up time of the shell in ns. Runs the shell again, and takes the median
    /// of its latest runs. Returns 0 without a shell.
    fn start_ns(&mut self) -> Result<u64, String> {
        if self.calls.empty.is_none() {
            return Ok(0);
        }
        let runs = if self.starts.is_empty() { STARTS[0] } else { 1 };
        for _ in 0..runs {
            let ns = self.start_shell()?;
            self.starts.push_back(ns);
        }
        while self.starts.len() > STARTS[1] {
            self.starts.pop_front();
        }
        let mut sorted: Vec<u64> = self.starts.iter().copied().collect();
        sorted.sort_unstable();
        Ok(sorted[sorted.len() / 2])
    }

    fn start_shell(&self) -> Result<u64, String> {
        let Some(empty) = &self.calls.empty else { return Ok(0) };
        start(empty).map_err(|why| empty.not_started(&why).to_string())
    }
}

/// Returns the time of one run of an empty call, in ns.
///
/// # Errors
/// Fails if the system cannot start it.
pub fn start(empty: &Call) -> io::Result<u64> {
    let mut command = empty.command(None);
    let begun = Instant::now();
    let child = command.spawn()?;
    os::wait(child.id())?;
    Ok(begun.elapsed().as_nanos() as u64)
}

fn surround(call: Option<&Call>, flag: &str, iteration: &str) -> Result<(), String> {
    let Some(call) = call else { return Ok(()) };
    match first::surround(call, iteration).map_err(|why| call.not_started(&why).to_string())?.exit {
        os::Exit::Status(0) => Ok(()),
        exit => Err(first::not_zero(call, exit, flag).to_string()),
    }
}

/// Kills the children of this process that are not in `before`. Returns their names.
fn end_others(before: &[u32]) -> Vec<String> {
    let others: Vec<u32> = first::children().into_iter().filter(|pid| !before.contains(pid)).collect();
    let names = first::names(&others);
    others.iter().for_each(|pid| os::kill(*pid));
    others.iter().for_each(|pid| _ = os::wait(*pid));
    names
}

/// Counts an event, such as a run of a command, and returns the number of earlier ones. Each event adds a
/// byte to the file `name` in `folder`, because several processes share the count. They run one at a time, so
/// no lock is needed.
fn count(folder: &Path, name: &str) -> io::Result<u64> {
    let mut file = OpenOptions::new().append(true).create(true).open(folder.join(name))?;
    let number = file.metadata()?.len();
    file.write_all(b".")?;
    Ok(number)
}

fn uncounted(why: io::Error) -> String {
    format!("runs cannot be counted: {why}")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::calls::{FirstResults, Output};
    use crate::figures;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Mutex, PoisonError};

    fn call(text: &str, folder: &Path) -> Call {
        let words = ["sh", "-c", text].map(String::from).to_vec();
        Call { text: text.to_owned(), words, directory: folder.to_owned(), env: Vec::new() }
    }

    fn entry(text: &str, folder: &Path) -> Entry {
        Entry {
            name: text.to_owned(),
            params: Vec::new(),
            run: call(text, folder),
            prepare: Some(call("echo p$HYPERFINE_ITERATION >> log", folder)),
            conclude: None,
            output: Output::Null,
            input: None,
            accepted: Accepted::Zero,
            seen: FirstResults { about_ns: 7, whole_ns: 9, is_single: false },
            figures: Vec::new(),
        }
    }

    /// Sends `commands`, which are lines of the protocol, to a harness that measures the command lines
    /// `texts`. Returns the replies, and the folder in which the command lines run.
    fn said(commands: &str, texts: &[&str]) -> (Vec<String>, PathBuf) {
        said_of(commands, texts, |_| {})
    }

    /// Like [`said`], but applies `change` to the calls first.
    fn said_of(commands: &str, texts: &[&str], change: impl Fn(&mut Calls)) -> (Vec<String>, PathBuf) {
        // A harness reaps every child of its process. Two harnesses running at the same time would reap
        // each other's children.
        static ALONE: Mutex<()> = Mutex::new(());
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("derny-command-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let entries = texts.iter().map(|text| entry(text, &folder)).collect();
        let empty = Some(call("", &folder));
        let mut calls = Calls { entries, empty, timeout_ns: None, sources: Vec::new(), metrics: Vec::new() };
        change(&mut calls);
        calls.write(&folder).unwrap();
        let mut said = Vec::new();
        let harness = Harness::new(Calls::read(&folder).unwrap(), &folder).unwrap();
        converse(harness, commands.as_bytes(), &mut said).unwrap();
        let said = String::from_utf8(said).unwrap();
        (said.lines().map(String::from).collect(), folder)
    }

    fn verbs(said: &[String]) -> Vec<&str> {
        said.iter().map(|line| line.split(' ').next().unwrap()).collect()
    }

    #[test]
    fn it_keeps_to_the_protocol() {
        let asked = "list\nopen benchmark=exit%200\nmeasure iterations=1 batches=3 within=9000000000\n\
                     overhead iterations=1 batches=2\ncheck\ncollect\nclose\nclose\nquit\n";
        let (said, folder) = said(asked, &["exit 0"]);
        let wanted = [
            "derny",
            "case",
            "end",
            "opened",
            "times",
            "end",
            "times",
            "end",
            "checked",
            "unsupported",
            "closed",
            "error",
        ];
        assert_eq!(verbs(&said), wanted, "{said:?}");
        assert!(
            said[1].contains("fresh=1") && said[1].contains("threads=0") && said[1].contains("about_ns=7")
        );
        assert_eq!(said[4].split(' ').count(), 4, "{}", said[4]);
        let declared = Reply::parse(&said[0]).unwrap();
        let Reply::Hello(hello) = declared else { panic!("{}", said[0]) };
        assert_eq!(said[5].split(' ').count(), 1 + hello.metrics.len(), "{}", said[5]);
        // Later processes continue the numbering of runs.
        assert_eq!(std::fs::read_to_string(folder.join("log")).unwrap(), "p0\np1\np2\np3\n");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_bad_end_is_an_error_and_the_harness_lives_on() {
        let asked = "open benchmark=exit%203\nmeasure iterations=1 batches=3 within=9000000000\nclose\nopen benchmark=gone\n\
                     open benchmark=kill%20-9%20$$\nmeasure iterations=1 batches=1 within=9000000000\nquit\n";
        let (said, folder) = said(asked, &["exit 3", "kill -9 $$"]);
        assert_eq!(
            verbs(&said),
            ["derny", "opened", "error", "closed", "error", "opened", "error"],
            "{said:?}"
        );
        assert!(said[2].contains("exited%20with%20status%203%20in%20run%200"), "{}", said[2]);
        assert!(said[6].contains("SIGKILL"), "{}", said[6]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn figures_are_the_values_of_turns_and_what_varies_is_not_exact() {
        let text =
            "n=$((HYPERFINE_ITERATION < 2 ? 3 : HYPERFINE_ITERATION)); test $n = 4 || echo METRIC n_kb=$n";
        let (said, folder) = said_of(
            &format!(
                "list\nopen benchmark={}\n{}quit\n",
                text.replace(' ', "%20").replace('=', "%3D"),
                "measure iterations=1 batches=1 within=1\n".repeat(5)
            ),
            &[text],
            |calls| {
                let first = Figures { values: vec![("n_kb".to_owned(), 3.0)], ..Figures::default() };
                (calls.sources, calls.entries[0].figures) = (vec!["metric".to_owned()], vec![first]);
                calls.entries[0].output = Output::Kept;
                let (name, unit) = ("n_kb".to_owned(), "B".to_owned());
                calls.metrics = vec![figures::Metric { name, unit, factor: 1e3, better: None, exact: true }];
            },
        );
        assert!(said[1].contains("metrics=n_kb:B:level:exact,elapsed:ns:level"), "{}", said[1]);
        let figure = |line: &String| line.split(' ').nth_back(1).unwrap().to_owned();
        let values: Vec<String> =
            said[3..].iter().filter(|line| line.starts_with("end ")).map(figure).collect();
        assert_eq!(values, ["3000", "3000", "-", "3000", "-"], "{said:?}");
        let logs: Vec<&String> = said.iter().filter(|line| line.starts_with("log ")).collect();
        assert!(logs[0].contains("printed%20n_kb%20%3D%202%20in%20run%202"), "{}", logs[0]);
        assert!(logs[1].contains("run%204%20of"), "{}", logs[1]);
        assert_eq!((logs.len(), said.iter().filter(|line| *line == "times -").count()), (2, 5));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
