//! Contention: the share of the machine that other programs, or other virtual machines on the host, took
//! during a run.
//!
//! Yardsticks run while nothing is measured, and only their fastest calls count. Contention can therefore
//! slow a program without slowing a yardstick. A program that gets the share `s` of the machine takes up to
//! `1 / s` times as long.

use derny_model::{Contention, Observation};

const MOST: f64 = 0.99;

/// Returns the contention of the busier half of a run, because a disturbance may affect only half of it.
/// Returns `None` without observations.
pub fn of_run(observations: &[Observation]) -> Option<Contention> {
    let mut since = 0;
    let mut seen: Vec<(f64, Contention)> = Vec::new();
    for one in observations {
        let (Some(steal), Some(others)) = (one.steal, one.busy_others) else { continue };
        let span = one.at_ns.saturating_sub(since).max(1) as f64;
        since = one.at_ns;
        seen.push((span, Contention { steal, others, load: one.load }));
    }
    seen.sort_by(|one, other| taken(&other.1).total_cmp(&taken(&one.1)));
    let mut left = seen.iter().map(|(span, _)| span).sum::<f64>() / 2.0;
    let mut half = Vec::new();
    for (span, one) in seen {
        half.push((span.min(left), one));
        left -= span;
        if left <= 0.0 {
            break;
        }
    }
    let mean = |of: fn(&Contention) -> Option<f64>| {
        let known = || half.iter().filter_map(|(span, one)| Some((span, of(one)?)));
        let whole = known().map(|(span, _)| span).sum::<f64>();
        (whole > 0.0).then(|| known().map(|(span, value)| span * value).sum::<f64>() / whole)
    };
    Some(Contention {
        steal: mean(|one| Some(one.steal))?,
        others: mean(|one| Some(one.others))?,
        load: mean(|one| one.load),
    })
}

/// Returns the share of processor time that others took.
pub fn taken(contention: &Contention) -> f64 {
    (contention.steal + contention.others).clamp(0.0, 1.0)
}

/// Returns the logarithm of the largest slowdown that the contention explains.
pub fn slowdown(contention: &Contention) -> f64 {
    -libm::log1p(-taken(contention).min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(at_ns: u64, steal: f64, others: f64) -> Observation {
        Observation {
            at_ns,
            steal: Some(steal),
            busy_others: Some(others),
            load: Some(1.0),
            ..Observation::default()
        }
    }

    #[test]
    fn the_busier_half_of_the_time_counts() {
        let of = |all: &[Observation]| taken(&of_run(all).unwrap());
        let quiet: Vec<Observation> = (1..=10).map(|at| seen(10 * at, 0.0, 0.02)).collect();
        assert!((of(&quiet) - 0.02).abs() < 1e-12);
        // The machine is busy for half of the run.
        let half: Vec<Observation> =
            (1..=10).map(|at| seen(10 * at, 0.1, if at % 2 == 0 { 0.6 } else { 0.0 })).collect();
        assert!((of(&half) - 0.7).abs() < 1e-12);
        let moment = [seen(95, 0.0, 0.0), seen(100, 0.0, 1.0)];
        assert!((of(&moment) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn what_was_not_observed_is_not_known() {
        assert_eq!(of_run(&[]), None);
        let blind = Observation { at_ns: 5, load: Some(0.1), ..Observation::default() };
        assert_eq!(of_run(std::slice::from_ref(&blind)), None);
        // A yardstick reading says nothing about contention.
        assert!(of_run(&[blind, seen(20, 0.0, 0.5)]).is_some());
    }

    #[test]
    fn what_is_taken_makes_a_program_slower_by_its_share() {
        let of = |steal, others| slowdown(&Contention { steal, others, load: None });
        assert_eq!(of(0.0, 0.0), 0.0);
        assert!((of(0.25, 0.25) - 2.0_f64.ln()).abs() < 1e-12);
        assert!((of(1.0, 1.0) - 100.0_f64.ln()).abs() < 1e-9, "a bound stays finite");
    }
}
