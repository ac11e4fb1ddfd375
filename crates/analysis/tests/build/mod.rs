//! Builds records that contain exactly what a test needs.

#![allow(dead_code, reason = "an example uses its own part")]

pub mod comparison;
pub mod machine;

use derny_model::*;
use derny_stats::Rng;

/// Records under construction.
pub struct RunBuilder {
    pub records: Records,
}

pub fn settings() -> Settings {
    // These processes belong to no wave.
    Settings { mean: true, waves: false, ..Settings::default() }
}

pub fn case(suite: &str, benchmark: &str) -> Case {
    Case {
        harness: "test".to_owned(),
        ..Case::new(CaseId { suite: suite.to_owned(), benchmark: benchmark.to_owned(), params: Vec::new() })
    }
}

pub fn metric(name: &str, unit: &str) -> Metric {
    let (kind, direction) = (Kind::Total, Direction::Less);
    Metric { name: name.to_owned(), unit: unit.to_owned(), kind, direction, exact: false }
}

pub fn turn(phase: Phase, iterations: u64, times_ns: Vec<u64>) -> Turn {
    let wall_ns = times_ns.iter().sum();
    Turn {
        visit: 0,
        phase,
        round: 0,
        iterations,
        times_ns,
        ops: None,
        counters: Vec::new(),
        cpu: None,
        at_ns: 0,
        wall_ns,
        hash: None,
        thread: None,
        reported: Vec::new(),
        outside: None,
    }
}

pub fn steady(ns: f64) -> Turn {
    turn(Phase::Measured, 1000, vec![(ns * 1000.0).round() as u64; 10])
}

impl RunBuilder {
    pub fn new(cases: Vec<Case>) -> RunBuilder {
        let header = RunHeader {
            id: "k3fz".to_owned(),
            started_ms: 0,
            ended_ms: Some(41_000),
            status: RunStatus::Complete,
            engine_pid: 1,
            derny: "7.7.7".to_owned(),
            args: Vec::new(),
            seed: 1,
            settings: settings(),
            variants: vec![variant("base")],
            machine: Machine { cores: 2, ..Machine::default() },
            commit: None,
            note: None,
            runtimes: vec!["test test/1".to_owned()],
            series: None,
            imported: None,
            part: None,
            machines: Vec::new(),
            merged: None,
            preparation: None,
            built: Vec::new(),
        };
        let ended = (0..cases.len() as u32).map(|case| (case, StopReason::Precise)).collect();
        RunBuilder { records: Records { ended, ..Records::new(header, cases) } }
    }

    pub fn process(&mut self, variant: u32) -> u32 {
        let process = self.records.processes.len() as u32;
        self.records.processes.push(ProcessStart {
            process,
            variant,
            block: process,
            command: Vec::new(),
            pid: 1,
            language: "test".to_owned(),
            runtime: "test/1".to_owned(),
            harness: "0".to_owned(),
            clock_step_ns: 1,
            launch_ns: 0,
            padding: 0,
            build: 0,
            binary: None,
            settings: Default::default(),
            collector: Some(Collector::Counted),
            at_ns: 0,
            place: None,
            machine: None,
            wave: None,
        });
        process
    }

    pub fn visit(
        &mut self,
        process: u32,
        case: u32,
        metrics: &[Metric],
        turns: Vec<Turn>,
    ) -> &mut VisitRecord {
        let visit = self.records.visits.len() as u32;
        let turns = turns.into_iter().map(|turn| Turn { visit, ..turn }).collect();
        self.records.visits.push(VisitRecord {
            visit: Visit {
                visit,
                process,
                case,
                position: 0,
                open_ns: 0,
                metrics: metrics.into(),
                at_ns: 0,
                mode: None,
            },
            complete: true,
            pruned: false,
            turns,
            report: None,
        });
        self.records.visits.last_mut().unwrap()
    }

    /// Adds one process of case 0 for each of these times, with 12 measured turns of exactly that time.
    pub fn flat(&mut self, times_ns: &[f64]) {
        for &ns in times_ns {
            let process = self.process(0);
            self.visit(process, 0, &[], (0..12).map(|_| steady(ns)).collect());
        }
    }

    pub fn document(&self) -> Document {
        derny_analysis::summarise(&self.records)
    }

    pub fn first(&self) -> VariantResult {
        self.document().suites[0].cases[0].variants[0].clone()
    }

    /// Returns the value of a statistic of time. Panics if there is none.
    pub fn figure(&self, name: &str) -> f64 {
        self.first().figure(name).unwrap_or_else(|| panic!("there is no {name}")).value
    }

    /// Returns the times of the first variant of the first case.
    pub fn time(&self) -> TimeSummary {
        self.first().time.unwrap()
    }
}

pub fn variant(name: &str) -> Variant {
    Variant { name: name.to_owned(), ..Variant::default() }
}

/// Returns a run with noise between processes and between turns. Each process has 12 turns of `batches`
/// batches.
pub fn noisy(cases: usize, processes: usize, batches: usize, ns: f64) -> RunBuilder {
    let mut rng = Rng::new(7);
    let mut run = RunBuilder::new((0..cases).map(|i| case("suite", &format!("case{i}"))).collect());
    for index in 0..cases {
        for _ in 0..processes {
            let process = run.process(0);
            let level = ns * (0.02 * rng.normal()).exp();
            let turns = (0..12)
                .map(|_| {
                    let level = level * (0.01 * rng.normal()).exp();
                    let time = |rng: &mut Rng| (level * 1000.0 * (0.005 * rng.normal()).exp()).round() as u64;
                    turn(Phase::Measured, 1000, (0..batches).map(|_| time(&mut rng)).collect())
                })
                .collect();
            run.visit(process, index as u32, &[], turns);
        }
    }
    run
}
