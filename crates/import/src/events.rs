//! The event stream of a run out of imported results: what the store would have got from the engine.

use crate::{Foreign, foreign};
use derny_model::{
    Collector, Event, Failure, FailureCode, Imported, Machine, Phase, Plan, ProcessStart, RunHeader, RunId,
    RunStatus, Settings, StopReason, Timing, Turn, Variant, Visit, VisitReport,
};
use std::collections::BTreeMap;

/// What the file does not hold of a run's header.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The run's id.
    pub id: RunId,
    /// The importer's name.
    pub format: String,
    /// The file as it was named.
    pub file: String,
    /// Start where the file has none: the file's own time, ms since the epoch.
    pub time_ms: i64,
    /// Version of this program.
    pub derny: String,
    /// The command line.
    pub args: Vec<String>,
    /// A note.
    pub note: Option<String>,
    /// Hash of the file and of how it was read.
    pub hash: String,
    /// What makes parameters out of names.
    pub name_template: Option<String>,
}

/// The harness of imported cases.
const HARNESS: &str = "imported";

/// The run as a stream of events, first to last. They are made one by one: there may be millions.
pub fn events<'a>(foreign: &'a Foreign, origin: &Origin) -> impl Iterator<Item = Event> + use<'a> {
    let started_ms = foreign.started_ms.unwrap_or(origin.time_ms);
    let status = if foreign.failed.is_empty() { RunStatus::Complete } else { RunStatus::Failed };
    let mut clock = 0;
    let mut positions: Vec<Option<u32>> = vec![None; foreign.processes.len()];
    let visits = (0..).zip(&foreign.visits).flat_map(move |(number, visit): (u32, &_)| {
        let position = &mut positions[visit.process];
        let mut events = Vec::with_capacity(visit.samples.len() + 4);
        if position.is_none() {
            events.push(Event::ProcessStarted(start(foreign, visit.process)));
        }
        let place = position.map_or(0, |before| before + 1);
        *position = Some(place);
        clock = visited(foreign, visit, (number, place), clock, &mut events);
        events
    });
    let samples = foreign.visits.iter().flat_map(|visit| &visit.samples);
    let length = samples.map(|one| one.time_ns).fold(0, u64::saturating_add);
    let ended_ms = started_ms.saturating_add((length / 1_000_000) as i64);
    let last = std::iter::once(Event::RunEnded { ended_ms, status });
    std::iter::once(started(foreign, origin)).chain(visits).chain(ended(foreign)).chain(last)
}

/// The events of one visit, which begins at `clock`; when it ends.
fn visited(
    foreign: &Foreign,
    visit: &foreign::Visit,
    (number, position): (u32, u32),
    clock: u64,
    events: &mut Vec<Event>,
) -> u64 {
    let mut clock = clock;
    events.push(Event::VisitStarted(Visit {
        visit: number,
        process: visit.process as u32,
        case: visit.case as u32,
        position,
        open_ns: 0,
        metrics: visit.metrics.clone(),
        mode: None,
        at_ns: clock,
    }));
    for (round, sample) in visit.samples.iter().enumerate() {
        events.push(Event::Turn(Turn {
            visit: number,
            phase: if sample.warm_up { Phase::WarmUp } else { Phase::Measured },
            round: round as u32,
            iterations: sample.iterations,
            times_ns: if sample.untimed { Vec::new() } else { vec![sample.time_ns] },
            ops: sample.operations.map(|operations| vec![operations]),
            counters: sample.counters.to_vec(),
            cpu: None,
            at_ns: clock,
            wall_ns: sample.time_ns,
            hash: None,
            thread: None,
            reported: Vec::new(),
        }));
        clock = clock.saturating_add(sample.time_ns);
    }
    if !visit.stated.is_empty() {
        let operations = visit.samples.iter().map(|one| one.operations.unwrap_or(one.iterations as f64));
        let report = VisitReport {
            operations: operations.sum::<f64>() * foreign.cases[visit.case].ops,
            values: visit.stated.iter().map(foreign::Stated::reported).collect(),
            texts: Vec::new(),
        };
        events.push(Event::Reported { visit: number, report });
    }
    events.push(Event::VisitEnded { visit: number });
    clock
}

fn started(foreign: &Foreign, origin: &Origin) -> Event {
    // Nobody has looked before the end: the plan has one look, at as many processes as a case has of a variant.
    let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for visit in &foreign.visits {
        *counts.entry((visit.case, foreign.processes[visit.process].variant)).or_default() += 1;
    }
    let most = counts.into_values().max().unwrap_or(1);
    let settings = Settings {
        budget_ns: 0,
        processes: most,
        gc: "never".to_owned(),
        ladder: foreign.ladder,
        name_template: origin.name_template.clone(),
        ..Settings::default()
    };
    let variants = match &foreign.variants[..] {
        [] => vec!["base".to_owned()],
        names => names.to_vec(),
    };
    let mut unknown = Vec::new();
    match (foreign.machine == Machine::default(), foreign.machine.host.is_empty()) {
        (true, _) => unknown.push("machine, operating system and settings of the run".to_owned()),
        (false, true) => unknown.push("which machine it was: the file does not name it".to_owned()),
        (false, false) => {}
    }
    if foreign.started_ms.is_none() {
        unknown.push("when it was measured: the date of the file is taken for it".to_owned());
    }
    unknown.extend(foreign.unknown.iter().cloned());
    let run = RunHeader {
        id: origin.id.clone(),
        started_ms: foreign.started_ms.unwrap_or(origin.time_ms),
        ended_ms: None,
        status: RunStatus::Running,
        engine_pid: std::process::id(),
        derny: origin.derny.clone(),
        args: origin.args.clone(),
        seed: 0,
        settings,
        variants: variants.into_iter().map(|name| Variant { name, ..Variant::default() }).collect(),
        machine: foreign.machine.clone(),
        commit: foreign.commit.clone(),
        note: origin.note.clone(),
        runtimes: Vec::new(),
        series: None,
        imported: Some(Imported {
            format: origin.format.clone(),
            file: origin.file.clone(),
            tool: foreign.tool.clone(),
            unknown,
            hash: origin.hash.clone(),
        }),
        part: None,
        machines: Vec::new(),
        merged: None,
        built: Vec::new(),
    };
    let mut cases = foreign.cases.clone();
    let mut counted = vec![false; cases.len()];
    for visit in &foreign.visits {
        counted[visit.case] |= visit.samples.iter().any(|sample| sample.operations.is_some());
    }
    for (index, case) in cases.iter_mut().enumerate() {
        case.harness = HARNESS.to_owned();
        if counted[index] {
            case.timing = Timing::SelfTimed;
        }
    }
    let plan = Plan { reason: "imported".to_owned(), processes: most, ..Plan::of_nothing() };
    Event::RunStarted { format: 1, run: Box::new(run), cases, plan: Box::new(plan) }
}

fn start(foreign: &Foreign, process: usize) -> ProcessStart {
    let foreign::Process { variant, block } = foreign.processes[process];
    ProcessStart {
        process: process as u32,
        variant: variant as u32,
        block: block as u32,
        command: Vec::new(),
        pid: 0,
        language: foreign.language.to_owned(),
        runtime: foreign.runtime.clone().unwrap_or_else(|| foreign.tool.replace(' ', "/")),
        harness: HARNESS.to_owned(),
        clock_step_ns: 1,
        launch_ns: 0,
        padding: 0,
        build: 0,
        binary: None,
        at_ns: 0,
        settings: Default::default(),
        // No file tells of collections.
        collector: Some(Collector::Untold),
        place: None,
        machine: None,
    }
}

fn ended(foreign: &Foreign) -> Vec<Event> {
    let mut events = Vec::new();
    for (case, why) in &foreign.failed {
        events.push(Event::Failed(Failure {
            code: FailureCode::DY307,
            what: "the case failed where it was measured".to_owned(),
            case: Some(*case as u32),
            place: vec![foreign.cases[*case].id.to_string()],
            why: why.clone(),
            remedy: "measure it again with that tool, or with Derny".to_owned(),
        }));
    }
    let mut failed = vec![false; foreign.cases.len()];
    foreign.failed.iter().for_each(|(case, _)| failed[*case] = true);
    let mut measured = vec![false; foreign.cases.len()];
    for visit in foreign.visits.iter().filter(|visit| !visit.samples.is_empty()) {
        measured[visit.case] = true;
    }
    for (case, ended) in failed.into_iter().zip(measured).enumerate() {
        let reason = match ended {
            (true, _) => StopReason::Failed,
            (false, true) => StopReason::Maximum,
            (false, false) => StopReason::Skipped,
        };
        events.push(Event::CaseEnded { case: case as u32, reason });
    }
    events
}
