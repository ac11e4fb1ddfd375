//! The request to measure two commits, which the caller of this crate fulfils.

use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Estimate, Interval, Problem};
use derny_workbench::config::gate::FailOn;
use derny_workbench::pipeline::Concluded;
use derny_workbench::{Outcome, Result};

/// A request to measure two commits together.
pub struct Request<'a> {
    /// The base and the other commit, in the form of `-x`.
    pub sides: [String; 2],
    /// Names of the cases. `None` for those of the command line.
    pub patterns: Option<Vec<String>>,
    /// Confidence level of the intervals. `None` for that of the settings.
    pub confidence: Option<f64>,
    /// Margin of the verdict, as a share.
    pub margin: f64,
    /// Verdicts that fail the gate. If there are any, the caller measures until it is certain whether the
    /// second side is worse than the first by more than the margin. Otherwise, any verdict suffices.
    pub fail_on: Vec<FailOn>,
    /// Factor by which the usual time is multiplied.
    pub effort: u32,
    /// A note to store with the run.
    pub note: String,
    /// Receives the cases when both sides are built. Fails if they are not those to measure.
    pub before: &'a mut dyn FnMut(&Catalogue) -> Result<()>,
}

/// The result of a request.
pub enum Measured {
    /// The sides were measured.
    Done(Box<Concluded>),
    /// Nothing was measured. The reason was not reported yet.
    Nothing(Problem),
    /// Nothing was measured, and the reason was reported.
    Early(Outcome),
}

/// Function that measures two commits.
pub type Measure<'a> = dyn FnMut(&mut Request<'_>) -> Result<Measured> + 'a;

/// The question that a measurement should answer, in the form that a gate can decide.
#[derive(Debug, Clone, Copy)]
pub struct Posed {
    /// True if the new commit is the base, and the old one the other side.
    pub is_swapped: bool,
    /// Margin of the verdict, as a share.
    pub margin: f64,
    gate: bool,
}

impl Posed {
    /// Returns the question whether a change exceeds `threshold`. Without a threshold, any verdict with this
    /// margin suffices. A gate only decides whether a side is worse by more than a margin. For an
    /// improvement, the question is therefore whether the old commit is worse than the new one.
    pub fn of(threshold: Option<f64>, margin: f64) -> Posed {
        match threshold.filter(|threshold| threshold.is_finite() && *threshold > -1.0) {
            None => Posed { is_swapped: false, margin, gate: false },
            Some(threshold) => {
                let is_swapped = threshold < 0.0;
                let worse = if is_swapped { (1.0 + threshold).recip() - 1.0 } else { threshold };
                Posed { is_swapped, margin: worse.clamp(0.000_5, 0.9), gate: true }
            }
        }
    }

    /// Returns the verdicts that fail, for a request.
    pub fn fail_on(self) -> Vec<FailOn> {
        if self.gate { vec![FailOn::Worse, FailOn::Unclear] } else { Vec::new() }
    }
}

/// Returns the change from the second side to the first.
pub fn inverse(change: &Estimate) -> Estimate {
    let of = |share: f64| (1.0 + share).recip() - 1.0;
    let interval = change.interval.filter(|own| own.lo > -1.0);
    let interval = interval.map(|Interval { lo, hi }| Interval { lo: of(hi), hi: of(lo) });
    Estimate { value: of(change.value), interval }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posed(threshold: Option<f64>) -> (bool, bool, f64) {
        let Posed { is_swapped, gate, margin } = Posed::of(threshold, 0.01);
        (is_swapped, gate, margin)
    }

    #[test]
    fn an_improvement_is_measured_the_other_way_round() {
        assert_eq!(posed(Some(0.05)), (false, true, 0.05));
        let (is_swapped, gate, margin) = posed(Some(-0.2));
        assert!(is_swapped && gate && (margin - 0.25).abs() < 1e-12);
        assert_eq!(posed(None), (false, false, 0.01));
        assert_eq!(posed(Some(7.0)), (false, true, 0.9));
    }

    #[test]
    fn the_inverse_of_a_change_has_the_ends_of_its_interval_swapped() {
        let change = Estimate { value: 0.25, interval: Some(Interval { lo: 0.0, hi: 1.0 }) };
        let back = inverse(&change);
        assert!((back.value + 0.2).abs() < 1e-12);
        assert_eq!(back.interval, Some(Interval { lo: -0.5, hi: 0.0 }));
        assert!((inverse(&back).value - 0.25).abs() < 1e-12);
    }
}
