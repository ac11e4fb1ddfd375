//! What every part of a run needs at hand: settings, the sources of time and chance, the stream of events.

use crate::discover::catalogue::Catalogue;
use crate::launch::attached::Attachment;
use crate::launch::global_setup::{GlobalSetups, Preparation};
use crate::launch::reaper::Reaper;
use crate::launch::scratch::{Scratch, Way};
use crate::measure::case_state::CaseState;
use crate::measure::engine_affinity::EngineAffinity;
use crate::measure::processor_order::ProcessorOrder;
use crate::measure::progress::Watch;
use crate::observe::memory;
use crate::plan::builds::Builds;
use derny_estimate::floor::Cycle;
use derny_model::{Event, Failure, LearnedFact, Observation, Settings, StopReason, Variant};
use derny_stats::Rng;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An answer is waited for so long where the run has no time left.
const GRACE: Duration = Duration::from_secs(2);

/// What the stages of a run share.
pub struct Context<'a> {
    /// What is measured.
    pub catalogue: &'a Catalogue,
    /// What earlier runs have learnt.
    pub learned: &'a [LearnedFact],
    /// How it is measured.
    pub settings: &'a Settings,
    /// The ways to launch it.
    pub variants: &'a [Variant],
    /// The one stream of events.
    pub sink: &'a mut dyn FnMut(&Event),
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
    /// The run's seed.
    pub seed: u64,
    /// Chance, seeded.
    pub rng: Rng,
    /// The time of the run.
    pub time: RunTime,
    /// What those who watch the run are told.
    pub watch: Watch,
    /// What starting a process needs.
    pub launcher: Launcher<'a>,
    /// Where harnesses and the engine run.
    pub processors: Processors,
    /// Number of the next visit.
    pub next_visit: u32,
    /// What the first touch of a page of memory costs, in ns.
    pub first_touch_ns: f64,
    /// One clock cycle of the machine, as seen so far.
    pub cycle: Cycle,
}

/// The time that a run and its cases have.
#[derive(Debug, Clone, Copy)]
pub struct RunTime {
    /// The run's start.
    pub start: Instant,
    /// When all must be over, as the user has set it.
    pub deadline: Option<Instant>,
    /// When nothing more is begun: the run has taken the most that its cases may. None where there is no such bound.
    pub bound: Option<Instant>,
    /// Time for one case in ns: its budget, or an equal part of the run's time where that is less.
    pub case_ns: u64,
    /// Complete processes (blocks) over which that is shared: those of the first look that can tell something.
    pub pairs: u32,
    /// Visits that are still to come before that look, of all cases: they share what is left of the run's time.
    pub visits: u64,
    /// Cases that have not ended.
    pub cases: u64,
}

/// What starting a process needs.
pub struct Launcher<'a> {
    /// The watcher that ends harnesses if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Show what programs print.
    pub echo: bool,
    /// Show the protocol.
    pub trace: bool,
    /// Number of the next process.
    pub next_process: u32,
    /// The wave that is launched; none where each block is alternated by itself.
    pub wave: Option<u32>,
    /// Number of the next wave.
    pub next_wave: u32,
    /// Which build every block measures.
    pub builds: Builds,
    /// Processes that have prepared what cases need.
    pub global_setups: GlobalSetups,
    /// Folders in which what is prepared may lie.
    pub scratch: Scratch,
    /// The session that stands in for every process, in attached mode.
    pub attached: Option<&'a mut Attachment>,
    /// The shortest start of a source's processes, up to the first opened case, in ns.
    pub starts_ns: BTreeMap<usize, u64>,
    /// Largest resident set of a harness so far, in bytes; a guess at first.
    pub resident_bytes: u64,
    /// Languages whose programs are compiled before they run.
    pub ahead_of_time: Vec<String>,
    /// Runtimes that interpret, and compile nothing while they run.
    pub interpreters: Vec<String>,
}

/// Where harnesses and the engine run.
#[derive(Debug)]
pub struct Processors {
    /// The processors of rounds.
    pub order: ProcessorOrder,
    /// Where the engine's own thread may run.
    pub engine: EngineAffinity,
}

impl RunTime {
    /// What is left until nothing more is begun, in ns.
    pub fn left_ns(&self) -> u64 {
        let left = |end: Instant| end.saturating_duration_since(Instant::now()).as_nanos() as u64;
        self.deadline.into_iter().chain(self.bound).map(left).min().unwrap_or(u64::MAX)
    }

    /// One exchange with a harness has taken so long. What it took beyond a case's whole time is not taken from other cases.
    pub fn has_waited(&mut self, time: Duration) {
        self.put_off(time.saturating_sub(Duration::from_nanos(self.case_ns)));
    }

    /// The engine has taken so long for something of its own: no case loses it.
    pub fn put_off(&mut self, time: Duration) {
        self.bound = self.bound.map(|bound| bound + time);
    }
}

impl Context<'_> {
    /// Emits an event.
    pub fn emit(&mut self, event: Event) {
        (self.sink)(&event);
    }

    /// Emits what was seen of the machine.
    pub fn observed(&mut self, observation: Observation) {
        self.cycle.see(&observation);
        self.emit(Event::Observed(observation));
    }

    /// Since the run's start.
    pub fn now_ns(&self) -> u64 {
        self.time.start.elapsed().as_nanos() as u64
    }

    /// The user wants to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The run's time is spent: nothing more is begun.
    pub fn over(&self) -> bool {
        self.time.left_ns() == 0
    }

    /// The time that the user has set for the run is spent: nothing goes on.
    pub fn is_past_total(&self) -> bool {
        self.time.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The time-out of one answer: as set, but not far beyond the end of the run.
    pub fn timeout(&self) -> Duration {
        self.bounded(Duration::from_nanos(self.settings.timeout_ns))
    }

    /// Where the user has set the run's time: how long one answer may take. It is half of what is left, so that the other cases have the
    /// rest; the last case may take all.
    pub fn part_of_total(&self) -> Option<Duration> {
        let left = self.time.deadline?.saturating_duration_since(Instant::now());
        Some(if self.time.cases > 1 { (left / 2).max(GRACE) } else { left + GRACE })
    }

    fn bounded(&self, set: Duration) -> Duration {
        self.part_of_total().map_or(set, |part| set.min(part))
    }

    /// The time-out of one answer about a case: the case's own. Where the user has set one, the smaller of the two counts.
    pub fn timeout_of(&self, case: u32, variant: u32) -> Duration {
        let own_ns = self.catalogue.opened(case, variant).0.timeout_ns;
        self.bounded(Duration::from_nanos(patience_ns(self.settings.timeout_ns, own_ns)))
    }

    /// Blocks alive together: as set, but fewer where all harnesses would take more than half of the memory that is free.
    pub fn wave(&self) -> usize {
        let each = self.launcher.resident_bytes.max(1) * self.variants.len() as u64;
        let room = memory::available_bytes().map_or(u64::MAX, |bytes| bytes / 2 / each);
        u64::from(self.settings.wave).min(room).max(1) as usize
    }

    /// The processor of the next round.
    pub fn draw(&mut self) -> Option<u32> {
        self.processors.order.draw(&self.settings.pin, &mut self.rng)
    }

    /// A processor to measure on, at random.
    pub fn processor(&mut self) -> Option<u32> {
        let allowed = &self.settings.pin;
        (!allowed.is_empty()).then(|| allowed[self.rng.below(allowed.len() as u64) as usize])
    }

    /// The number of the process that has prepared what a case needs; none where nothing is prepared.
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
            Failure { case: Some(case), place, ..failure }
        })
    }

    /// Ends a case that does not apply here.
    pub fn skip(&mut self, state: &mut CaseState, case: u32, reason: &str) {
        state.ended = Some(StopReason::Skipped);
        self.emit(Event::Log { case: Some(case), message: format!("skipped: {reason}") });
        self.emit(Event::CaseEnded { case, reason: StopReason::Skipped });
    }

    /// Ends a case that has failed: told once, measured no more.
    pub fn fail(&mut self, state: &mut CaseState, case: u32, failure: Failure) {
        if state.ended.is_none() {
            state.ended = Some(StopReason::Failed);
            self.emit(Event::Failed(failure));
            self.emit(Event::CaseEnded { case, reason: StopReason::Failed });
        }
    }
}

/// The time-out of answers about a case in ns: the case's own, or the smaller of both where the user has set one.
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
