//! The results of a run: the comparisons, the composites and the decision. They depend only on the records
//! and the terms of the judgement, so that a stored run leads to the same decision.

use crate::composite;
use crate::rule::{self, Evidence, Failed, Ruling};
use derny_model::{Comparison, Failure, Ground, Parity, Records, Speedup};
use derny_workbench::Result;
use derny_workbench::config::gate::Terms;
use derny_workbench::results::compare::Sides;
use derny_workbench::results::source::Source;

/// Confidence of all intervals except those that decide whether to keep a candidate.
pub(crate) const USUAL: f64 = 0.95;

/// The results of a run of the best side so far, the candidate, and perhaps the base and an expert's
/// solution.
pub(crate) struct Found {
    pub records: Box<Records>,
    pub strict: Comparison,
    pub usual: Comparison,
    pub best: Option<Speedup>,
    pub base: Option<Speedup>,
    pub parity: Option<Parity>,
    pub ruling: Ruling,
}

impl Found {
    /// Analyses the records of a run. `level` is that of the test, and `parity` the share of an expert's
    /// speed to reach.
    pub fn of(records: Records, weights: &[(String, f64)], level: f64, parity: Option<f64>) -> Result<Found> {
        let failures = failures(&records);
        let usual_terms = Terms { confidence: Some(USUAL), ..Terms::of_run(&records.header.settings) };
        let strict_terms = Terms { confidence: Some(1.0 - 2.0 * level), ..usual_terms.clone() };
        let sides = Sides::variants(Source::Records(Box::new(records)))?;
        let (strict, usual) = (sides.compare(&strict_terms, false), sides.compare(&usual_terms, false));
        let evidence = Evidence { strict: &strict, usual: &usual, candidate: 1, weights, failures };
        let ruling = rule::decide(&evidence);
        let best = composite::composite(&usual, 1, weights);
        let against = |sides: Sides, name: &str| {
            let sides = sides.led_by(name);
            let comparison = sides.compare(&usual_terms, false);
            let place = comparison.sides.iter().position(|side| side.name == "candidate");
            let speedup = place.and_then(|place| composite::composite(&comparison, place as u32, weights));
            (sides, speedup)
        };
        let (sides, base) = against(sides, "base");
        let (sides, expert) = match parity {
            Some(_) => against(sides, "expert"),
            None => (sides, None),
        };
        let (Source::Records(records), _) = sides.into_newest() else { unreachable!("records stay records") };
        let parity = expert.zip(parity).map(|(against, share)| Parity {
            against,
            share,
            reached: match (against.low, against.high) {
                (Some(low), _) if low >= share => Some(true),
                (_, Some(high)) if high < share => Some(false),
                _ => None,
            },
        });
        Ok(Found { records, strict, usual, best, base, parity, ruling })
    }

    /// Returns the score: the lower bound of the speed-up against the base. Returns 1 if the speed-up is
    /// unclear or unknown, and 0 for an invalid candidate.
    pub fn score(&self, ruling: &Ruling) -> f64 {
        let is_valid = !matches!(
            ruling.ground,
            Ground::Build
                | Ground::Check
                | Ground::Failed
                | Ground::BenchmarkChanged
                | Ground::TooGood
                | Ground::Witness
        );
        match self.base {
            _ if !is_valid => 0.0,
            Some(Speedup { low: Some(low), high: Some(high), .. }) if low > 1.0 || high < 1.0 => low,
            _ => 1.0,
        }
    }

    pub fn notes(&self) -> Vec<String> {
        let warnings = self.usual.warnings.iter().map(|warning| warning.sentence());
        let new = self.usual.alone.iter().filter(|(side, _)| *side == 1);
        let new = new.map(|(_, name)| format!("only the candidate has `{name}`, so it is not compared"));
        warnings.chain(new).collect()
    }
}

/// Returns the failures of single cases.
fn failures(records: &Records) -> Vec<Failed> {
    let of = |failure: &Failure| {
        let case = records.cases.get(failure.case? as usize)?.id.name();
        let reason = failure.why.lines().next().unwrap_or_default();
        let why = format!("{} ({reason})", failure.what).replace(" ()", "");
        Some(Failed { case, side: failure.variant, why })
    };
    records.failures.iter().filter_map(of).collect()
}
