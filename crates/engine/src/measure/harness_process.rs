//! A live harness of one variant, and its turns.

use crate::discover::wire;
use crate::launch::fault::{self, FaultSite};
use crate::launch::link::Link;
use crate::measure::context::Context;
use crate::measure::heard::Heard;
use crate::measure::turn::{self, TurnRequest, TurnSummary};
use crate::measure::visit::OpenVisit;
use crate::observe::footprint::{Excess, Footprint};
use crate::observe::thread::{self, Added, Counters, ThreadReader};
use crate::os;
use derny_estimate::cost::Cost;
use derny_estimate::pair::Replicate;
use derny_estimate::{floor, reject};
use derny_model::{Collector, Event, Failure, Metric, Outside, Phase, Turn, Visit};
use derny_protocol::{Answer, Command, Turn as Answered};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A harness process and, while a case is open in it, the visit.
#[derive(Debug)]
pub struct HarnessProcess {
    /// Number of the process in the run.
    pub number: u32,
    pub(super) variant: u32,
    block: u32,
    build: u32,
    place: u32,
    /// Number of the wave in which the process alternates with other blocks. `None` if it alternates
    /// only within its block.
    pub wave: Option<u32>,
    pub(super) link: Option<Link>,
    pub(super) runtime: String,
    /// Text that identifies the program: its runtime, and a hash of the launch. Equal programs with equal
    /// flags have equal texts.
    pub program: String,
    declared: Vec<Metric>,
    clock_step_ns: u64,
    collector: Collector,
    /// The thread that measures the open case, if known.
    thread: Option<u32>,
    /// Id of the observed thread, and the reader of its counters.
    pub(super) watch: Option<(u32, ThreadReader)>,
    pub(super) counters: Option<Counters>,
    /// The last turn if it was not emitted yet, with its wall time in ns including the lead, and the
    /// counters at its answer.
    unsent: Option<(Turn, u64, Option<Counters>)>,
    pub(super) processor: Option<u32>,
    pub(super) position: u32,
    pub visit: Option<OpenVisit>,
    pub(super) footprint: Footprint,
    pub(super) heap: Heap,
    /// Ids of processes that were left behind before the last case was opened.
    pub(super) orphans: BTreeSet<u32>,
    /// Result of sending `close` for the open case, if it was sent.
    pub(super) closing: Option<Result<(), StepError>>,
    /// Time at which the process began to end: its last case was closed, or it received the request to
    /// end.
    pub(super) ending: Option<Instant>,
}

/// The state of the heap of a process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Heap {
    Young,
    /// `settle` was sent. Contains the time of sending, in ns since the run's start and as an instant, and
    /// the bytes per visit.
    Settling(u64, Instant, u64),
    /// The heap is settled for this many bytes per visit.
    Settled(u64),
}

/// A turn that was requested, but not answered.
#[derive(Debug)]
pub(super) struct RequestedTurn {
    case: u32,
    request: TurnRequest,
    command: Command,
    is_cut: bool,
    /// Time limit of the answer.
    pub(super) timeout: Duration,
    at_ns: u64,
    start: Instant,
}

impl HarnessProcess {
    /// Creates a harness that has answered and has no case open.
    ///
    /// `build` is the number of its variant's build, and `place` its position in the launch order of its
    /// block.
    pub fn new(process: u32, variant: u32, block: u32, build: u32, place: u32, link: Link) -> HarnessProcess {
        HarnessProcess {
            number: process,
            variant,
            block,
            build,
            place,
            wave: None,
            runtime: link.hello.runtime.clone(),
            program: String::new(),
            footprint: Footprint::open(link.hello.pid),
            declared: link.hello.metrics.iter().map(wire::metric).collect(),
            clock_step_ns: link.hello.step_ns,
            collector: wire::collector(link.hello.collector),
            link: Some(link),
            thread: None,
            watch: None,
            counters: None,
            unsent: None,
            processor: None,
            position: 0,
            visit: None,
            heap: Heap::Young,
            orphans: BTreeSet::new(),
            closing: None,
            ending: None,
        }
    }

    pub fn variant(&self) -> u32 {
        self.variant
    }

    /// Returns true if the code is compiled before it runs.
    pub fn is_ahead_of_time(&self, cx: &Context<'_>) -> bool {
        self.link.as_ref().is_some_and(|link| cx.launcher.ahead_of_time.contains(&link.hello.language))
    }

    /// Returns true if the code is interpreted and never compiled at run time.
    pub fn is_interpreter(&self, cx: &Context<'_>) -> bool {
        let runtime = self.runtime.split_once('/').map_or(&*self.runtime, |(name, _)| name);
        cx.launcher.interpreters.iter().any(|name| name == runtime)
    }

    pub fn clock_step_ns(&self) -> u64 {
        self.clock_step_ns
    }

    /// Returns the time from launch to hello, in ns.
    pub fn launch_ns(&self) -> u64 {
        self.link.as_ref().map_or(0, |link| link.launch_ns)
    }

    /// Returns true if the harness supports the verb.
    pub fn can(&self, verb: &str) -> bool {
        self.link.as_ref().is_some_and(|link| link.hello.can.iter().any(|can| can == verb))
    }

    /// Returns true if a forced collection returns memory to the system.
    pub fn gives_back(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.hello.gives_back)
    }

    /// Returns the observed peak memory of the process, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        self.counters.map_or(0, |counters| counters.pages.most * 4096)
    }

    /// Returns true if the open case has a measured turn.
    pub fn has_measured(&self) -> bool {
        self.visit.as_ref().is_some_and(OpenVisit::has_measured)
    }

    /// Returns the number of cases that the process has opened.
    pub fn opened(&self) -> u32 {
        self.position
    }

    /// Returns the number of operations in a batch of the open case, at least 1.
    pub fn batch_operations(&self) -> u64 {
        self.visit.as_ref().map_or(1, |visit| visit.batch_operations.round().max(1.0) as u64)
    }

    /// Returns true if the heap is settled for this many bytes per visit. If the number is unknown, any
    /// settled heap counts.
    pub fn is_settled(&self, bytes: Option<u64>) -> bool {
        matches!(self.heap, Heap::Settled(settled) if bytes.unwrap_or(u64::MAX) <= settled)
    }

    /// Returns the time limit of an answer about a case.
    fn patience(&self, cx: &Context<'_>, case: u32) -> Duration {
        cx.timeout_of(case, self.variant)
    }

    pub(super) fn place(&self, cx: &Context<'_>, case: u32) -> FaultSite {
        let opened = cx.catalogue.opened(case, self.variant).0;
        FaultSite::case(case, opened, &self.runtime, (self.number, self.variant))
    }

    /// Opens a case. If the harness skips the case, returns the reason that it gives.
    pub fn open(&mut self, cx: &mut Context<'_>, case: u32) -> Result<Option<String>, StepError> {
        let (declared, _) = cx.catalogue.opened(case, self.variant);
        let command = wire::open(declared);
        let wire = wire::to_wire(declared);
        if let Some(link) = &mut self.link {
            link.learn(&wire);
        }
        self.orphans = self.link.as_ref().map(Link::orphans).unwrap_or_default();
        self.ending = None;
        let start = Instant::now();
        let timeout = self.patience(cx, case);
        self.send(cx, case, &command)?;
        let (thread, once) = match self.await_answer(cx, case, &command, timeout)? {
            Answer::Skipped { reason } => return Ok(Some(reason)),
            Answer::Opened { thread, once } => (thread, once),
            _ => (None, false),
        };
        let open_ns = start.elapsed().as_nanos() as u64;
        if self.position == 0 {
            self.note_start(cx, case, open_ns);
        }
        let Some(link) = &self.link else { return Err(StepError::Gone) };
        let thread = thread.unwrap_or_else(|| link.thread());
        self.observe(thread);
        self.counters = self.read_thread();
        self.processor = None;
        self.begin_visit(cx, case, open_ns, once);
        Ok(None)
    }

    /// Records the time from the launch to the first opened case, if no process of the same source was
    /// faster.
    fn note_start(&self, cx: &mut Context<'_>, case: u32, open_ns: u64) {
        let (source, start_ns) = (cx.catalogue.source_of[case as usize], self.launch_ns() + open_ns);
        let shortest = cx.launcher.starts_ns.entry(source).or_insert(start_ns);
        *shortest = start_ns.min(*shortest);
    }

    /// Begins the visit of a case whose opening took `open_ns`. `once` is true if its body is called only
    /// once.
    fn begin_visit(&mut self, cx: &mut Context<'_>, case: u32, open_ns: u64, once: bool) {
        let (declared, _) = cx.catalogue.opened(case, self.variant);
        let mut metrics: Vec<Metric> = self.declared.iter().chain(&declared.metrics).cloned().collect();
        let added = self.watch.as_ref().map_or_else(Added::none, |(_, watch)| watch.added(&metrics));
        metrics.extend(added.metrics());
        let number = cx.next_visit;
        cx.next_visit += 1;
        let at_ns = cx.now_ns();
        cx.emit(Event::VisitStarted(Visit {
            visit: number,
            process: self.number,
            case,
            position: self.position,
            open_ns,
            metrics: metrics.clone().into(),
            at_ns,
            mode: None,
        }));
        self.position += 1;
        let (block, unit, place, clock_step_ns) = (self.block, self.build, self.place, self.clock_step_ns);
        let cost = Cost::new(Some(self.collector));
        let wave = self.wave;
        let replicate = Replicate { block, unit, place, wave, clock_step_ns, cost, ..Replicate::default() };
        self.visit = Some(OpenVisit {
            number,
            case,
            metrics,
            added,
            ops_per_iteration: declared.ops,
            batch_operations: 0.0,
            mode: None,
            round: 0,
            once,
            batches_left: declared.max_batches,
            max_batches: declared.max_batches.unwrap_or(0),
            pinned: declared.threads.is_none_or(|threads| threads == 1) && self.watch.is_some(),
            operations: 0.0,
            ignored: Vec::new(),
            replicate,
        });
    }

    /// Returns the thread that measures: the thread that `opened` named, or otherwise the thread of the
    /// harness.
    pub(super) fn observed_thread(&self) -> u32 {
        self.thread.or_else(|| self.link.as_ref().map(Link::thread)).unwrap_or(0)
    }

    /// Observes `thread` from now on. Opens the counters only if the thread differs, because opening costs a
    /// hundred times as much as reading.
    fn observe(&mut self, thread: u32) {
        self.thread = Some(thread);
        if self.watch.as_ref().is_none_or(|(watched, _)| *watched != thread) {
            let pid = self.link.as_ref().map_or(0, |link| link.hello.pid);
            self.watch = ThreadReader::open(pid, thread).map(|watch| (thread, watch));
            self.counters = None;
        }
    }

    /// Runs one turn, which is emitted before the next command. Fails with [`StepError::Rejected`] if a
    /// measured turn had an effect that `reject` names.
    pub fn turn(&mut self, cx: &mut Context<'_>, request: TurnRequest) -> Result<TurnSummary, StepError> {
        if self.is_pinned()
            && let Some(processor) = request.processor
        {
            cx.processors.engine.leave(processor);
        }
        let asked = self.begin_turn(cx, request)?;
        let heard = self.hear(cx, asked.timeout);
        self.end_turn(cx, asked, heard)
    }

    /// Returns true if the process is pinned to the processors of its turns.
    pub(super) fn is_pinned(&self) -> bool {
        self.visit.as_ref().is_some_and(|visit| visit.pinned)
    }

    /// Sends the request for a turn, so that several processes can work at once. [`HarnessProcess::end_turn`]
    /// receives the answer.
    pub(super) fn begin_turn(
        &mut self,
        cx: &mut Context<'_>,
        request: TurnRequest,
    ) -> Result<RequestedTurn, StepError> {
        let Some(visit) = &self.visit else { return Err(StepError::Gone) };
        let (case, pinned) = (visit.case, visit.pinned);
        if pinned
            && let Some(processor) = request.processor
            && self.processor != Some(processor)
        {
            os::set_affinity(self.observed_thread(), &[processor]);
            self.processor = Some(processor);
        }
        let request = visit.within_limits(request);
        if request.batches == 0 {
            return Err(StepError::Gone);
        }
        let patience = self.patience(cx, case);
        let timeout = request.timeout.map_or(patience, |most| most.min(patience));
        let command = if request.phase == Phase::Overhead {
            Command::Overhead { iterations: request.iterations, batches: request.batches }
        } else {
            Command::Measure {
                iterations: request.iterations,
                batches: request.batches,
                within_ns: request.within_ns,
                lead_ns: request.lead_ns,
                mode: visit.mode.clone(),
                hash: request.phase == Phase::Cold && self.can("hash"),
            }
        };
        self.emit_turn(cx);
        let at_ns = cx.now_ns();
        let start = Instant::now();
        self.send(cx, case, &command)?;
        Ok(RequestedTurn { case, request, command, is_cut: cx.is_cut(timeout), timeout, at_ns, start })
    }

    /// Receives the answer to a requested turn.
    pub(super) fn end_turn(
        &mut self,
        cx: &mut Context<'_>,
        asked: RequestedTurn,
        heard: Heard,
    ) -> Result<TurnSummary, StepError> {
        let wall_ns = heard.at.saturating_duration_since(asked.start).as_nanos() as u64;
        let answer = self.take_answer(cx, asked.case, &asked.command, asked.is_cut, heard)?;
        let Answer::Turn(answer) = answer else { return Err(StepError::Gone) };
        if let Some(thread) = answer.thread
            && thread != self.observed_thread()
        {
            // Counters of another thread do not describe this turn.
            self.observe(thread);
            (self.counters, self.processor) = (None, None);
        }
        // The thread that has answered is still on its processor, so its waits and preemptions so far
        // are known exactly. Later ones, until it sleeps, do not belong to the turn.
        let answered = self.read_thread();
        let pending = answer.pending;
        let (turn, ignored) = self.answered_turn(cx, &asked, answer, wall_ns, answered)?;
        let summary = self.count_turn(cx, asked.request, &turn, pending)?;
        let is_rejected = turn.phase == Phase::Rejected;
        self.unsent = Some((turn, wall_ns, answered));
        tell_ignored(cx, asked.case, &ignored);
        self.limit(cx, wall_ns)?;
        if is_rejected { Err(StepError::Rejected) } else { Ok(summary) }
    }

    /// Returns the turn that an answer describes, and the names of reported values to ignore.
    /// `answered` contains the thread's counters at the time of the answer.
    fn answered_turn(
        &mut self,
        cx: &Context<'_>,
        asked: &RequestedTurn,
        answer: Answered,
        wall_ns: u64,
        answered: Option<Counters>,
    ) -> Result<(Turn, Vec<String>), StepError> {
        let Some(visit) = &mut self.visit else { return Err(StepError::Gone) };
        let request = asked.request;
        if let Some(left) = &mut visit.batches_left
            && request.phase != Phase::Overhead
        {
            *left = left.saturating_sub(answer.times.as_ref().map_or(1, Vec::len) as u32);
        }
        let mut counters = answer.counters;
        counters.extend(visit.added.values(self.counters, answered, answered, 1.0));
        let (reported, ignored) = match request.phase {
            // The empty body reports no values.
            Phase::Overhead => Default::default(),
            _ => visit.undeclared(answer.reported),
        };
        let is_hit = || reject::hit(&cx.settings.reject, &visit.metrics, &counters);
        let is_rejected = request.reject && request.phase == Phase::Measured && is_hit();
        let turn = Turn {
            visit: visit.number,
            phase: if is_rejected { Phase::Rejected } else { request.phase },
            round: visit.round,
            iterations: request.iterations,
            times_ns: answer.times.unwrap_or_default(),
            ops: answer.ops,
            counters,
            cpu: self.processor,
            at_ns: asked.at_ns,
            wall_ns: wall_ns.saturating_sub(request.lead_ns),
            hash: answer.hash,
            thread: answer.thread,
            reported,
            outside: cx.settings.witness.then(|| {
                let lead_ns = request.lead_ns;
                Box::new(Outside { wall_ns, lead_ns, cpu_ns: None, wait_ns: None })
            }),
        };
        Ok((turn, ignored))
    }

    /// Adds a turn to the open visit and returns its summary. `pending` is true if code was still being
    /// compiled after the turn.
    fn count_turn(
        &mut self,
        cx: &Context<'_>,
        request: TurnRequest,
        turn: &Turn,
        pending: bool,
    ) -> Result<TurnSummary, StepError> {
        let Some(visit) = &mut self.visit else { return Err(StepError::Gone) };
        let declared = cx.catalogue.opened(visit.case, self.variant).0;
        let mut summary = turn::summarise(turn, declared, &visit.metrics, self.clock_step_ns);
        if turn.phase != Phase::Overhead {
            visit.operations += turn.all_operations(visit.ops_per_iteration);
            summary.bound_aside(turn, request.within_ns);
        }
        if matches!(turn.phase, Phase::WarmUp | Phase::Measured | Phase::Window) {
            summary.observe(&visit.metrics, &turn.counters);
            summary.pending = pending;
        }
        if turn.phase == Phase::Measured {
            visit.count(turn, &summary);
        }
        visit.round += u32::from(turn.phase == Phase::Window);
        let floor = floor::of_turn(turn, declared, self.clock_step_ns);
        visit.replicate.floor = floor.or(visit.replicate.floor);
        Ok(summary)
    }

    /// Counts the last turn as a measured one. Returns false if the turn has already been emitted.
    pub fn count_last_turn(&mut self, cx: &Context<'_>) -> bool {
        let (Some(visit), Some((turn, _, _))) = (&mut self.visit, &mut self.unsent) else { return false };
        turn.phase = Phase::Measured;
        let declared = cx.catalogue.opened(visit.case, self.variant).0;
        let summary = turn::summarise(turn, declared, &visit.metrics, self.clock_step_ns);
        visit.count(turn, &summary);
        true
    }

    pub(super) fn read_thread(&self) -> Option<Counters> {
        self.watch.as_ref()?.1.read(self.counters, false)
    }

    /// Emits the last turn, with the engine's observations of the thread. Called as late as possible,
    /// because the processor time of the thread is exact only once it sleeps again, some microseconds
    /// after its answer.
    pub(super) fn emit_turn(&mut self, cx: &mut Context<'_>) {
        let Some((mut turn, wall_ns, answered)) = self.unsent.take() else { return };
        let after = self.watch.as_ref().and_then(|(_, watch)| watch.read(answered, true));
        let before = std::mem::replace(&mut self.counters, after);
        if let Some(visit) = &mut self.visit {
            let own = visit.metrics.len() - visit.added.metrics().count();
            turn.counters.truncate(own);
            let timed_ns = turn.times_ns.iter().sum();
            let share = thread::timed_share(timed_ns, wall_ns, before, answered);
            turn.counters.extend(visit.added.values(before, answered, after, share));
            visit.replicate.cost.add(&turn, &visit.metrics, visit.ops_per_iteration);
        }
        if let (Some(outside), Some(before), Some(answered), Some(after)) =
            (&mut turn.outside, before, answered, after)
        {
            outside.cpu_ns = Some(after.cpu_ns.saturating_sub(before.cpu_ns));
            outside.wait_ns = Some(answered.wait_ns.saturating_sub(before.wait_ns));
        }
        cx.emit(Event::Turn(turn));
    }

    /// Calls the body once, without timing it.
    pub fn check(&mut self, cx: &mut Context<'_>) -> Result<Option<String>, StepError> {
        let Some(visit) = &self.visit else { return Err(StepError::Gone) };
        let case = visit.case;
        let timeout = self.patience(cx, case);
        self.send(cx, case, &Command::Check)?;
        match self.await_answer(cx, case, &Command::Check, timeout)? {
            Answer::Checked { hash } => Ok(hash),
            _ => Ok(None),
        }
    }

    /// Records the current resident size and the output so far. At the end of a process, its first and
    /// last record are reported.
    pub fn note_footprint(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        let Some(link) = &self.link else { return Err(StepError::Gone) };
        if let Some(now) = self.footprint.note(link.printed()) {
            cx.launcher.resident_bytes = cx.launcher.resident_bytes.max(now);
        }
        Ok(())
    }

    /// Fails if the process prints endlessly or exceeds its memory limit. Its last turn took `wall_ns`.
    fn limit(&mut self, cx: &Context<'_>, wall_ns: u64) -> Result<(), StepError> {
        let (Some(visit), Some(link)) = (&self.visit, &self.link) else { return Ok(()) };
        let Some(excess) = self.footprint.excess(wall_ns, link.printed(), cx.settings.memory_bytes) else {
            return Ok(());
        };
        let place = self.place(cx, visit.case);
        let failure = match excess {
            Excess::Memory { now, limit } => fault::memory(&place, now, limit),
            Excess::Printed(bytes) => fault::flood(&place, bytes),
        };
        Err(StepError::Failed { failure: Box::new(failure), usable: false })
    }

    /// Emits the last turn. Returns a copy of the open visit with all of its measurements.
    pub fn measured(&mut self, cx: &mut Context<'_>) -> Option<OpenVisit> {
        self.emit_turn(cx);
        self.visit.clone()
    }
}

/// Logs the names of reported values that are ignored because they are also declared.
pub(super) fn tell_ignored(cx: &mut Context<'_>, case: u32, names: &[String]) {
    for name in names {
        let message =
            format!("the reported value `{name}` is ignored, because a declared metric has the same name");
        (cx.sink)(&Event::Log { case: Some(case), message });
    }
}

/// The reason why a step of a visit ended early.
#[derive(Debug)]
pub enum StepError {
    /// The case failed.
    Failed {
        /// The failure to report.
        failure: Box<Failure>,
        /// True if the process can take another case.
        usable: bool,
    },
    /// The body reported, while it ran, that the case does not apply.
    Skipped(String),
    /// A turn had an effect that `reject` names.
    Rejected,
    /// The step would have taken time from other cases.
    Late,
    /// The user interrupted the run.
    Interrupted,
    /// The step does not apply, because no case is open or the process has ended.
    Gone,
}
