//! A small run as events, with realistic times.

use derny_model::{
    Case, CaseId, Direction, Event, Isolation, Kind, Machine, Metric, Phase, Plan, ProcessEnd, ProcessStart,
    Reported, RunHeader, RunStatus, Settings, Turn, Variant, Visit,
};

/// A generator of uniform random numbers in [0, 1): SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

pub fn case(name: &str) -> Case {
    Case {
        harness: "javascript".into(),
        file: Some("bench/url.js".into()),
        line: Some(3),
        ..Case::new(CaseId {
            suite: "url".into(),
            benchmark: name.into(),
            params: vec![("n".into(), "16".into())],
        })
    }
}

pub fn header(id: &str) -> RunHeader {
    RunHeader {
        id: id.into(),
        started_ms: 1_790_000_000_000,
        ended_ms: None,
        status: RunStatus::Running,
        engine_pid: std::process::id(),
        derny: "7.7.7".into(),
        args: vec!["run".into(), "url".into()],
        seed: 7,
        settings: settings(),
        variants: vec![Variant { name: "base".into(), ..Variant::default() }],
        machine: Machine { host: "h".into(), cpu: "c".into(), ..Machine::default() },
        commit: None,
        note: None,
        runtimes: vec![],
        series: None,
        imported: None,
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    }
}

fn settings() -> Settings {
    Settings { budget_ns: 3_000_000_000, processes: 30, wave: 1, ..Settings::default() }
}

pub fn start(header: RunHeader, cases: &[Case]) -> Event {
    let plan = Plan {
        isolation: Isolation::Case,
        reason: String::new(),
        launches: vec![],
        processes: 1,
        rounds: 1,
        expected_ns: 0,
        bound_ns: 0,
        looks: vec![],
    };
    Event::RunStarted { format: 1, run: Box::new(header), cases: cases.to_vec(), plan: Box::new(plan) }
}

pub fn process(process: u32) -> Event {
    Event::ProcessStarted(ProcessStart {
        process,
        variant: 0,
        block: process,
        command: vec!["node".into(), "--expose-gc".into(), "bench/url.js".into()],
        pid: 4000 + process,
        language: "javascript".into(),
        runtime: "node/20.20.2".into(),
        harness: "7.7.7".into(),
        clock_step_ns: 10,
        launch_ns: 43_000_000,
        padding: 17,
        build: 0,
        binary: None,
        settings: Default::default(),
        collector: Some(derny_model::Collector::Counted),
        at_ns: 0,
        place: Some(process % 2),
        machine: None,
        wave: None,
    })
}

pub fn process_end(process: u32) -> Event {
    Event::ProcessEnded(ProcessEnd {
        process,
        exit: "exit 0".into(),
        cpu_ns: Some(99),
        peak_bytes: Some(1 << 26),
        resident_bytes: Some((1, 2)),
        printed_bytes: Some(3),
        ending_ns: Some(4),
        at_ns: 1_000_000_000,
    })
}

pub fn visit(visit: u32, process: u32, case: u32) -> Event {
    let metric = |name: &str, unit: &str| Metric {
        name: name.into(),
        unit: unit.into(),
        kind: Kind::Total,
        direction: Direction::Less,
        exact: false,
    };
    Event::VisitStarted(Visit {
        visit,
        process,
        case,
        position: 0,
        open_ns: 120_000,
        metrics: [metric("cpu", "ns"), metric("preempted", "count"), metric("gc", "count")].into(),
        at_ns: 50_000_000,
        mode: None,
    })
}

/// Returns a turn of 100 batches of about 20 µs ± 1 % with 1 % spikes of 10 to 1000 µs, on a clock of 10 ns.
pub fn turn(random: &mut Random, visit: u32, round: u32) -> Turn {
    let times_ns: Vec<u64> = (0..100)
        .map(|_| {
            let spike = if random.next() < 0.01 { 10_000.0 * 100f64.powf(random.next()) } else { 0.0 };
            ((20_000.0 * (1.0 + 0.01 * random.normal()) + spike) / 10.0).round() as u64 * 10
        })
        .collect();
    let total: u64 = times_ns.iter().sum();
    Turn {
        visit,
        phase: Phase::Measured,
        round,
        iterations: 400,
        counters: vec![Some((total - 7_000) as f64), Some(f64::from(round % 3)), None],
        times_ns,
        ops: None,
        cpu: Some(1),
        at_ns: 60_000_000 + u64::from(round) * 2_300_000,
        wall_ns: total + 60_000,
        hash: None,
        thread: (round % 17 == 3).then_some(4001),
        reported: if round % 23 == 5 { vec![reported("lines", f64::from(round))] } else { Vec::new() },
        outside: None,
    }
}

pub fn reported(name: &str, value: f64) -> Reported {
    let (kind, direction) = (Kind::Level, Direction::More);
    Reported {
        metric: Metric { name: name.into(), unit: "count".into(), kind, direction, exact: false },
        value,
    }
}

pub fn end(status: RunStatus) -> Event {
    Event::RunEnded { ended_ms: 1_790_000_009_000, status }
}
