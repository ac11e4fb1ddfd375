//! `--once`: opens and checks every case once, without timing it. Failures are reported as in any run.
//!
//! Cases of a file that may share a process are checked in one process. As many files are checked in
//! parallel as there are processors. If anything goes wrong, the file is checked again with a process
//! per case, while nothing else runs. An effect of one case or file on another, such as a port in use,
//! is therefore never reported as a failure.

use crate::discover::catalogue::Catalogue;
use crate::launch::reaper::Reaper;
use crate::measure::case_state::CaseState;
use crate::measure::context::{Context, Launcher, Processors, RunTime};
use crate::measure::engine_affinity::EngineAffinity;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::launching::Launching;
use crate::measure::processor_order::ProcessorOrder;
use crate::measure::turn::TurnRequest;
use crate::measure::watch::Watch;
use crate::observe::machine;
use crate::plan::{self, builds::Builds};
use derny_estimate::{floor::Cycle, level::Levels};
use derny_model::{
    Event, Failure, FailureCode, Isolation, LearnedFact, Phase, Settings, StopReason, Variant,
};
use derny_stats::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{PoisonError, RwLock};

/// Maximum number of cases that one process checks. If one of them fails, all of them are checked again.
const MOST_CASES: usize = 50;

enum CheckOutcome {
    Passed,
    Skipped(String),
    Failed(Box<Failure>),
    Interrupted,
}

/// A result that a worker reports.
enum News {
    Event(Event),
    /// Coverage of this case was requested, but its harness does not support it.
    Uncovered(u32),
    Ended(u32, CheckOutcome),
}

/// A message from a worker to the thread of the run.
enum Message {
    /// Start the program of a variant for the first of several cases.
    Launch { case: u32, variant: u32, cases: u32, reply: Sender<Launched> },
    /// The results of the group with this index.
    Done { group: usize, told: Vec<News> },
}

/// A program that is being started, and the number of its first visit. `None` if the run was interrupted.
type Launched = Option<(Result<Launching, Failure>, u32)>;

/// Checks every case that has not ended, in every variant. Reports the results in the order of the cases.
pub fn check_all(cx: &mut Context<'_>, states: &mut [CaseState], isolation: Isolation) {
    let groups = groups(cx, states, isolation);
    let at_once = machine::at_once().min(groups.len());
    let (next, alone) = (AtomicUsize::new(0), RwLock::new(()));
    let (sender, inbox) = mpsc::channel();
    let worker = Worker {
        catalogue: cx.catalogue,
        learned: cx.learned,
        settings: cx.settings,
        variants: cx.variants,
        stop: cx.stop,
        time: cx.time,
        reaper: cx.launcher.reaper,
        echo: cx.launcher.echo,
        trace: cx.launcher.trace,
        at_once,
        alone: &alone,
        sender,
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            let (worker, next, groups) = (worker.clone(), &next, &groups);
            scope.spawn(move || worker.work(next, groups));
        }
        drop(worker);
        let mut teller = Teller::new(groups.iter().flatten().copied().collect());
        for message in inbox {
            match message {
                Message::Launch { case, variant, cases, reply } => {
                    // A worker that has ended does not need the answer.
                    let _ = reply.send(launch(cx, case, variant, cases));
                }
                Message::Done { group, told } => teller.take(cx, states, group, told),
            }
        }
        teller.rest(cx, states);
    });
}

/// Returns the cases to check, in groups that may share a process.
fn groups(cx: &Context<'_>, states: &[CaseState], isolation: Isolation) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    for mut group in plan::groups(cx.catalogue, isolation, cx.learned) {
        group.retain(|&case| states[case as usize].ended.is_none());
        // A process can record the coverage of only one case.
        let covers = group.first().is_some_and(|&case| cx.catalogue.source(case).is_asked_for_coverage());
        let most = if covers { 1 } else { MOST_CASES };
        groups.extend(group.chunks(most).map(<[u32]>::to_vec));
    }
    groups
}

fn launch(cx: &mut Context<'_>, case: u32, variant: u32, cases: u32) -> Launched {
    let launching = Launching::start(cx, case, variant, case, variant);
    if cx.stopped() {
        return None;
    }
    let visit = cx.next_visit;
    cx.next_visit += cases;
    Some((launching, visit))
}

/// Reports the results of workers: events in the order of the groups, and ends of cases in the order of the
/// cases.
struct Teller {
    groups: BTreeMap<usize, Vec<News>>,
    next_group: usize,
    cases: BTreeSet<u32>,
    ended: BTreeMap<u32, CheckOutcome>,
    /// True if missing support for coverage was reported.
    is_uncovered: bool,
}

impl Teller {
    fn new(cases: BTreeSet<u32>) -> Teller {
        let (groups, ended) = (BTreeMap::new(), BTreeMap::new());
        Teller { groups, next_group: 0, cases, ended, is_uncovered: false }
    }

    fn take(&mut self, cx: &mut Context<'_>, states: &mut [CaseState], group: usize, told: Vec<News>) {
        self.groups.insert(group, told);
        while let Some(told) = self.groups.remove(&self.next_group) {
            told.into_iter().for_each(|news| self.tell(cx, news));
            self.next_group += 1;
        }
        while let Some(outcome) = self.cases.first().and_then(|case| self.ended.remove(case)) {
            if let Some(case) = self.cases.pop_first() {
                end(cx, states, case, outcome);
            }
        }
    }

    /// Reports the results of the cases that come after an interrupted one.
    fn rest(self, cx: &mut Context<'_>, states: &mut [CaseState]) {
        self.ended.into_iter().for_each(|(case, outcome)| end(cx, states, case, outcome));
    }

    fn tell(&mut self, cx: &mut Context<'_>, news: News) {
        match news {
            News::Event(event) => cx.emit(event),
            News::Uncovered(case) => {
                let message = "this harness does not support coverage, so no coverage is written".to_string();
                if !std::mem::replace(&mut self.is_uncovered, true) {
                    cx.emit(Event::Log { case: Some(case), message });
                }
            }
            News::Ended(case, outcome) => _ = self.ended.insert(case, outcome),
        }
    }
}

fn end(cx: &mut Context<'_>, states: &mut [CaseState], case: u32, outcome: CheckOutcome) {
    let state = &mut states[case as usize];
    match outcome {
        CheckOutcome::Passed => {
            state.samples.complete += 1;
            state.ended = Some(StopReason::Once);
            cx.emit(Event::CaseEnded { case, reason: StopReason::Once });
        }
        CheckOutcome::Skipped(reason) => {
            state.samples.complete += 1;
            cx.skip(state, case, &reason);
        }
        CheckOutcome::Failed(failure) => cx.fail(state, case, *failure),
        CheckOutcome::Interrupted => {}
    }
}

/// The state that a thread needs to check groups of cases.
#[derive(Clone)]
struct Worker<'w> {
    catalogue: &'w Catalogue,
    learned: &'w [LearnedFact],
    settings: &'w Settings,
    variants: &'w [Variant],
    stop: &'w AtomicBool,
    time: RunTime,
    reaper: Option<&'w Reaper>,
    echo: bool,
    trace: bool,
    /// Number of groups that are checked at the same time.
    at_once: usize,
    /// A check that must run alone locks this for writing. Other checks lock it for reading.
    alone: &'w RwLock<()>,
    sender: Sender<Message>,
}

impl Worker<'_> {
    fn work(&self, next: &AtomicUsize, groups: &[Vec<u32>]) {
        loop {
            let group = next.fetch_add(1, Ordering::Relaxed);
            let Some(cases) = groups.get(group).filter(|_| !self.stop.load(Ordering::Relaxed)) else {
                return;
            };
            let told = self.check_group(cases);
            if self.sender.send(Message::Done { group, told }).is_err() {
                return;
            }
        }
    }

    /// Checks all cases of a group in one process. If anything goes wrong, checks each case in a separate
    /// process, while nothing else runs.
    fn check_group(&self, cases: &[u32]) -> Vec<News> {
        let together = {
            let _beside = self.alone.read().unwrap_or_else(PoisonError::into_inner);
            self.check_cases(cases)
        };
        let is_good = |told: &News| !matches!(told, News::Ended(_, CheckOutcome::Failed(_)));
        let was_alone = cases.len() == 1 && self.at_once == 1;
        if was_alone || together.iter().all(is_good) {
            return together;
        }
        let _alone = self.alone.write().unwrap_or_else(PoisonError::into_inner);
        cases.iter().flat_map(|&case| self.check_cases(&[case])).collect()
    }

    /// Checks cases in one process of each variant, up to the first failure.
    fn check_cases(&self, cases: &[u32]) -> Vec<News> {
        let mut told = Vec::new();
        let mut outcomes = Vec::new();
        for variant in 0..self.variants.len() as u32 {
            outcomes = self.check_variant(cases, variant, &mut told);
            let is_good =
                |outcome: &CheckOutcome| matches!(outcome, CheckOutcome::Passed | CheckOutcome::Skipped(_));
            if outcomes.len() < cases.len() || !outcomes.iter().all(is_good) {
                break;
            }
        }
        let ended = cases.iter().zip(outcomes).map(|(&case, outcome)| News::Ended(case, outcome));
        told.extend(ended);
        told
    }

    fn check_variant(&self, cases: &[u32], variant: u32, told: &mut Vec<News>) -> Vec<CheckOutcome> {
        let (reply, answer) = mpsc::channel();
        let (case, count) = (cases[0], cases.len() as u32);
        let asked = self.sender.send(Message::Launch { case, variant, cases: count, reply });
        let launched = asked.ok().and_then(|()| answer.recv().ok()).flatten();
        let Some((launching, visit)) = launched else { return vec![CheckOutcome::Interrupted] };
        let mut sink = |event: &Event| told.push(News::Event(event.clone()));
        let mut cx = self.context(&mut sink, visit);
        let started = launching.and_then(|launching| launching.wait(&mut cx));
        let mut process = match started {
            Ok(process) => process,
            Err(_) if cx.stopped() => return vec![CheckOutcome::Interrupted],
            Err(failure) => return vec![CheckOutcome::Failed(Box::new(failure))],
        };
        let mut outcomes = Vec::new();
        let mut lives = true;
        for &case in cases {
            let (outcome, goes_on) = check(&mut cx, case, &mut process, cases.len() == 1);
            let is_last = matches!(outcome, CheckOutcome::Failed(_) | CheckOutcome::Interrupted);
            outcomes.push(outcome);
            lives = goes_on;
            if is_last {
                break;
            }
        }
        let is_uncovered = cx.catalogue.source(case).is_asked_for_coverage() && !process.can("cover");
        process.leave(&mut cx, lives);
        drop(cx);
        told.extend(is_uncovered.then_some(News::Uncovered(case)));
        outcomes
    }

    /// Returns the context for one process. Its events go to `sink`.
    fn context<'c>(&'c self, sink: &'c mut dyn FnMut(&Event), next_visit: u32) -> Context<'c> {
        Context {
            catalogue: self.catalogue,
            learned: self.learned,
            settings: self.settings,
            variants: self.variants,
            sink,
            stop: self.stop,
            seed: 0,
            rng: Rng::new(0),
            time: self.time,
            watch: Watch::new(Vec::new(), Levels::new(self.settings)),
            launcher: Launcher {
                reaper: self.reaper,
                echo: self.echo,
                trace: self.trace,
                next_process: 0,
                wave: None,
                next_wave: 0,
                builds: Builds::new(self.settings, &[]),
                global_setups: Default::default(),
                scratch: Default::default(),
                attached: None,
                starts_ns: Default::default(),
                resident_bytes: 0,
                ahead_of_time: Vec::new(),
                interpreters: Vec::new(),
            },
            processors: Processors { order: ProcessorOrder::default(), engine: EngineAffinity::new() },
            next_visit,
            first_touch_ns: 0.0,
            cycle: Cycle::default(),
        }
    }
}

/// Opens a case, calls it once and closes it. The second result is true if the process can continue.
///
/// `alone` is true if the process has no other case.
fn check(cx: &mut Context<'_>, case: u32, process: &mut HarnessProcess, alone: bool) -> (CheckOutcome, bool) {
    let called = match process.open(cx, case) {
        Ok(Some(reason)) => return (CheckOutcome::Skipped(reason), true),
        Ok(None) if process.can("check") => process.check(cx).map(|_| ()),
        Ok(None) => call_once(cx, process),
        Err(error) => return (failed(error), true),
    };
    if let Err(error) = called {
        return (failed(error), false);
    }
    match process.close(cx) {
        // A body that ends its process after a successful call has passed. A body whose tear-down
        // throws has failed.
        Err(StepError::Failed { failure, .. }) if !alone || failure.code == FailureCode::DY307 => {
            (CheckOutcome::Failed(failure), false)
        }
        _ => (CheckOutcome::Passed, true),
    }
}

fn call_once(cx: &mut Context<'_>, process: &mut HarnessProcess) -> Result<(), StepError> {
    let request = TurnRequest::plain(Phase::Cold, 1, 1, cx.settings.turn_ns);
    process.turn(cx, request).map(|_| ())
}

fn failed(error: StepError) -> CheckOutcome {
    match error {
        StepError::Failed { failure, .. } => CheckOutcome::Failed(failure),
        StepError::Skipped(reason) => CheckOutcome::Skipped(reason),
        StepError::Interrupted | StepError::Late => CheckOutcome::Interrupted,
        StepError::Rejected | StepError::Gone => CheckOutcome::Passed,
    }
}
