//! Measuring: runs stages of waves until every case is decided, precise enough or out of time, and
//! reports everything in one event stream.

mod allotment;
mod allowance;
mod asking;
mod at_once;
mod before_rounds;
mod block;
mod calibrate;
mod calibration;
mod calls;
mod case_state;
mod context;
mod count;
mod decision;
mod engine_affinity;
mod first_calls;
mod harness_process;
mod heap;
mod heard;
mod launching;
mod lead;
mod lead_trial;
mod leaving;
mod neighbours;
mod once;
mod other_modes;
mod per_block;
mod processor_order;
mod progress;
pub mod resume;
mod samples;
mod settle;
mod spill_buffer;
mod turn;
mod untimed;
mod varied_count;
mod visit;
mod warm_up;
mod warming;
mod warmth;
mod watch;
mod wave;
mod whole_cycles;
mod witness;
mod workload;
mod yardsticks;

use crate::discover::catalogue::Catalogue;
use crate::discover::sdk::Sdks;
use crate::launch;
use crate::launch::attached::Attachment;
use crate::launch::global_setup::GlobalSetups;
use crate::launch::reaper::Reaper;
use crate::launch::scratch::Scratch;
use crate::measure::calls::Calls;
use crate::measure::case_state::{CaseState, Sharing};
use crate::measure::context::{Context, Launcher, Processors, RunTime};
use crate::measure::decision::Going;
use crate::measure::engine_affinity::EngineAffinity;
use crate::measure::processor_order::ProcessorOrder;
use crate::measure::spill_buffer::SpillBuffer;
use crate::measure::watch::Watch;
use crate::measure::wave::{Pending, Wave};
use crate::measure::yardsticks::Readings;
use crate::observe::system::System;
use crate::plan;
use crate::plan::builds::Builds;
use derny_estimate::{floor::Cycle, level::Levels};
use derny_model::{
    Event, Failure, Isolation, LearnedFact, Look, LookReason, Plan, Records, RunHeader, RunStatus, Settings,
    StopReason,
};
use derny_stats::Rng;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The inputs of a run.
pub struct Job<'a> {
    /// The cases and their programs.
    pub catalogue: &'a Catalogue,
    /// The order of the blocks and the expected cost.
    pub plan: &'a Plan,
    /// The header of the run, with the settings, variants and seed to use.
    pub header: RunHeader,
    /// Fixed number of blocks of each case, independent of the results. Empty if the engine decides.
    pub fixed: &'a [u32],
    /// Facts learned in earlier runs.
    pub learned: &'a [LearnedFact],
    /// Failures to list cases, which are emitted once the run has started.
    pub failures: &'a [Failure],
    /// A partial run to continue.
    pub prior: Option<&'a Records>,
    /// The reaper that ends the harnesses if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Set when the user interrupts the run.
    pub stop: &'a AtomicBool,
    /// True to copy the output of programs to standard error.
    pub echo: bool,
    /// True to print the protocol's lines on standard error.
    pub trace: bool,
    /// The attached session, which replaces processes. `None` unless in attached mode.
    pub attached: Option<&'a mut Attachment>,
}

/// Duration in ns (a hundred years) from which a time limit counts as unlimited.
const NEVER_NS: u64 = 100 * 365 * 24 * 3600 * 1_000_000_000;

/// Version of the format of the event stream.
pub const EVENT_FORMAT: u32 = 2;

/// Runs until every case has ended. Passes every event to `sink`, on the calling thread and between turns.
/// The sink may be slow, but must not start work that continues during the next turn.
pub fn run(mut job: Job<'_>, sink: &mut dyn FnMut(&Event)) -> RunStatus {
    let mut settings = job.header.settings.clone();
    if !engine_affinity::can_move(&settings.pin) {
        // Leave threads where the system puts them. Recorded turns must not name a processor that Derny did
        // not choose.
        settings.pin.clear();
    }
    let variants = job.header.variants.clone();
    let start = Instant::now();
    let mut states = states(&job);
    let open = states.iter().filter(|state| state.ended.is_none()).count();
    let launcher = launcher(&mut job);
    let mut cx = Context {
        catalogue: job.catalogue,
        learned: job.learned,
        settings: &settings,
        variants: &variants,
        sink,
        stop: job.stop,
        seed: job.header.seed,
        // A resumed run must not repeat the random numbers of the run that it continues.
        rng: Rng::new(job.header.seed).fork(1 + job.prior.map_or(0, |prior| prior.processes.len() as u64)),
        time: time(start, &settings, &job, open),
        watch: Watch::new(job.plan.looks.clone(), Levels::of_run(&settings, variants.len())),
        launcher,
        processors: Processors { order: ProcessorOrder::default(), engine: EngineAffinity::new() },
        next_visit: next(&job, |prior| prior.visits.iter().map(|v| v.visit.visit + 1).max()),
        first_touch_ns: job.header.machine.first_touch_ns().unwrap_or(0.0),
        cycle: job.prior.map_or(Cycle::default(), |prior| Cycle::of(&prior.observations)),
    };
    let cases = job.catalogue.cases.clone();
    cx.emit(Event::RunStarted {
        format: EVENT_FORMAT,
        run: Box::new(job.header.clone()),
        cases,
        plan: Box::new(job.plan.clone()),
    });
    for failure in job.failures {
        cx.emit(Event::Failed(failure.clone()));
    }
    skip(&mut cx, &mut states);
    if settings.once {
        once::check_all(&mut cx, &mut states, job.plan.isolation);
    } else {
        let mut readings = Readings::begin(&mut cx, job.plan.expected_ns);
        stages(&mut cx, &mut states, &job, &mut readings);
        readings.end(&mut cx);
    }
    let orphans = cx.launcher.global_setups.end();
    if !orphans.is_empty() {
        let message = format!("the global set-up {}", launch::left_behind(&orphans));
        cx.emit(Event::Log { case: None, message });
    }
    learn_starts(&mut cx);
    let status = finish(&mut cx, &mut states, !job.failures.is_empty());
    cx.emit(Event::RunEnded { ended_ms: now_ms(), status });
    status
}

/// Creates the launcher of the run. It takes over the attached session if there is one.
fn launcher<'a>(job: &mut Job<'a>) -> Launcher<'a> {
    Launcher {
        attached: job.attached.take(),
        reaper: job.reaper,
        echo: job.echo,
        trace: job.trace,
        next_process: next(job, |prior| prior.processes.iter().map(|p| p.process + 1).max()),
        wave: None,
        next_wave: next(job, |prior| prior.processes.iter().filter_map(|p| Some(p.wave? + 1)).max()),
        builds: builds(job),
        global_setups: GlobalSetups::default(),
        scratch: Scratch::default(),
        starts_ns: Default::default(),
        resident_bytes: 128 << 20,
        ahead_of_time: Sdks::carried().ahead_of_time(),
        interpreters: Sdks::carried().interpreters(),
    }
}

/// Returns the first number that the resumed run has not used, or 0 for a new run.
fn next(job: &Job<'_>, unused: fn(&Records) -> Option<u32>) -> u32 {
    job.prior.and_then(unused).unwrap_or(0)
}

/// Returns the time in milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

fn builds(job: &Job<'_>) -> Builds {
    let groups = plan::groups(job.catalogue, job.plan.isolation, job.learned);
    let builds = Builds::new(&job.header.settings, &groups);
    let Some(prior) = job.prior else { return builds };
    builds.resume(&prior.processes, |process| {
        prior.visits.iter().find(|record| record.visit.process == process).map(|record| record.visit.case)
    })
}

fn states(job: &Job<'_>) -> Vec<CaseState> {
    let variants = job.header.variants.len();
    let controls: Vec<bool> = job.header.variants.iter().skip(1).map(|variant| variant.control).collect();
    let buffer = Arc::new(SpillBuffer::default());
    let of_case = |(i, case): (usize, &derny_model::Case)| {
        let hash = &job.catalogue.source(i as u32).hash;
        let calls = Calls::new(plan::runs_once(case, hash, job.learned));
        let rounds = if decision::has_exact_metric(case) { 1 } else { job.plan.rounds };
        let mut state = CaseState::new(case, variants, rounds, calls);
        state.samples.controls.clone_from(&controls);
        state.samples = state.samples.with_buffer(&buffer);
        state.fixed = job.fixed.get(i).copied();
        if job.plan.isolation == Isolation::Shared {
            state.sharing = Sharing::Checked;
        }
        state
    };
    let mut states: Vec<CaseState> = job.catalogue.cases.iter().enumerate().map(of_case).collect();
    if let Some(prior) = job.prior {
        resume::restore(&mut states, prior);
        let (now, before) = (&job.header.settings, &prior.header.settings);
        let has_more_time = (now.budget_ns, now.total_ns) != (before.budget_ns, before.total_ns);
        if has_more_time || prior.header.status == RunStatus::Complete {
            resume::open(prior).into_iter().for_each(|case| states[case as usize].ended = None);
        }
    }
    states
}

/// Ends the cases that the harness has marked as skipped in its list.
fn skip(cx: &mut Context<'_>, states: &mut [CaseState]) {
    let catalogue = cx.catalogue;
    for (case, (state, declared)) in (0..).zip(states.iter_mut().zip(&catalogue.cases)) {
        if let Some(reason) = &declared.skip
            && state.ended.is_none()
        {
            cx.skip(state, case, reason);
        }
    }
}

fn stages(cx: &mut Context<'_>, states: &mut [CaseState], job: &Job<'_>, readings: &mut Readings) {
    let mut system = System::new(cx.time.start);
    let earlier = job.prior.map_or(0, resume::blocks);
    let mut pending = first_stage(states, job, earlier);
    let mut next_block = earlier + job.plan.launches.iter().map(|launch| launch.block + 1).max().unwrap_or(0);
    loop {
        while !pending.is_empty() && !cx.stopped() && !cx.over() {
            let next = next_wave(cx, &mut pending);
            pending.append(&mut Wave::new(cx, states).measure(&mut system, next));
            readings.amid(cx);
            progress::tell(cx, states, &[]);
        }
        if cx.stopped() {
            return;
        }
        cx.time.is_first_stage = false;
        pending = next_stage(cx, states, job, &mut next_block);
        if pending.is_empty() {
            return;
        }
    }
}

/// Takes the blocks of the next wave. If the processes of a case are compared as two samples, the wave
/// consists of all blocks with the same set of cases. They all use one order of cases, so every round visits
/// all of them. If these blocks exceed the limit of blocks alive together, they are divided evenly.
fn next_wave(cx: &mut Context<'_>, pending: &mut Vec<Pending>) -> Vec<Pending> {
    let most = cx.wave();
    cx.launcher.wave = None;
    if !cx.settings.waves || cx.variants.len() < 2 {
        return pending.drain(..pending.len().min(most)).collect();
    }
    let sorted = |one: &Pending| {
        let mut cases: Vec<u32> = one.cases.iter().copied().collect();
        cases.sort_unstable();
        cases
    };
    let wanted = sorted(&pending[0]);
    let own = pending.iter().filter(|one| sorted(one) == wanted).count();
    let mut left = own.div_ceil(own.div_ceil(most));
    let mut take = |one: &mut Pending| {
        let takes = left > 0 && sorted(one) == wanted;
        left -= usize::from(takes);
        takes
    };
    let mut next: Vec<Pending> = pending.extract_if(.., |one| take(one)).collect();
    let order = next[0].cases.clone();
    next.iter_mut().for_each(|one| one.cases.clone_from(&order));
    cx.launcher.wave = Some(cx.launcher.next_wave);
    cx.launcher.next_wave += 1;
    next
}

/// Returns the planned launches for the measurements that are still missing. Numbers their blocks after
/// those of the resumed run.
fn first_stage(states: &[CaseState], job: &Job<'_>, earlier: u32) -> Vec<Pending> {
    let missing = |(state, case): (&CaseState, &derny_model::Case)| {
        let is_one_enough = state.fixed.is_none() && decision::has_exact_metric(case);
        let planned = state.planned(job.plan.processes);
        let planned = if is_one_enough { planned.min(1) } else { planned };
        planned.saturating_sub(state.samples.complete)
    };
    let mut missing: Vec<u32> = states.iter().zip(&job.catalogue.cases).map(missing).collect();
    let mut pending: Vec<Pending> = Vec::new();
    for launch in job.plan.launches.iter().filter(|launch| launch.variant == 0) {
        let mut take = |case: &u32| {
            let left = &mut missing[*case as usize];
            let state = &states[*case as usize];
            let wanted = *left > 0 && state.ended.is_none() && !state.is_alone();
            *left = left.saturating_sub(1);
            wanted
        };
        let cases: std::collections::VecDeque<u32> =
            launch.cases.iter().copied().filter(|case| take(case)).collect();
        if !cases.is_empty() {
            pending.push(Pending { block: earlier + launch.block, cases });
        }
    }
    pending
}

/// Returns the blocks of the next stage.
fn next_stage(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    job: &Job<'_>,
    next_block: &mut u32,
) -> Vec<Pending> {
    // Before the first look, decide which cases may share processes.
    let alone = neighbours::check(cx, states, job.plan.processes);
    let is_alone = !alone.is_empty();
    let going = match is_alone {
        true => Going { cases: alone, in_order: false },
        false => decision::decide(cx, states, &job.plan.looks),
    };
    let mut pending: Vec<(u32, Pending)> = Vec::new();
    for (case, more) in going.cases {
        let cases = || std::collections::VecDeque::from([case]);
        pending.extend((0..more).map(|k| (k, Pending { block: *next_block + k, cases: cases() })));
        *next_block += more;
    }
    // As in the plan, take one block of each case in random order before a second block of any. If time is
    // short, the order is by importance.
    if !going.in_order {
        cx.rng.shuffle(&mut pending);
    }
    pending.sort_by_key(|(turn, _)| *turn);
    let pending: Vec<Pending> = pending.into_iter().map(|(_, pending)| pending).collect();
    if job.plan.isolation == Isolation::Case || is_alone {
        return pending;
    }
    join(pending, states, job, next_block)
}

/// Combines the blocks of cases that may share processes. Cases that are measured alone keep their own.
fn join(pending: Vec<Pending>, states: &[CaseState], job: &Job<'_>, next_block: &mut u32) -> Vec<Pending> {
    let has_own = |case: u32| job.catalogue.cases[case as usize].isolate || states[case as usize].is_alone();
    let mut joined: Vec<(usize, Pending)> = Vec::new();
    for entry in pending {
        let Some(&case) = entry.cases.front() else { continue };
        let declared = &job.catalogue.cases[case as usize];
        let source = job.catalogue.source_of[case as usize];
        let fits = |other: &Pending| {
            other.cases.iter().all(|&c| {
                let there = &job.catalogue.cases[c as usize];
                c != case
                    && !has_own(c)
                    && !has_own(case)
                    && there.args == declared.args
                    && there.env == declared.env
                    && there.global_setup == declared.global_setup
            })
        };
        match joined.iter_mut().find(|(s, other)| *s == source && fits(other)) {
            Some((_, other)) => other.cases.push_back(case),
            None => {
                joined.push((source, Pending { block: *next_block, cases: entry.cases }));
                *next_block += 1;
            }
        }
    }
    joined.into_iter().map(|(_, pending)| pending).collect()
}

/// Emits the start-up times of programs that start slowly as learned facts, for the forecast of the next run.
fn learn_starts(cx: &mut Context<'_>) {
    for (source, ns) in std::mem::take(&mut cx.launcher.starts_ns) {
        let source = &cx.catalogue.sources[source];
        if source.launch_ns.is_some() {
            let (file_hash, value) = (source.hash.clone(), ns.to_string());
            let key = plan::START_NS.to_owned();
            cx.emit(Event::Learned(LearnedFact { file_hash, case: String::new(), key, value }));
        }
    }
}

/// Ends the cases that are still open, and returns the status of the run. `unlisted` is true if some cases
/// could not be listed.
fn finish(cx: &mut Context<'_>, states: &mut [CaseState], unlisted: bool) -> RunStatus {
    let reason = if cx.stopped() { StopReason::Interrupted } else { StopReason::Budget };
    let mut partial = false;
    for (case, state) in states.iter_mut().enumerate() {
        if state.ended.is_none() {
            let interrupted = reason == StopReason::Interrupted;
            let why = if interrupted { LookReason::Interrupted } else { LookReason::TimeOver };
            let before = state.samples.looks.len();
            state.samples.look(case as u32, why);
            let new: Vec<Look> = state.samples.looks[before..].to_vec();
            new.into_iter().for_each(|look| cx.emit(Event::Looked(look)));
            state.ended = Some(reason);
            partial |= cx.stop.load(std::sync::atomic::Ordering::Relaxed) || state.samples.complete == 0;
            if !cx.stop.load(std::sync::atomic::Ordering::Relaxed) {
                (cx.sink)(&Event::CaseEnded { case: case as u32, reason });
            }
        }
    }
    let unmeasured =
        |state: &CaseState| state.ended == Some(StopReason::Budget) && state.samples.complete == 0;
    if partial || states.iter().any(unmeasured) {
        RunStatus::Partial
    } else if unlisted || states.iter().any(|state| state.ended == Some(StopReason::Failed)) {
        RunStatus::Failed
    } else {
        RunStatus::Complete
    }
}

/// Returns the time limits of a run and its cases. A case may take a multiple of its budget. Once a run
/// has taken the same multiple of its forecast, it starts nothing more.
///
/// The run's time limit may leave a case less than its budget. The case then divides that time among
/// the pairs needed to detect a change, corrected for all comparisons. Fewer pairs would detect none.
fn time(start: Instant, settings: &Settings, job: &Job<'_>, cases: usize) -> RunTime {
    let (plan, variants) = (job.plan, &job.header.variants);
    let each_ns = settings.total_ns.map(|total| total / cases.max(1) as u64);
    let case_ns = each_ns.map_or(settings.budget_ns, |each| each.min(settings.budget_ns));
    let is_short = case_ns < settings.budget_ns;
    let comparisons = if is_short { plan::comparisons(cases, variants) } else { 0 };
    let levels = Levels::new(settings);
    let each_ns = plan.bound_ns.max(plan.expected_ns) / cases.max(1) as u64;
    let most_ns = allowance::beyond_ns(each_ns).saturating_mul(cases.max(1) as u64);
    // The forecast is that of the entire run, and does not apply to the time limit of a resumed run.
    let is_forecast = job.prior.is_none() || settings.total_ns.is_none();
    // Budgets do not apply to `--once`, so a `--once` run has no bound.
    let is_bounded =
        !settings.once && is_forecast && most_ns < NEVER_NS && !settings.is_unbounded(variants.len());
    RunTime {
        start,
        bound: is_bounded.then(|| start + Duration::from_nanos(most_ns)),
        deadline: settings.total_ns.map(|total| start + Duration::from_nanos(total)),
        case_ns,
        pairs: levels
            .telling_look(&plan.looks, comparisons, settings.mean, |pairs| levels.until(pairs, true)),
        visits: 0,
        cases: cases as u64,
        is_first_stage: true,
    }
}
