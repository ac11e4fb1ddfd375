//! Builds the records of a run on a simulated machine: waves of concurrent processes with interleaved rounds.

use super::{RunBuilder, case, metric};
use derny_model::{Observation, Phase, Turn};
use derny_stats::Rng;
use derny_testkit::scenario::{Machine, Noise, Process, TURN_S};

/// Design of a simulated run.
#[derive(Clone, Copy)]
pub struct Plan {
    pub noise: Noise,
    pub cases: usize,
    pub processes: usize,
    pub wave: usize,
    pub rounds: usize,
    pub seed: u64,
}

impl Plan {
    pub fn new(noise: Noise, seed: u64) -> Plan {
        Plan { noise, cases: 1, processes: 16, wave: 8, rounds: 12, seed }
    }
}

const BATCHES: usize = 20;
const ITERATIONS: u64 = 1000;

/// Simulates a run. `extra` returns an addition to the log time of a turn, given its time in seconds and its
/// index in the process.
pub fn simulated(plan: Plan, extra: impl Fn(f64, usize) -> f64) -> RunBuilder {
    let mut run = RunBuilder::new((0..plan.cases).map(|i| case("s", &format!("case{i}"))).collect());
    let mut rng = Rng::new(plan.seed);
    let mut order: Vec<usize> = (0..plan.cases * plan.processes).map(|i| i % plan.cases).collect();
    rng.shuffle(&mut order);
    let run_s = order.len() as f64 * (plan.rounds as f64 * TURN_S + 0.005);
    let mut machine = Machine::new(plan.noise, run_s, rng.fork(1));
    let metrics = [metric("cpu", "ns"), metric("wait", "ns"), metric("preempted", "count")];
    for wave in order.chunks(plan.wave) {
        let alive: Vec<Process> = wave.iter().map(|_| machine.launch()).collect();
        let mut turns: Vec<Vec<Turn>> = vec![Vec::new(); wave.len()];
        for round in 0..plan.rounds {
            let mut places: Vec<usize> = (0..wave.len()).collect();
            rng.shuffle(&mut places);
            for place in places {
                let taken = machine.turn(&alive[place], 0.0);
                let more = extra(taken.at_s, round);
                turns[place].push(turn(
                    taken.typical + more,
                    taken.mean - taken.typical,
                    taken.at_s,
                    &mut rng,
                ));
            }
        }
        for (&case, turns) in wave.iter().zip(turns) {
            let process = run.process(0);
            run.visit(process, case as u32, &metrics, turns);
        }
        run.records.observations.push(Observation {
            load: Some(0.9),
            steal: Some(0.0),
            pressure: Some(0.01),
            busy_others: Some(0.01),
            spin_ns: vec![(0, 1.5 * (0.002 * rng.normal()).exp()), (1, 1.5 * (0.002 * rng.normal()).exp())],
            ..Observation::default()
        });
    }
    run
}

/// Returns a turn of 100 ns per iteration, multiplied by `exp(log)`. One batch also includes stolen time.
/// `stolen` is the logarithm of the ratio of mean to typical time.
fn turn(log: f64, stolen: f64, at_s: f64, rng: &mut Rng) -> Turn {
    let batch = 100.0 * ITERATIONS as f64 * log.exp();
    let mut times: Vec<u64> =
        (0..BATCHES).map(|_| (batch * (0.003 * rng.normal()).exp()).round() as u64).collect();
    let wait = (batch * BATCHES as f64 * stolen.exp_m1()).round();
    times[rng.below(BATCHES as u64) as usize] += wait as u64;
    let wall: u64 = times.iter().sum();
    Turn {
        at_ns: (at_s * 1e9) as u64,
        counters: vec![Some(wall as f64 - wait), Some(wait), Some(f64::from(u8::from(wait > 0.0)))],
        wall_ns: wall + 20_000,
        ..super::turn(Phase::Measured, ITERATIONS, times)
    }
}
