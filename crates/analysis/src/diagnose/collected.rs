//! Warns of events within turns, according to the counters at the end of turns.

use super::counted;
use super::view::{CaseView, Detected, percent};
use derny_estimate::turn;
use derny_model::{Phase, Turn, VisitRecord};
use derny_stats::location::median;

/// Share of turns with a collection or compilation that triggers a warning.
const TURNS: f64 = 0.1;
/// Share of the measured time spent in these events that triggers a warning.
const TIME: f64 = 0.05;
/// Gap between mean and typical time that triggers a warning.
const GAP: f64 = 0.05;
/// The warning about collections mentions gaps from this size.
const MENTIONED: f64 = 0.01;
/// Minimum number of turns for a warning with a percentage.
const LEAST: usize = 10;

/// The share of measured turns in which a counter rose, and the share of time that a time counter reports.
struct Hits {
    turns: f64,
    time: Option<f64>,
}

impl Hits {
    fn are_many(&self) -> bool {
        self.turns > TURNS || self.time.is_some_and(|time| time > TIME)
    }

    fn severity(&self) -> f64 {
        self.turns.max(self.time.unwrap_or(0.0))
    }
}

fn hits(view: &CaseView, counts: &[&str], time: &str) -> Option<Hits> {
    let (mut all, mut hit, mut taken, mut timed) = (0_usize, 0_usize, 0.0, 0.0);
    let (mut known, mut told) = (false, false);
    for record in view.visits {
        let place = |name: &str| record.visit.metrics.iter().position(|metric| metric.name == name);
        let counts: Vec<usize> = counts.iter().filter_map(|name| place(name)).collect();
        let time = place(time).filter(|at| record.visit.metrics[*at].unit == "ns");
        known |= !counts.is_empty() || time.is_some();
        told |= time.is_some();
        for turn in record.turns.iter().filter(|turn| turn.phase == Phase::Measured) {
            let value = |at: &usize| turn.counters.get(*at).copied().flatten().unwrap_or(0.0);
            all += 1;
            hit += usize::from(counts.iter().any(|at| value(at) > 0.0));
            taken += time.as_ref().map_or(0.0, value);
            timed += total(turn);
        }
    }
    let time = (told && timed > 0.0).then(|| taken / timed);
    (known && all >= LEAST).then(|| Hits { turns: hit as f64 / all as f64, time })
}

pub(super) fn share_with(view: &CaseView, count: &str) -> Option<f64> {
    hits(view, &[count], "").map(|hits| hits.turns)
}

fn total(turn: &Turn) -> f64 {
    turn.times_ns.iter().sum::<u64>() as f64
}

fn apart(view: &CaseView) -> f64 {
    let times = view.result.variants.iter().filter_map(|variant| variant.time.as_ref());
    let gaps = times.filter(|time| time.typical.value > 0.0);
    gaps.map(|time| time.mean.value / time.typical.value - 1.0).fold(0.0, f64::max)
}

/// Returns true if collections explain most of the gap between mean and typical time. Uses the time of
/// collections if it is counted, and otherwise their turns.
fn accounts_for(view: &CaseView, hits: &Hits, gap: f64) -> bool {
    match hits.time {
        Some(time) => time / (1.0 - time).max(f64::MIN_POSITIVE) >= gap / 2.0,
        None => 2.0 * beyond_typical(view, true) >= beyond_typical(view, false),
    }
}

/// Returns the time in ns by which measured turns exceed typical time. With `collecting`, only turns with a
/// collection and without a preemption count.
fn beyond_typical(view: &CaseView, collecting: bool) -> f64 {
    let times = view.result.variants.iter().filter_map(|variant| variant.time.as_ref());
    let Some(typical) = times.map(|time| time.typical.value).reduce(f64::max) else { return 0.0 };
    let of = |record: &&VisitRecord| {
        let case = &view.result.case;
        let (collected, preempted) = (counted::collected(record, case), counted::preempted(record, case));
        let turns = record.turns.iter().zip(collected.into_iter().zip(preempted));
        let measured = turns.filter(|(turn, (collected, preempted))| {
            turn.phase == Phase::Measured && (!collecting || (*collected && !*preempted))
        });
        let beyond = measured.map(|(turn, _)| {
            let (time, operations) = turn::totals(turn, case.ops);
            (time - typical * operations).max(0.0)
        });
        beyond.sum::<f64>()
    };
    view.visits.iter().map(of).sum()
}

pub(super) fn collections(view: &CaseView) -> Option<Detected> {
    let hits = hits(view, &["gc"], "gc_time").filter(Hits::are_many)?;
    let time = hits.time.map_or(String::new(), |time| format!(", {} of the time", percent(time)));
    let gap = apart(view);
    let mean = match gap >= MENTIONED && accounts_for(view, &hits, gap) {
        true => format!("; mean time is {} above typical", percent(gap)),
        false => String::new(),
    };
    Some(Detected {
        message: format!("collects garbage in {} of its turns{time}{mean}", percent(hits.turns)),
        remedy: "look at the mean time too: it includes the collections".to_owned(),
        severity: hits.severity(),
    })
}

pub(super) fn compilation(view: &CaseView) -> Option<Detected> {
    let hits = hits(view, &["compiled", "classes"], "compile_time");
    let hits = hits.filter(Hits::are_many)?;
    Some(Detected {
        message: format!("compiles or loads code in {} of its measured turns", percent(hits.turns)),
        remedy: "use a longer warm-up, such as --set warmup=10s, or `--set reject=compile,classload`"
            .to_owned(),
        severity: hits.severity(),
    })
}

/// Warns if the total time of most processes exceeds that of their typical turns, and no counter explains it.
/// Compares each process with itself on each processor, because processors may differ in speed. A single
/// pause of the machine affects only one process.
pub(super) fn gap(view: &CaseView) -> Option<Detected> {
    let turns: usize = view.series.iter().map(|one| one.residuals.len()).sum();
    let gaps: Vec<f64> = view.series.iter().map(|one| one.excess).filter(|gap| gap.is_finite()).collect();
    if turns < LEAST || gaps.is_empty() {
        return None;
    }
    let gap = median(&gaps);
    (gap > GAP).then(|| Detected {
        message: format!("has a mean time {} above its typical time", percent(gap)),
        remedy: "look for the cause in `derny report`, such as a growing buffer, pauses or other programs"
            .to_owned(),
        severity: gap,
    })
}

pub(super) fn evaluated(view: &CaseView) -> Option<Detected> {
    let hits = hits(view, &["evaluated"], "").filter(|hits| hits.turns > 0.0)?;
    Some(Detected {
        message: format!("was evaluated, not compiled, in {} of its turns", percent(hits.turns)),
        remedy: "compile it as in production: interpreted code is many times slower".to_owned(),
        severity: hits.turns,
    })
}
