//! Tests that stopping, resuming and analysis compute bit-identical results from the same turns.

use super::judged;
use crate::measure::calls::Calls;
use crate::measure::case_state::CaseState;
use crate::measure::decision;
use crate::measure::turn::summarise;
use derny_analysis::{Input, Options, compare};
use derny_estimate::judge;
use derny_estimate::pair::Replicate;
use derny_model::{
    Case, CaseId, Change, Collector, Direction, Kind, LookReason, Machine, Metric, Phase, ProcessStart,
    Reason, Records, RunHeader, RunStatus, Settings, Turn, Variant, Verdict, Visit, VisitRecord,
};
use derny_stats::Rng;

const BLOCKS: u32 = 6;
const VARIANTS: usize = 3;

fn metric(name: &str, unit: &str, kind: Kind) -> Metric {
    Metric { name: name.into(), unit: unit.into(), kind, direction: Direction::Less, exact: false }
}

/// Returns the metrics that the harness declares, those of the case, and those that the engine adds.
fn metrics() -> Vec<Metric> {
    let (total, level) = (Kind::Total, Kind::Level);
    vec![metric("gc", "count", total), metric("size", "B", level), metric("cpu", "ns", total)]
}

fn case(name: &str, timed: bool) -> Case {
    let id = CaseId { suite: "s".into(), benchmark: name.into(), params: Vec::new() };
    let own = vec![metric("size", "B", Kind::Level)];
    Case { ops: 3.0, metrics: if timed { Vec::new() } else { own }, ..Case::new(id) }
}

/// Returns a turn of a process whose times are `level` times the usual ones. Some turns take 0 ns, some are
/// rejected, and some lack their processor time.
fn turn(rng: &mut Rng, visit: u32, round: u32, level: f64, timed: bool) -> Turn {
    let mut ns = || (level * 3000.0 * libm::exp(0.01 * rng.normal())) as u64;
    let times_ns = if !timed {
        Vec::new()
    } else if round == 3 {
        vec![0; 5]
    } else {
        (0..5).map(|_| ns()).collect()
    };
    let size = Some(131.0 * level * libm::exp(0.1 * rng.normal())).filter(|_| round != 2);
    let cpu = Some(times_ns.iter().sum::<u64>() as f64 * 1.01).filter(|_| visit != 4);
    Turn {
        visit,
        phase: if round == 5 { Phase::Rejected } else { Phase::Measured },
        round,
        iterations: 10,
        times_ns,
        ops: None,
        counters: vec![Some(f64::from(u32::from(visit == 7))), size, cpu],
        cpu: Some(round % 2),
        at_ns: 0,
        wall_ns: 1,
        hash: None,
        thread: None,
        reported: Vec::new(),
        outside: None,
    }
}

fn header(variants: Vec<Variant>) -> RunHeader {
    RunHeader {
        id: "r".to_owned(),
        started_ms: 0,
        ended_ms: None,
        status: RunStatus::Partial,
        engine_pid: 1,
        derny: String::new(),
        args: Vec::new(),
        seed: 1,
        settings: Settings { margin: 0.01, ..Settings::default() },
        variants,
        machine: Machine::default(),
        commit: None,
        note: None,
        runtimes: Vec::new(),
        series: None,
        imported: None,
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    }
}

fn start(process: u32, variant: u32, block: u32) -> ProcessStart {
    ProcessStart {
        process,
        variant,
        block,
        command: Vec::new(),
        pid: 1,
        language: "javascript".to_owned(),
        runtime: String::new(),
        harness: String::new(),
        clock_step_ns: if variant == 1 { 40 } else { 1 },
        launch_ns: 0,
        padding: 0,
        build: block % 3,
        binary: None,
        settings: Default::default(),
        collector: Some(Collector::Counted),
        at_ns: 0,
        place: None,
        machine: None,
        wave: None,
    }
}

fn opened(visit: u32, process: u32, case: u32) -> Visit {
    Visit { visit, process, case, position: 0, open_ns: 0, metrics: metrics().into(), at_ns: 0, mode: None }
}

/// Returns records of two cases, one of them without times, in three variants. The last block lacks a
/// variant, and one process of the block before it was lost.
fn records() -> Records {
    let mut rng = Rng::new(11);
    let variant = |name: &str| Variant { name: name.into(), ..Variant::default() };
    let mut records = Records::new(
        header(["a", "b", "c"].map(variant).into()),
        vec![case("timed", true), case("untimed", false)],
    );
    for block in 0..BLOCKS {
        for variant in 0..VARIANTS as u32 {
            let process = records.processes.len() as u32;
            records.processes.push(start(process, variant, block));
            for case in 0..2 {
                if block == BLOCKS - 1 && variant == 2 {
                    continue;
                }
                let visit = records.visits.len() as u32;
                let level = (1.0 + 0.03 * f64::from(variant)) * libm::exp(0.01 * rng.normal());
                let turns = (0..7).map(|round| turn(&mut rng, visit, round, level, case == 0));
                let complete = !(block == BLOCKS - 2 && variant == 1);
                let turns = turns.collect();
                let visit = opened(visit, process, case);
                records.visits.push(VisitRecord { visit, complete, pruned: false, turns, report: None });
            }
        }
    }
    records
}

/// Returns the state that the engine would have while it measures, built turn by turn.
fn live(records: &Records, case: u32) -> CaseState {
    let declared = &records.cases[case as usize];
    let mut state = CaseState::new(declared, VARIANTS, 0, Calls::Repeated);
    for block in 0..BLOCKS {
        let own = |record: &&VisitRecord| {
            let process = &records.processes[record.visit.process as usize];
            record.visit.case == case && process.block == block && record.complete
        };
        let members: Vec<Replicate> = records
            .visits
            .iter()
            .filter(own)
            .map(|record| {
                let start = &records.processes[record.visit.process as usize];
                let mut replicate = Replicate::started(start);
                let metrics = &record.visit.metrics;
                for turn in &record.turns {
                    let worth = summarise(turn, declared, metrics, start.clock_step_ns).worth;
                    replicate.rounds.add(0, turn, metrics, worth);
                    replicate.cost.add(turn, metrics, declared.ops);
                }
                replicate
            })
            .collect();
        if members.len() == VARIANTS {
            state.samples.complete_block(members);
        }
    }
    state
}

/// Returns the parts of a change that must be bit-identical.
fn bits(change: &Change) -> (Vec<Option<u64>>, Verdict, Option<Reason>) {
    let interval = change.change.and_then(|estimate| estimate.interval);
    let ends = [interval.map(|i| i.lo), interval.map(|i| i.hi)];
    let numbers = ends.into_iter().chain([change.p, change.q, change.holm]);
    (numbers.map(|value| value.map(f64::to_bits)).collect(), change.verdict, change.reason)
}

#[test]
fn stopping_resuming_and_analysis_see_the_same_bits() {
    let mut records = records();
    let mut states: Vec<CaseState> = (0..2).map(|case| live(&records, case)).collect();
    for (case, state) in (0..).zip(&mut states) {
        assert_eq!(state.samples.complete, BLOCKS - 2);
        state.samples.look(case, LookReason::Planned);
        records.looks.extend(state.samples.looks.clone());
    }
    let terms = decision::terms(&records.header.settings, &states, None);
    let sides: Vec<Vec<judge::Side>> = states
        .iter()
        .zip(&records.cases)
        .map(|(state, case)| state.samples.sides(case, &terms, None))
        .collect();
    let (stopped, _) = judge::judge(&sides, &terms);
    let resumed = judged(&records);
    let document = derny_analysis::summarise(&records);
    let input = |variant: u32| Input {
        name: variant.to_string(),
        document: &document,
        records: Some(&records),
        variant,
    };
    let inputs: Vec<Input> = (0..VARIANTS as u32).map(input).collect();
    let options = Options::default();
    let comparison = compare(&inputs, &options);
    for case in 0..2 {
        for side in 0..VARIANTS - 1 {
            let (live, again) = (&stopped[case][side].side, &resumed[case][side].side);
            assert_eq!(
                (&live.changes, live.verdict, live.reason),
                (&again.changes, again.verdict, again.reason)
            );
            let reported = &comparison.cases[case].sides[side];
            let times = if case == 0 { 2 } else { 1 };
            assert_eq!(live.changes.len(), times);
            // Other metrics may differ: the report judges them by complete processes, and the decision
            // to stop judges them by rounds.
            let is_time = |change: &&Change| change.quantity.metric() == "time";
            for change in live.changes.iter().filter(is_time) {
                let same = |other: &&Change| other.quantity == change.quantity;
                let told = reported.changes.iter().find(same).expect("what stops is reported");
                assert_eq!(bits(change), bits(told));
            }
        }
    }
}
