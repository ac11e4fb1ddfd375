//! Tests the error of a wave's first look if obvious differences get no additional rounds.

use super::trial::MARGIN;
use derny_estimate::rounds::is_plain;
use derny_stats::looks::LEAST_OF_A_WAVE;
use derny_stats::plan::rounds_by_pilot;
use derny_stats::{Looks, Rng, median, rank_sum};

const ROUNDS: usize = 6;
const MOST_ROUNDS: usize = 20;
const PROCESSES: [f64; 4] = [0.0, 0.003, 0.01, 0.03];
const TURNS: [f64; 4] = [0.003, 0.01, 0.03, 0.1];

struct Process(Vec<f64>);

impl Process {
    fn launch(rng: &mut Rng, process: f64, turn: f64) -> Process {
        let level = process * rng.normal();
        Process((0..MOST_ROUNDS).map(|_| level + turn * rng.normal()).collect())
    }

    fn value(&self, rounds: usize) -> f64 {
        median(&self.0[..rounds])
    }

    fn ratios(&self, other: &Process, rounds: usize) -> Vec<f64> {
        self.0.iter().zip(&other.0).take(rounds).map(|(base, new)| new - base).collect()
    }
}

/// Returns whether the first look finds a difference between equal programs: first with additional rounds for
/// every pair, then without them for obvious differences.
fn finds(rng: &mut Rng, (process, turn): (f64, f64), alpha: f64) -> [bool; 2] {
    let mut wave = || (0..LEAST_OF_A_WAVE).map(|_| Process::launch(rng, process, turn)).collect();
    let [base, new]: [Vec<Process>; 2] = [wave(), wave()];
    let pairs = || base.iter().zip(&new);
    let ratios: Vec<Vec<f64>> = pairs().map(|(base, new)| base.ratios(new, ROUNDS)).collect();
    let middles: Vec<f64> = ratios.iter().map(|own| median(own)).collect();
    let noise: Vec<f64> = ratios
        .iter()
        .zip(&middles)
        .flat_map(|(own, middle)| own.iter().map(move |log| log - middle))
        .collect();
    let wanted = (rounds_by_pilot(&noise, MARGIN, MOST_ROUNDS as u32) as usize).max(ROUNDS);
    let found = |rounds: usize| {
        let values = |side: &[Process]| side.iter().map(|one| one.value(rounds)).collect::<Vec<f64>>();
        rank_sum::p_value(&values(&base), &values(&new)) <= alpha
    };
    [found(wanted), found(if is_plain(&middles, MARGIN) { ROUNDS } else { wanted })]
}

#[test]
fn no_rounds_are_added_to_a_plain_difference() {
    let runs = 20_000;
    let looks = Looks::of_waves(40, 0.95);
    assert_eq!(looks.counts[0], LEAST_OF_A_WAVE);
    for process in PROCESSES {
        for turn in TURNS {
            let mut rng = Rng::new(7);
            let mut found = [0.0; 2];
            for _ in 0..runs {
                for (sum, is_found) in found.iter_mut().zip(finds(&mut rng, (process, turn), looks.alphas[0]))
                {
                    *sum += f64::from(u8::from(is_found)) / f64::from(runs);
                }
            }
            let [always, plain] = found;
            let luck = 3.0 * (looks.alphas[0] / f64::from(runs)).sqrt();
            assert!(plain <= looks.alphas[0] + luck, "{process} {turn}: {plain}, {always} with more rounds");
        }
    }
}
