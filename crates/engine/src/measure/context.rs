//! The state shared by all parts of a run: settings, time, randomness and the event stream.

use crate::discover::catalogue::Catalogue;
use crate::launch::attached::Attachment;
use crate::launch::global_setup::{GlobalSetups, Preparation};
use crate::launch::reaper::Reaper;
use crate::launch::scratch::{Scratch, Way};
use crate::measure::case_state::CaseState;
use crate::measure::engine_affinity::EngineAffinity;
use crate::measure::processor_order::ProcessorOrder;
use crate::measure::watch::Watch;
use crate::observe::memory;
use crate::plan::builds::Builds;
use derny_estimate::floor::Cycle;
use derny_model::{Event, Failure, LearnedFact, Observation, Settings, StopReason, Variant};
use derny_stats::Rng;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Additional time limit of an answer when the time of the run is over.
const GRACE: Duration = Duration::from_secs(2);

pub struct Context<'a> {
    pub catalogue: &'a Catalogue,
    /// Facts learned in earlier runs.
    pub learned: &'a [LearnedFact],
    pub settings: &'a Settings,
    pub variants: &'a [Variant],
    /// Receives every event.
    pub sink: &'a mut dyn FnMut(&Event),
    /// Set when the user interrupts the run.
    pub stop: &'a AtomicBool,
    pub seed: u64,
    pub rng: Rng,
    pub time: RunTime,
    /// The state of the progress display.
    pub watch: Watch,
    /// The options and the state for starting processes.
    pub launcher: Launcher<'a>,
    /// Chooses the processors of harnesses and of the engine.
    pub processors: Processors,
    /// Number of the next visit.
    pub next_visit: u32,
    /// Time of the first touch of a page of memory, in ns.
    pub first_touch_ns: f64,
    /// The clock cycle of the machine, as observed so far.
    pub cycle: Cycle,
}

/// The time limits of a run and its cases.
#[derive(Debug, Clone, Copy)]
pub struct RunTime {
    /// Time at which the run started.
    pub start: Instant,
    /// The user's time limit for the entire run.
    pub deadline: Option<Instant>,
    /// Time from which nothing more begins, because the run has used its maximum time. `None` if there
    /// is no limit.
    pub bound: Option<Instant>,
    /// Time for each case in ns: its budget, or an equal part of the run's time limit if that is
    /// shorter.
    pub case_ns: u64,
    /// Number of complete blocks that share the time of a case. These are the blocks before the first
    /// look that can decide anything.
    pub pairs: u32,
    /// Number of visits of all cases still to come before the look that `pairs` refers to. These visits
    /// share the remaining time of the run.
    pub visits: u64,
    /// Number of cases that have not ended.
    pub cases: u64,
    /// True in the first stage, in which all cases are measured.
    pub is_first_stage: bool,
}

/// The options and the state for starting processes.
pub struct Launcher<'a> {
    /// The reaper that ends harnesses if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// True to copy the output of programs to standard error.
    pub echo: bool,
    /// True to print the protocol's lines on standard error.
    pub trace: bool,
    pub next_process: u32,
    /// Number of the wave being launched. `None` if processes are alternated only within their block.
    pub wave: Option<u32>,
    pub next_wave: u32,
    /// Assigns a build to every block.
    pub builds: Builds,
    /// Processes of global set-ups.
    pub global_setups: GlobalSetups,
    /// Folders for prepared data.
    pub scratch: Scratch,
    /// The attached session, which replaces processes. `None` unless in attached mode.
    pub attached: Option<&'a mut Attachment>,
    /// Shortest time in ns from starting a process to its first opened case, by index of the source.
    pub starts_ns: BTreeMap<usize, u64>,
    /// Largest resident size of a harness so far, in bytes. Initially a guess.
    pub resident_bytes: u64,
    /// Languages whose programs are compiled before they run.
    pub ahead_of_time: Vec<String>,
    /// Runtimes that interpret code and compile nothing at run time.
    pub interpreters: Vec<String>,
}

/// Chooses the processors of harnesses and of the engine.
#[derive(Debug)]
pub struct Processors {
    /// The order in which rounds use the processors.
    pub order: ProcessorOrder,
    /// The processors of the engine's own thread.
    pub engine: EngineAffinity,
}

impl RunTime {
    /// Returns the time in ns for which the run may still begin something.
    pub fn left_ns(&self) -> u64 {
        let left = |end: Instant| end.saturating_duration_since(Instant::now()).as_nanos() as u64;
        self.deadline.into_iter().chain(self.bound).map(left).min().unwrap_or(u64::MAX)
    }

    /// Extends [`RunTime::bound`] after an exchange with a harness that took `time`. If it took longer
    /// than the time of a case, other cases do not lose the excess.
    pub fn has_waited(&mut self, time: Duration) {
        self.put_off(time.saturating_sub(Duration::from_nanos(self.case_ns)));
    }

    /// Extends [`RunTime::bound`] by `time` that the engine itself needed, so that no case loses it.
    pub fn put_off(&mut self, time: Duration) {
        self.bound = self.bound.map(|bound| bound + time);
    }
}

impl Context<'_> {
    pub fn emit(&mut self, event: Event) {
        (self.sink)(&event);
    }

    pub fn observed(&mut self, observation: Observation) {
        self.cycle.see(&observation);
        self.emit(Event::Observed(observation));
    }

    /// Returns the time since the run's start, in ns.
    pub fn now_ns(&self) -> u64 {
        self.time.start.elapsed().as_nanos() as u64
    }

    /// Returns true if the user has interrupted the run.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns true if the time of the run is over. Nothing more may begin.
    pub fn over(&self) -> bool {
        self.time.left_ns() == 0
    }

    /// Returns true if the user's time limit is over. Even the work in progress must end.
    pub fn is_past_total(&self) -> bool {
        self.time.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns the time limit of an answer: the setting, but not far beyond the end of the run.
    pub fn timeout(&self) -> Duration {
        self.bounded(Duration::from_nanos(self.settings.timeout_ns))
    }

    /// Returns true if `timeout` is too short to recognise a hang, because the run is about to end.
    pub(crate) fn is_cut(&self, timeout: Duration) -> bool {
        self.part_of_total().is_some_and(|part| timeout >= part)
    }

    /// Returns the time limit of an answer, if the user has limited the time of the run. It is half of
    /// the remaining time, so that other cases keep the rest. The last case may use all of it.
    pub fn part_of_total(&self) -> Option<Duration> {
        let left = self.time.deadline?.saturating_duration_since(Instant::now());
        Some(if self.time.cases > 1 { (left / 2).max(GRACE) } else { left + GRACE })
    }

    fn bounded(&self, set: Duration) -> Duration {
        self.part_of_total().map_or(set, |part| set.min(part))
    }

    /// Returns the time limit of an answer about a case ([`patience_ns`]), but not far beyond the end of the
    /// run.
    pub fn timeout_of(&self, case: u32, variant: u32) -> Duration {
        let own_ns = self.catalogue.opened(case, variant).0.timeout_ns;
        self.bounded(Duration::from_nanos(patience_ns(self.settings.timeout_ns, own_ns)))
    }

    /// Returns the number of blocks alive together. It is the setting, or fewer if all harnesses
    /// together would use more than half of the free memory.
    pub fn wave(&self) -> usize {
        let each = self.launcher.resident_bytes.max(1) * self.variants.len() as u64;
        let room = memory::available_bytes().map_or(u64::MAX, |bytes| bytes / 2 / each);
        u64::from(self.settings.wave).min(room).max(1) as usize
    }

    /// Returns the processor for the next round, or `None` if threads cannot be pinned.
    pub fn draw(&mut self) -> Option<u32> {
        self.processors.order.draw(&self.settings.pin, &mut self.rng)
    }

    /// Returns a random processor to measure on, or `None` if threads cannot be pinned.
    pub fn processor(&mut self) -> Option<u32> {
        let allowed = &self.settings.pin;
        (!allowed.is_empty()).then(|| allowed[self.rng.below(allowed.len() as u64) as usize])
    }

    /// Returns the id of the process of the case's global set-up, or `None` if the case has none.
    pub fn global_setup(
        &mut self,
        case: u32,
        variant: u32,
        way: &Way,
        scratch: Option<String>,
    ) -> Result<Option<u32>, Failure> {
        let (declared, source) = self.catalogue.opened(case, variant);
        let Some(key) = &declared.global_setup else { return Ok(None) };
        let preparation = Preparation {
            key,
            source,
            way,
            scratch,
            asked: &self.catalogue.asked,
            reaper: self.launcher.reaper,
            echo: self.launcher.echo,
            trace: self.launcher.trace,
            timeout: self.timeout_of(case, variant),
            stop: self.stop,
        };
        self.launcher.global_setups.number(&preparation).map(Some).map_err(|failure| {
            let place = [declared.id.to_string()].into_iter().chain(declared.file.clone()).collect();
            Failure { case: Some(case), variant: Some(variant), place, ..failure }
        })
    }

    /// Ends a case that the harness skips.
    pub fn skip(&mut self, state: &mut CaseState, case: u32, reason: &str) {
        state.ended = Some(StopReason::Skipped);
        self.emit(Event::Log { case: Some(case), message: format!("skipped: {reason}") });
        self.emit(Event::CaseEnded { case, reason: StopReason::Skipped });
    }

    /// Ends a case that has failed, and reports the failure once.
    pub fn fail(&mut self, state: &mut CaseState, case: u32, failure: Failure) {
        if state.ended.is_none() {
            state.ended = Some(StopReason::Failed);
            self.emit(Event::Failed(failure));
            self.emit(Event::CaseEnded { case, reason: StopReason::Failed });
        }
    }
}

/// Returns the time limit of an answer about a case, in ns. A case without its own limit has that of the
/// settings. If the user has also set a limit, the smaller one applies.
fn patience_ns(set_ns: u64, own_ns: Option<u64>) -> u64 {
    let is_set = set_ns != Settings::default().timeout_ns;
    own_ns.map_or(set_ns, |own| if is_set { own.min(set_ns) } else { own })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_its_own_time_out_unless_the_user_has_set_a_shorter_one() {
        let usual = Settings::default().timeout_ns;
        for (set, own, expected) in [
            (usual, None, usual),
            (usual, Some(3 * usual), 3 * usual),
            (usual, Some(5), 5),
            (10, Some(3 * usual), 10),
            (10, Some(5), 5),
            (10, None, 10),
        ] {
            assert_eq!(patience_ns(set, own), expected, "{set} {own:?}");
        }
    }
}
