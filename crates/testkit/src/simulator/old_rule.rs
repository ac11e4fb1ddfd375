//! The rule of before: typical and mean time both by signed ranks over pairs, a case that stops at its own verdict, and a step for
//! the family that takes verdicts back when nothing can be measured any more.
//!
//! Kept as it was, to be shown beside the rule of today.

use super::process::Process;
use derny_model::{Interval, Verdict};
use derny_stats::repeated::RepeatedP;
use derny_stats::{Looks, benjamini_hochberg, holm, location, signed_rank, student};

/// Under this many pairs Student's interval was used.
const ENOUGH: usize = 6;

/// The plan of a run, and the margin.
pub struct OldRule {
    looks: Looks,
    repeated: RepeatedP,
    margin: f64,
    alpha: f64,
}

/// What the pairs of a case have shown: logarithms of ratios.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Of typical time.
    pub typical: Vec<f64>,
    /// Of mean time.
    pub mean: Vec<f64>,
    /// A collector ran, or nobody could tell.
    pub collected: bool,
}

/// One statistic at one look.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// Its verdict by itself.
    pub verdict: Verdict,
    /// Interval of the logarithm.
    pub interval: Interval,
    /// Repeated p-value of no change.
    pub p: f64,
    /// The same of a change no worse than the margin.
    pub p_at_margin: f64,
}

/// How a case ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Pairs that were measured.
    pub pairs: usize,
    /// The verdict that stopped it.
    pub stopped: Verdict,
    /// Typical time.
    pub typical: Judged,
    /// Mean time.
    pub mean: Judged,
    /// The verdict that was reported.
    pub verdict: Verdict,
    collected: bool,
}

impl Seen {
    /// Takes a pair.
    pub fn add(&mut self, pair: &[Process; 2]) {
        let [base, new] = pair.each_ref().map(|process| process.replicate(0).rounds);
        self.typical.extend(base.ratio(&new));
        let [base, new] = pair.each_ref().map(|process| process.measured());
        self.mean.push(((new.0 / new.1) / (base.0 / base.1)).ln());
        self.collected |= pair.iter().any(Process::collected);
    }
}

impl OldRule {
    /// For at most `most` pairs.
    #[must_use]
    pub fn new(most: usize, margin: f64) -> Self {
        let looks = Looks::plan(most, 0.95);
        Self { repeated: RepeatedP::new(&looks), looks, margin, alpha: 0.05 }
    }

    /// Measures a case until its own verdict, or to the end of the plan.
    pub fn measure(&self, mut upto: impl FnMut(usize) -> Seen) -> Ended {
        let mut ended = None;
        for &n in &self.looks.counts {
            let seen = upto(n);
            let (typical, mean) = (self.judge(&seen.typical), self.judge(&seen.mean));
            let stopped = both(typical.verdict, mean.verdict, seen.collected);
            let (pairs, collected) = (n, seen.collected);
            ended = Some(Ended { pairs, stopped, typical, mean, verdict: stopped, collected });
            if stopped != Verdict::Unclear {
                break;
            }
        }
        ended.expect("a plan has a look")
    }

    /// Hodges–Lehmann with its interval by ranks, at the level of the look.
    #[must_use]
    pub fn judge(&self, logs: &[f64]) -> Judged {
        let n = logs.len();
        let alpha = self.looks.alpha_at(n).expect("a look of the plan");
        let interval = signed_rank::interval(logs, alpha).or_else(|| student::interval(logs, alpha));
        let interval = interval.expect("enough pairs");
        let shares = Interval { lo: interval.lo.exp_m1(), hi: interval.hi.exp_m1() };
        let repeated = |shift: f64| {
            let shifted: Vec<f64> = logs.iter().map(|log| log - shift).collect();
            self.repeated.at(n, nominal_p(&shifted)).unwrap_or(1.0)
        };
        Judged {
            verdict: Verdict::of(shares, self.margin),
            interval: Interval { lo: interval.lo, hi: interval.hi },
            p: repeated(0.0),
            p_at_margin: repeated(self.margin.ln_1p()),
        }
    }

    /// The step for the family: what chance alone may have brought is taken back.
    pub fn report(&self, cases: &mut [Ended]) {
        let q = |of: fn(&Ended) -> f64| benjamini_hochberg(&cases.iter().map(of).collect::<Vec<f64>>());
        let (typical, mean) = (q(|case| case.typical.p), q(|case| case.mean.p));
        for (case, (typical, mean)) in cases.iter_mut().zip(typical.into_iter().zip(mean)) {
            case.typical.verdict = demoted(case.typical.verdict, typical > self.alpha);
            case.mean.verdict = demoted(case.mean.verdict, mean > self.alpha);
            case.verdict = both(case.typical.verdict, case.mean.verdict, case.collected);
        }
    }

    /// Whether the gate fails: a change that is worse by more than the margin for certain.
    #[must_use]
    pub fn fails(&self, cases: &[Ended]) -> bool {
        let all: Vec<Judged> = cases.iter().flat_map(|case| [case.typical, case.mean]).collect();
        let adjusted = holm(&all.iter().map(|one| one.p_at_margin).collect::<Vec<f64>>());
        let beyond =
            |(one, holm): (&Judged, f64)| one.interval.lo > self.margin.ln_1p() && holm <= self.alpha;
        all.iter().zip(adjusted).any(beyond)
    }
}

fn nominal_p(values: &[f64]) -> f64 {
    let student = Some(student::p_value(values)).filter(|p| !p.is_nan());
    let student = student.unwrap_or(if values[0] == 0.0 { 1.0 } else { 0.0 });
    if values.len() < ENOUGH {
        return student;
    }
    let agree = values.iter().all(|value| *value > 0.0) || values.iter().all(|value| *value < 0.0);
    let ranks = signed_rank::p_value(values);
    // Student's took over where all pairs agree in sign.
    if agree { ranks.min(student) } else { ranks }
}

fn demoted(verdict: Verdict, by_chance: bool) -> Verdict {
    match verdict {
        Verdict::Better | Verdict::Worse if by_chance => Verdict::Unclear,
        Verdict::BetterWithinMargin | Verdict::WorseWithinMargin if by_chance => Verdict::Same,
        other => other,
    }
}

/// The verdict on a case from those on typical and on mean time.
fn both(typical: Verdict, mean: Verdict, collected: bool) -> Verdict {
    let kind = |verdict| match verdict {
        Verdict::Better => 0,
        Verdict::Worse => 2,
        Verdict::Unclear => 3,
        Verdict::Same | Verdict::BetterWithinMargin | Verdict::WorseWithinMargin => 1,
    };
    match (kind(typical), kind(mean)) {
        (same, other) if same == other => typical,
        (0, _) if mean == Verdict::BetterWithinMargin => typical,
        (2, _) if mean == Verdict::WorseWithinMargin => typical,
        (1, 3) if collected => Verdict::Unclear,
        (_, 3) => typical,
        (3, 2) => Verdict::Worse,
        (3, _) => typical,
        (before, other) if other > before => mean,
        _ => typical,
    }
}

/// The estimate that an interval belongs to.
#[must_use]
pub fn estimate(logs: &[f64]) -> f64 {
    location::hodges_lehmann(logs)
}
