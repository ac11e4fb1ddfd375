//! The rule of before: typical and mean time both by signed ranks over pairs, a case that stops at its own verdict, and a step for
//! the family that takes verdicts back when nothing can be measured any more.
//!
//! Kept as it was, to be shown beside the rule of today.

use super::outcome::{Outcome, Outcomes, Statistic};
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
#[derive(Default)]
struct Seen {
    typical: Vec<f64>,
    mean: Vec<f64>,
    /// A collector ran, or nobody could tell.
    collected: bool,
}

/// One statistic at one look.
#[derive(Clone, Copy)]
struct Judged {
    /// Its verdict by itself.
    verdict: Verdict,
    /// Interval of the logarithm.
    interval: Interval,
    /// Repeated p-value of no change.
    p: f64,
    /// The same of a change no worse than the margin.
    p_at_margin: f64,
}

/// A case that is measured no more.
struct Ended {
    pairs: usize,
    /// The verdict that stopped it.
    stopped: Verdict,
    typical: Judged,
    mean: Judged,
    collected: bool,
}

impl Seen {
    fn add(&mut self, pair: &[Process; 2]) {
        let [base, new] = pair.each_ref().map(Process::logs);
        let ratios: Vec<f64> = base.iter().zip(&new).map(|(base, new)| new - base).collect();
        self.typical.push(location::median(&ratios));
        let [base, new] = pair.each_ref().map(Process::measured);
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

    /// Plays a run: every case is measured until its own verdict, or to the end of the plan, or to `most` pairs, when its time is over.
    pub fn play(&self, cases: &mut [impl FnMut() -> [Process; 2]], most: usize) -> Outcomes {
        let ended: Vec<Ended> = cases.iter_mut().map(|next| self.measure(next, most)).collect();
        self.report(&ended)
    }

    /// Measures a case until its own verdict.
    fn measure(&self, next: &mut impl FnMut() -> [Process; 2], most: usize) -> Ended {
        let mut seen = Seen::default();
        let mut taken = 0;
        loop {
            let planned = self.looks.counts.iter().copied().find(|&n| n > taken).unwrap_or(most);
            let n = planned.min(most);
            (taken..n).for_each(|_| seen.add(&next()));
            let over = n == most && n < self.looks.max;
            let (typical, mean) = (self.judge(&seen.typical, over), self.judge(&seen.mean, over));
            let stopped = both(typical.verdict, mean.verdict, seen.collected);
            if stopped != Verdict::Unclear || n == most || n == self.looks.max {
                return Ended { pairs: n, stopped, typical, mean, collected: seen.collected };
            }
            taken = n;
        }
    }

    /// Hodges–Lehmann with its interval by ranks, at the level of the look.
    fn judge(&self, logs: &[f64], over: bool) -> Judged {
        let n = logs.len();
        let ended = over.then(|| self.looks.taken(&self.looks.until(n), true));
        let looks = ended.as_ref().unwrap_or(&self.looks);
        let alpha = looks.alpha_at(n).expect("a look of the plan");
        let table = ended.as_ref().map(RepeatedP::new);
        let table = table.as_ref().unwrap_or(&self.repeated);
        let interval = signed_rank::interval(logs, alpha).or_else(|| student::interval(logs, alpha));
        let interval = interval.expect("enough pairs");
        let shares = Interval { lo: interval.lo.exp_m1(), hi: interval.hi.exp_m1() };
        let repeated = |shift: f64| {
            let shifted: Vec<f64> = logs.iter().map(|log| log - shift).collect();
            table.at(n, nominal_p(&shifted)).unwrap_or(1.0)
        };
        Judged {
            verdict: Verdict::of(shares, self.margin),
            interval: Interval { lo: interval.lo, hi: interval.hi },
            p: repeated(0.0),
            p_at_margin: repeated(self.margin.ln_1p()),
        }
    }

    /// The step for the family: what chance alone may have brought is taken back.
    fn report(&self, cases: &[Ended]) -> Outcomes {
        let q = |of: fn(&Ended) -> f64| benjamini_hochberg(&cases.iter().map(of).collect::<Vec<f64>>());
        let (typical, mean) = (q(|case| case.typical.p), q(|case| case.mean.p));
        let fails = self.fails(cases);
        let outcomes: Vec<Outcome> = (cases.iter().zip(typical.into_iter().zip(mean)))
            .map(|(case, (q_typical, q_mean))| {
                let typical = case.typical.reported(q_typical > self.alpha);
                let mean = case.mean.reported(q_mean > self.alpha);
                let verdict = both(typical.verdict, mean.verdict, case.collected);
                let taken_back = case.stopped != Verdict::Unclear && verdict == Verdict::Unclear;
                Outcome { pairs: case.pairs, verdict, typical, mean, taken_back }
            })
            .collect();
        let undecided = outcomes.iter().any(|one| one.verdict == Verdict::Unclear);
        Outcomes { gate: (fails, !fails && undecided), cases: outcomes }
    }

    /// Whether the gate fails: a change that is worse by more than the margin for certain.
    fn fails(&self, cases: &[Ended]) -> bool {
        let all: Vec<Judged> = cases.iter().flat_map(|case| [case.typical, case.mean]).collect();
        let p: Vec<f64> = all.iter().map(|one| one.p_at_margin).collect();
        let adjusted = holm(&p, &vec![1.0; p.len()], 0.0);
        let beyond =
            |(one, holm): (&Judged, f64)| one.interval.lo > self.margin.ln_1p() && holm <= self.alpha;
        all.iter().zip(adjusted).any(beyond)
    }
}

impl Judged {
    fn reported(self, by_chance: bool) -> Statistic {
        Statistic { verdict: demoted(self.verdict, by_chance), reason: None, interval: Some(self.interval) }
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
