//! Stopping, resuming and analysis see the same bits: the same turns go through all three.

use super::evidence;
use crate::measure::calls::Calls;
use crate::measure::case_state::CaseState;
use crate::measure::turn::summarise;
use derny_analysis::{Input, Options, compare};
use derny_estimate::cost::Cost;
use derny_estimate::pair::{Pair, Replicate};
use derny_model::{
    Case, CaseId, Collector, Direction, Kind, Machine, Metric, Phase, ProcessStart, Quantity, Records,
    RunHeader, RunStatus, Settings, Turn, Variant, Visit, VisitRecord,
};
use derny_stats::Rng;

const BLOCKS: u32 = 6;
const VARIANTS: usize = 3;

fn metric(name: &str, unit: &str, kind: Kind) -> Metric {
    Metric { name: name.into(), unit: unit.into(), kind, direction: Direction::Less, exact: false }
}

/// What the harness declares, then the case's own, then what the engine adds.
fn metrics() -> Vec<Metric> {
    let (total, level) = (Kind::Total, Kind::Level);
    vec![metric("gc", "count", total), metric("size", "B", level), metric("cpu", "ns", total)]
}

fn case(name: &str, timed: bool) -> Case {
    let id = CaseId { suite: "s".into(), benchmark: name.into(), params: Vec::new() };
    let own = vec![metric("size", "B", Kind::Level)];
    Case { ops: 3.0, metrics: if timed { Vec::new() } else { own }, ..Case::new(id) }
}

/// A turn of a process whose speed is `level`. Some take 0 ns, some are rejected, some processes do not know their processor time.
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
    }
}

fn opened(visit: u32, process: u32, case: u32) -> Visit {
    Visit { visit, process, case, position: 0, open_ns: 0, metrics: metrics(), at_ns: 0, mode: None }
}

/// Two cases, one of which has no times, on three sides. The last block lacks a side, the one before has a process that was lost.
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

/// What the engine knows while it measures: a turn's worth when it is answered, its cost when it is told.
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
                let (block, build, clock_step_ns) = (start.block, start.build, start.clock_step_ns);
                let mut replicate = Replicate {
                    block,
                    build,
                    place: start.place.unwrap_or(start.variant),
                    clock_step_ns,
                    cost: Cost::new(start.collector),
                    ..Replicate::default()
                };
                for turn in &record.turns {
                    let worth = summarise(turn, declared, &record.visit.metrics, clock_step_ns).worth;
                    replicate.rounds.add(0, turn, worth);
                    replicate.cost.add(turn, &record.visit.metrics, declared.ops);
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

fn bits(values: impl IntoIterator<Item = f64>) -> Vec<u64> {
    values.into_iter().map(f64::to_bits).collect()
}

#[test]
fn stopping_resuming_and_analysis_see_the_same_bits() {
    let records = records();
    let resumed = evidence(&records);
    let document = derny_analysis::summarise(&records);
    let inputs: Vec<Input> = (0..VARIANTS as u32)
        .map(|variant| Input {
            name: variant.to_string(),
            document: &document,
            records: Some(&records),
            variant,
        })
        .collect();
    let options = Options { margin: 0.01, confidence: 0.95, metrics: &[], anytime: false, history: &[] };
    let comparison = compare(&inputs, &options);
    for case in 0..2 {
        let state = live(&records, case);
        assert_eq!(state.samples.complete, BLOCKS - 2);
        for variant in 1..VARIANTS {
            let (stopped, gone_on) = (state.samples.evidence(variant), &resumed[case as usize][variant - 1]);
            assert_eq!(stopped, *gone_on);
            let changes = &comparison.cases[case as usize].sides[variant - 1].changes;
            let of = |quantity: Quantity| changes.iter().find(|change| change.quantity == quantity);
            let Some(typical) = of(Quantity::Typical) else {
                assert_eq!((case, stopped.mean.is_none()), (1, true));
                assert_eq!(stopped.typical.len(), BLOCKS as usize - 2);
                continue;
            };
            // Analysis also pairs the sides of a block that another side is missing from.
            let known = |pairs: &[f64]| -> Vec<f64> {
                let lacking = if variant == 1 { BLOCKS - 1 } else { BLOCKS - 2 };
                pairs
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at < (BLOCKS - 2) as usize || *at as u32 > lacking)
                    .map(|(_, pair)| *pair)
                    .collect()
            };
            let shares = |pairs: &[Pair]| bits(pairs.iter().map(|pair| libm::expm1(pair.log)));
            assert_eq!(shares(&stopped.typical), bits(known(&typical.pairs)));
            let mean = &of(Quantity::Mean).unwrap().pairs;
            assert_eq!(shares(stopped.mean.as_ref().unwrap()), bits(known(mean)));
        }
    }
}
