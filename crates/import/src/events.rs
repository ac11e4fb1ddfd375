//! The event stream of a run out of imported results: what the store would have got from the engine.

use crate::Foreign;
use derny_model::{
    Collector, Event, Failure, FailureCode, Imported, Isolation, Machine, Phase, Plan, ProcessStart,
    RunHeader, RunId, RunStatus, Settings, StopReason, Timing, Turn, Variant, Visit,
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
    /// What makes parameters out of names.
    pub name_template: Option<String>,
}

/// The harness of imported cases.
const HARNESS: &str = "imported";

/// The run as a stream of events, first to last.
pub fn events(foreign: &Foreign, origin: &Origin) -> Vec<Event> {
    let mut clock = 0;
    let mut events = vec![started(foreign, origin)];
    let mut positions = vec![0; foreign.processes.len()];
    for (number, process) in foreign.processes.iter().enumerate() {
        events.push(Event::ProcessStarted(start(foreign, number as u32, process.variant, process.block)));
    }
    for (number, visit) in foreign.visits.iter().enumerate() {
        let number = number as u32;
        events.push(Event::VisitStarted(Visit {
            visit: number,
            process: visit.process as u32,
            case: visit.case as u32,
            position: positions[visit.process],
            open_ns: 0,
            metrics: visit.metrics.clone().into(),
            mode: None,
            at_ns: clock,
        }));
        positions[visit.process] += 1;
        for (round, sample) in visit.samples.iter().enumerate() {
            events.push(Event::Turn(Turn {
                visit: number,
                phase: if sample.warm_up { Phase::WarmUp } else { Phase::Measured },
                round: round as u32,
                iterations: sample.iterations,
                times_ns: vec![sample.time_ns],
                ops: sample.operations.map(|operations| vec![operations]),
                counters: sample.counters.clone(),
                cpu: None,
                at_ns: clock,
                wall_ns: sample.time_ns,
                hash: None,
                thread: None,
                reported: Vec::new(),
            }));
            clock += sample.time_ns;
        }
        events.push(Event::VisitEnded { visit: number });
    }
    events.extend(ended(foreign));
    let ended_ms = foreign.started_ms.unwrap_or(origin.time_ms) + (clock / 1_000_000) as i64;
    let status = if foreign.failed.is_empty() { RunStatus::Complete } else { RunStatus::Failed };
    events.push(Event::RunEnded { ended_ms, status });
    events
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
    let mut unknown = vec!["machine, operating system and settings of the run".to_owned()];
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
        machine: Machine::default(),
        commit: None,
        note: origin.note.clone(),
        runtimes: Vec::new(),
        series: None,
        imported: Some(Imported {
            format: origin.format.clone(),
            file: origin.file.clone(),
            tool: foreign.tool.clone(),
            unknown,
        }),
        built: Vec::new(),
    };
    let mut cases = foreign.cases.clone();
    for (index, case) in cases.iter_mut().enumerate() {
        case.harness = HARNESS.to_owned();
        let counted = |visit: &crate::foreign::Visit| visit.samples.iter().any(|s| s.operations.is_some());
        if foreign.visits.iter().any(|visit| visit.case == index && counted(visit)) {
            case.timing = Timing::SelfTimed;
        }
    }
    let plan = Plan {
        isolation: Isolation::Case,
        reason: "imported".to_owned(),
        launches: Vec::new(),
        processes: most,
        rounds: 0,
        expected_ns: 0,
        bound_ns: 0,
        looks: Vec::new(),
    };
    Event::RunStarted { format: 1, run: Box::new(run), cases, plan: Box::new(plan) }
}

fn start(foreign: &Foreign, process: u32, variant: usize, block: usize) -> ProcessStart {
    ProcessStart {
        process,
        variant: variant as u32,
        block: block as u32,
        command: Vec::new(),
        pid: 0,
        language: foreign.language.to_owned(),
        runtime: foreign.tool.replace(' ', "/"),
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
    for case in 0..foreign.cases.len() {
        let failed = foreign.failed.iter().any(|(index, _)| *index == case);
        let measured = foreign.visits.iter().any(|visit| visit.case == case && !visit.samples.is_empty());
        let reason = match (failed, measured) {
            (true, _) => StopReason::Failed,
            (false, true) => StopReason::Maximum,
            (false, false) => StopReason::Skipped,
        };
        events.push(Event::CaseEnded { case: case as u32, reason });
    }
    events
}
