//! A thread's scheduler counters: processor time, run-queue delay, and preemptions. Also reads the page
//! faults of the thread's process ([`super::process`]).
//!
//! `/proc/PID/task/TID/schedstat` is exact while the thread sleeps, as it does between turns. The file
//! stays open, and reading it again from its start takes about a microsecond.
//!
//! The file `status` contains the number of preemptions, but reading it takes twenty times as long. The
//! engine reads it only if the thread was scheduled more often than woken, and had to wait for a processor.

use super::process::{Account, Pages};
use derny_model::{Direction, Kind, Metric};
use std::fs::File;

/// Totals since the thread started.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counters {
    /// Time on a processor, in ns.
    pub cpu_ns: u64,
    /// Time in ns in which the thread was ready but waited for a processor.
    pub wait_ns: u64,
    /// Number of times that the thread was scheduled.
    pub slices: u64,
    /// Number of involuntary context switches.
    pub preempted: u64,
    /// Page faults and pages of the thread's process. They are read only at the answer of a turn, because no
    /// benchmark code runs between the answer and the next request.
    pub pages: Pages,
}

/// Reads the counters of a thread.
#[derive(Debug)]
pub struct ThreadReader {
    schedstat: File,
    status: File,
    account: Option<Account>,
}

impl ThreadReader {
    /// Opens the counters of `thread` in process `pid`. Returns `None` if the system does not report
    /// them.
    pub fn open(pid: u32, thread: u32) -> Option<ThreadReader> {
        let open = |name: &str| File::open(format!("/proc/{pid}/task/{thread}/{name}")).ok();
        let account = Account::open(pid);
        let watch = ThreadReader { schedstat: open("schedstat")?, status: open("status")?, account };
        watch.read(None, false).map(|_| watch)
    }

    /// Returns the current totals. `before` is the last reading. If `work` is false, the thread was
    /// asleep at the last reading and had to be scheduled once. If true, it was running on a processor.
    #[cfg(unix)]
    pub fn read(&self, before: Option<Counters>, work: bool) -> Option<Counters> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 96];
        let length = self.schedstat.read_at(&mut bytes, 0).ok()?;
        let mut fields = std::str::from_utf8(&bytes[..length]).ok()?.split_ascii_whitespace();
        let mut next = || fields.next()?.parse().ok();
        let (cpu_ns, wait_ns, slices) = (next()?, next()?, next()?);
        let preempted = match before {
            Some(before) if slices <= before.slices + u64::from(!work) || wait_ns == before.wait_ns => {
                before.preempted
            }
            _ => {
                let mut bytes = [0; 4096];
                let length = self.status.read_at(&mut bytes, 0).ok()?;
                let text = std::str::from_utf8(&bytes[..length]).ok()?;
                let (_, count) = text.split_once("nonvoluntary_ctxt_switches:")?;
                count.split_ascii_whitespace().next()?.parse().ok()?
            }
        };
        let pages = match before {
            Some(before) if work => before.pages,
            _ => {
                let last = before.map(|before| before.pages);
                self.account.as_ref().and_then(|account| account.read(last)).unwrap_or_default()
            }
        };
        Some(Counters { cpu_ns, wait_ns, slices, preempted, pages })
    }

    /// Returns the counters that the engine adds to every turn: all except those in `declared`.
    pub fn added(&self, declared: &[Metric]) -> Added {
        let known = |at: usize| at < OF_THREAD || self.account.is_some();
        let missing = |name: &str| declared.iter().all(|metric| metric.name != name);
        let names = NAMES.iter().enumerate();
        let keep: Vec<bool> = names.map(|(at, (name, _))| known(at) && missing(name)).collect();
        Added { keep }
    }

    /// Returns `None`: not available on this platform.
    #[cfg(not(unix))]
    pub fn read(&self, _before: Option<Counters>, _work: bool) -> Option<Counters> {
        let _ = (&self.schedstat, &self.status, &self.account);
        None
    }
}

/// The counters that the engine adds to every turn of an observed thread, except those that its harness
/// declares itself. `wait` and `preempted` cover the turn from request to answer.
///
/// `cpu` is the time of the thread over the entire turn, multiplied by [`timed_share`], because the
/// harness's protocol work, the turn's lead and the untimed work of a self-timed body do not belong to
/// the benchmark. The same applies to `faults` and `touched`.
#[derive(Debug, Clone)]
pub struct Added {
    /// True for each name in [`NAMES`] whose counter is added.
    keep: Vec<bool>,
}

/// Number of [`NAMES`] that belong to the thread. All others belong to its process.
const OF_THREAD: usize = 3;
const NAMES: [(&str, &str); 5] =
    [("cpu", "ns"), ("wait", "ns"), ("preempted", "count"), ("faults", "count"), ("touched", "count")];

/// Returns the names of all counters that the engine may add.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// Returns the fraction of a turn's wall time that was timed, at most 1. Excludes time in which the
/// thread waited for a processor, because the timed part of that wait is unknown.
pub fn timed_share(timed_ns: u64, wall_ns: u64, before: Option<Counters>, answered: Option<Counters>) -> f64 {
    let waited = before.zip(answered).map_or(0, |(a, b)| b.wait_ns.saturating_sub(a.wait_ns));
    (timed_ns as f64 / wall_ns.saturating_sub(waited).max(1) as f64).min(1.0)
}

impl Added {
    /// Returns no counters, for a thread that cannot be observed.
    pub fn none() -> Added {
        Added { keep: Vec::new() }
    }

    /// Returns the added metrics.
    pub fn metrics(&self) -> impl Iterator<Item = Metric> {
        let kept = NAMES.iter().zip(&self.keep).filter(|(_, keep)| **keep);
        kept.map(|((name, unit), _)| Metric {
            name: (*name).into(),
            unit: (*unit).into(),
            kind: Kind::Total,
            direction: Direction::Less,
            exact: false,
        })
    }

    /// Returns the values of the added metrics, from three readings: before the request, at the answer, and
    /// once the thread sleeps again. `timed` is the turn's [`timed_share`].
    pub fn values(
        &self,
        before: Option<Counters>,
        answered: Option<Counters>,
        after: Option<Counters>,
        timed: f64,
    ) -> impl Iterator<Item = Option<f64>> {
        let mut values = [None; NAMES.len()];
        if let (Some(before), Some(answered), Some(after)) = (before, answered, after) {
            let timed = timed.clamp(0.0, 1.0);
            values[0] = Some(after.cpu_ns.saturating_sub(before.cpu_ns) as f64 * timed);
            values[1] = Some(answered.wait_ns.saturating_sub(before.wait_ns) as f64);
            values[2] = Some(answered.preempted.saturating_sub(before.preempted) as f64);
            values[3] = Some(answered.pages.faults.saturating_sub(before.pages.faults) as f64 * timed);
            values[4] = Some(answered.pages.touched_since(before.pages) as f64 * timed);
        }
        values.into_iter().zip(&self.keep).filter(|(_, keep)| **keep).map(|(value, _)| value)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn thread() -> u32 {
        std::fs::read_link("/proc/thread-self")
            .unwrap()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .parse()
            .unwrap()
    }

    #[test]
    fn processor_time_of_this_thread_grows_with_work() {
        let watch = ThreadReader::open(std::process::id(), thread()).unwrap();
        let before = watch.read(None, true);
        let start = std::time::Instant::now();
        while start.elapsed().as_millis() < 20 {}
        std::thread::sleep(std::time::Duration::from_millis(1));
        let values: Vec<_> = {
            let after = watch.read(before, true);
            watch.added(&[]).values(before, after, after, 1.0).collect()
        };
        assert!(values[0].unwrap() > 1e6, "{values:?}");
        assert_eq!(values.len(), NAMES.len());
    }

    #[test]
    fn a_turn_that_waited_for_its_processor_is_no_smaller_a_share_of_its_thread() {
        let waited = |wait_ns: u64| Some(Counters { wait_ns, ..Counters::default() });
        let share = |timed, wall, wait: u64| timed_share(timed, wall, waited(500), waited(500 + wait));
        // Without waiting, 2 ms of 2.5 ms are timed. The next cases add a wait of 6 ms: first outside
        // the timed part, and then within it.
        assert_eq!(share(2_000, 2_500, 0), 0.8);
        assert_eq!(share(2_000, 8_500, 6_000), 0.8);
        assert_eq!(share(8_000, 8_500, 6_000), 1.0);
        assert_eq!(timed_share(2_000, 2_500, None, waited(0)), 0.8);
    }

    #[test]
    fn what_the_harness_declares_is_not_added() {
        let (kind, direction) = (Kind::Total, Direction::Less);
        let cpu = Metric { name: "cpu".into(), unit: "ns".into(), kind, direction, exact: false };
        let added = ThreadReader::open(std::process::id(), thread()).unwrap().added(&[cpu]);
        let names: Vec<String> = added.metrics().map(|metric| metric.name).collect();
        assert_eq!(names, ["wait", "preempted", "faults", "touched"]);
        assert_eq!(added.values(None, None, None, 1.0).count(), 4);
    }
}
