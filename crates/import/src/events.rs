//! Converts imported results to the event stream that the engine would send to the store.

use crate::cases::{Cases, HARNESS};
use crate::samples::{Cursor, Samples};
use crate::{Foreign, Sample, foreign};
use derny_model::{
    Collector, Event, Failure, FailureCode, Imported, Kind, Machine, Phase, ProcessStart, RunHeader, RunId,
    RunStatus, Settings, StopReason, Turn, Variant, Visit, VisitReport,
};
use std::collections::HashMap;

/// The parts of a run's header that the file does not contain.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Id of the run.
    pub id: RunId,
    /// Name of the importer.
    pub format: String,
    /// Path of the file, as the user named it.
    pub file: String,
    /// Start of the run if the file does not contain it: the modification time of the file, in ms since the
    /// epoch.
    pub time_ms: i64,
    /// Version of Derny that imports the file.
    pub derny: String,
    /// Command line of the import.
    pub args: Vec<String>,
    /// Note on the run.
    pub note: Option<String>,
    /// Hash of the file and of the options of the import.
    pub hash: String,
    /// Template that extracts parameters from names.
    pub name_template: Option<String>,
}

/// Returns the header, the cases and the remaining events of the run. Creates events one by one and releases
/// the data behind them, because there may be millions.
pub fn events(
    mut foreign: Foreign,
    origin: &Origin,
) -> (RunHeader, Cases, impl Iterator<Item = Event> + use<>) {
    let last = ended(&foreign, origin);
    let (header, stretch) = header(&mut foreign, origin);
    let Foreign { cases, processes, visits, samples, tool, language, runtime, .. } = foreign;
    let runtime = runtime.unwrap_or_else(|| tool.replace(' ', "/"));
    let mut reader = Reader { samples, stretch, place: Cursor::default(), clock: 0 };
    let mut positions: Vec<u32> = vec![0; processes.len()];
    let visits = (0..).zip(visits).flat_map(move |(number, visit): (u32, foreign::Visit)| {
        let process = visit.process as usize;
        let mut events = Vec::with_capacity(visit.samples as usize + 4);
        if positions[process] == 0 {
            events.push(Event::ProcessStarted(start(visit.process, processes[process], language, &runtime)));
        }
        reader.visit(&visit, (number, positions[process]), &mut events);
        positions[process] += 1;
        events
    });
    (header, cases, visits.chain(last))
}

/// Reads the samples visit by visit. Tracks the position in the samples and the time of the run.
struct Reader {
    samples: Samples,
    stretch: Stretch,
    place: Cursor,
    clock: u64,
}

/// Scale factors for cases whose samples are not whole ns, because turns store whole ns. A case has a single
/// factor for times and operations, which preserves weights in a mean. The rounding error stays below 10⁻⁶.
#[derive(Default)]
struct Stretch {
    /// For each case, the shortest and the longest sample that is not a whole number of ns, in ns.
    spans: Vec<(f32, f32)>,
}

impl Stretch {
    const NONE: (f32, f32) = (f32::INFINITY, 0.0);
    /// The shortest sample is scaled to at least this, in ns.
    const LEAST: f32 = 1e6;
    /// The longest sample is scaled to at most this, in ns: about a quarter of an hour.
    const MOST: f32 = 1e12;

    fn add(&mut self, case: u32, sample: &Sample) {
        let Some(each) = sample.each_ns else { return };
        let case = case as usize;
        self.spans.resize(self.spans.len().max(case + 1), Stretch::NONE);
        let (time, (least, most)) = ((each * sample.iterations as f64) as f32, &mut self.spans[case]);
        (*least, *most) = (least.min(time.max(f32::MIN_POSITIVE)), most.max(time));
    }

    /// Returns the scale factor of a case, a power of ten. `None` if all of its samples are whole ns.
    fn of(&self, case: u32) -> Option<f64> {
        let (least, most) = self.spans.get(case as usize).copied().filter(|span| *span != Stretch::NONE)?;
        let mut factor = 1.0;
        while least * factor < Stretch::LEAST && most * factor * 10.0 <= Stretch::MOST {
            factor *= 10.0;
        }
        Some(f64::from(factor))
    }
}

fn counted(sample: &Sample, stretch: Option<f64>) -> (u64, Option<f64>) {
    let Some(stretch) = stretch.filter(|_| !sample.untimed) else {
        return (sample.time_ns, sample.operations);
    };
    let operations = sample.operations.unwrap_or(sample.iterations as f64) * stretch;
    match sample.each_ns {
        None => ((sample.time_ns as f64 * stretch) as u64, Some(operations)),
        // Keep all digits of the file's figure.
        Some(each) => {
            let time_ns = (each * operations).round().max(1.0);
            (time_ns as u64, Some(time_ns / each))
        }
    }
}

impl Reader {
    fn visit(&mut self, visit: &foreign::Visit, (number, position): (u32, u32), events: &mut Vec<Event>) {
        events.push(Event::VisitStarted(Visit {
            visit: number,
            process: visit.process,
            case: visit.case,
            position,
            open_ns: 0,
            metrics: visit.metrics.clone(),
            mode: None,
            at_ns: self.clock,
        }));
        let mut operations = 0.0;
        let stretch = self.stretch.of(visit.case);
        for (round, mut sample) in (0..).zip(visit.samples(&self.samples, &mut self.place)) {
            let own = sample.operations.unwrap_or(sample.iterations as f64);
            let (time_ns, ops) = counted(&sample, stretch);
            let all = ops.unwrap_or(own);
            operations += all;
            for (value, _) in sample
                .counters
                .iter_mut()
                .zip(&*visit.metrics)
                .filter(|(_, metric)| metric.kind == Kind::Total)
            {
                *value = value.map(|value| value * (all / own));
            }
            events.push(Event::Turn(Turn {
                visit: number,
                phase: if sample.warm_up { Phase::WarmUp } else { Phase::Measured },
                round,
                iterations: if ops.is_some() { 0 } else { sample.iterations },
                times_ns: if sample.untimed { Vec::new() } else { vec![time_ns] },
                ops: ops.map(|operations| vec![operations]),
                counters: sample.counters.into_vec(),
                cpu: None,
                at_ns: self.clock,
                wall_ns: time_ns,
                hash: None,
                thread: None,
                reported: Vec::new(),
                outside: None,
            }));
            self.clock = self.clock.saturating_add(time_ns);
        }
        if !visit.stated.is_empty() {
            let values = visit.stated.iter().map(foreign::Stated::reported).collect();
            // An imported case has one operation per iteration.
            let report = VisitReport { operations, values, texts: Vec::new() };
            events.push(Event::Reported { visit: number, report });
        }
        events.push(Event::VisitEnded { visit: number });
        self.samples.give_up(self.place);
    }
}

/// Returns the header of the run, and the scale factors. Marks cases with counted operations as timing
/// themselves.
fn header(foreign: &mut Foreign, origin: &Origin) -> (RunHeader, Stretch) {
    let (stretch, processes) = survey(foreign);
    let settings = Settings {
        budget_ns: 0,
        processes,
        gc: "never".to_owned(),
        // Other tools keep all measurements, so mean time costs nothing extra. They have no waves.
        mean: true,
        waves: false,
        ladder: foreign.ladder,
        name_template: origin.name_template.clone(),
        ..Settings::default()
    };
    let variants = match &foreign.variants[..] {
        [] => vec!["base".to_owned()],
        names => names.to_vec(),
    };
    let header = RunHeader {
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
            unknown: unknown(foreign),
            hash: origin.hash.clone(),
        }),
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    };
    (header, stretch)
}

/// Returns the scale factors, and the largest number of processes of any case and variant, at which the plan
/// has its only look. Marks cases with counted operations as timing themselves.
fn survey(foreign: &mut Foreign) -> (Stretch, u32) {
    let mut stretch = Stretch::default();
    let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
    let mut place = Cursor::default();
    for visit in &foreign.visits {
        *counts.entry((visit.case, foreign.processes[visit.process as usize].variant)).or_default() += 1;
        // Read all samples, so that the cursor reaches those of the next visit.
        let counted = |any, sample: Sample| {
            stretch.add(visit.case, &sample);
            any | sample.operations.or(sample.each_ns).is_some()
        };
        if visit.samples(&foreign.samples, &mut place).fold(false, counted) {
            foreign.cases.times_itself(visit.case as usize);
        }
    }
    (stretch, counts.into_values().max().unwrap_or(1))
}

fn unknown(foreign: &Foreign) -> Vec<String> {
    let mut unknown = Vec::new();
    match (foreign.machine == Machine::default(), foreign.machine.host.is_empty()) {
        (true, _) => unknown.push("machine, operating system and settings of the run".to_owned()),
        (false, true) => unknown.push("machine (the file does not name it)".to_owned()),
        (false, false) => {}
    }
    if foreign.started_ms.is_none() {
        unknown.push("date of the measurement (the file's date is used)".to_owned());
    }
    unknown.extend(foreign.unknown());
    unknown
}

fn start(process: u32, of: foreign::Process, language: &str, runtime: &str) -> ProcessStart {
    ProcessStart {
        process,
        variant: of.variant,
        block: of.block,
        command: Vec::new(),
        pid: 0,
        language: language.to_owned(),
        runtime: runtime.to_owned(),
        harness: HARNESS.to_owned(),
        clock_step_ns: 1,
        launch_ns: 0,
        padding: 0,
        build: 0,
        binary: None,
        at_ns: 0,
        settings: Default::default(),
        // No file contains data about the garbage collector.
        collector: Some(Collector::Untold),
        place: None,
        machine: None,
        wave: None,
    }
}

/// Returns the events after all visits. Copies their data, because `foreign` is consumed before they are
/// sent.
fn ended(foreign: &Foreign, origin: &Origin) -> impl Iterator<Item = Event> + use<> {
    let failure = |(case, why): &(usize, String)| {
        Event::Failed(Failure {
            code: FailureCode::DY307,
            what: "the case failed where it was measured".to_owned(),
            case: Some(*case as u32),
            variant: None,
            place: vec![foreign.cases.id(*case).to_string()],
            why: why.clone(),
            remedy: "measure it again with that tool, or with Derny".to_owned(),
        })
    };
    let failures: Vec<Event> = foreign.failed.iter().map(failure).collect();
    let mut reasons = vec![StopReason::Skipped; foreign.cases.len()];
    for visit in foreign.visits.iter().filter(|visit| visit.samples > 0) {
        reasons[visit.case as usize] = StopReason::Maximum;
    }
    foreign.failed.iter().for_each(|(case, _)| reasons[*case] = StopReason::Failed);
    let reasons = (0..).zip(reasons).map(|(case, reason)| Event::CaseEnded { case, reason });
    let started_ms = foreign.started_ms.unwrap_or(origin.time_ms);
    let ended_ms = started_ms.saturating_add((foreign.samples.length_ns() / 1_000_000) as i64);
    let status = if foreign.failed.is_empty() { RunStatus::Complete } else { RunStatus::Failed };
    failures.into_iter().chain(reasons).chain(std::iter::once(Event::RunEnded { ended_ms, status }))
}
