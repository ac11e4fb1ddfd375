//! The geometric mean of a side's ratios over all cases.

use super::case::Compared;
use super::setting::Setting;
use derny_estimate::level::{Levels, finite};
use derny_estimate::machine::Between;
use derny_estimate::pair::{Pair, repeated};
use derny_model::{CaseId, Estimate, GeometricMean, Interval, Pairing, Quantity, StopReason};
use derny_stats::{Contrast, mean, variance};
use std::collections::BTreeMap;

/// Returns a row for every side other than the base that has at least two cases with a change of typical
/// time.
///
/// Cases that share processes also share the noise of each block. Their interval is computed from the blocks'
/// means over the cases. Other cases have independent errors, so their variances are added. Their interval
/// uses Satterthwaite's degrees of freedom and the strictest level of the cases. Between runs, all cases
/// share the state of the machine, so the interval allows for its drift.
pub(crate) fn means(compared: &[Compared], setting: &Setting) -> Vec<GeometricMean> {
    let mut sides: BTreeMap<u32, Vec<CaseChange>> = BTreeMap::new();
    for one in compared {
        for side in &one.sides {
            let mut changes = side.singles.iter().map(|single| &single.change);
            let typical = changes.find(|change| change.quantity == Quantity::Typical);
            if let Some((change, estimate)) = typical.and_then(|change| Some((change, change.change?))) {
                let row = CaseChange {
                    id: &one.case.id,
                    log: libm::log1p(estimate.value),
                    level: change.level,
                    ended: one.ended,
                    pairs: &side.pairs,
                    own: side.own,
                };
                sides.entry(side.side).or_default().push(row);
            }
        }
    }
    let rows = sides.into_iter().filter(|(_, rows)| rows.len() > 1);
    rows.map(|(side, rows)| GeometricMean {
        side,
        cases: rows.len() as u32,
        change: estimate(side, &rows, setting),
    })
    .collect()
}

struct CaseChange<'a> {
    id: &'a CaseId,
    log: f64,
    level: f64,
    ended: Option<StopReason>,
    pairs: &'a [Pair],
    own: Option<f64>,
}

fn estimate(side: u32, rows: &[CaseChange], setting: &Setting) -> Estimate {
    let centre = rows.iter().map(|row| row.log).sum::<f64>() / rows.len() as f64;
    let alpha = rows.iter().map(|row| row.level).fold(1.0, f64::min);
    let log = if setting.pairing == Pairing::Unpaired {
        Estimate { value: centre, interval: apart(side, rows, centre, setting) }
    } else if let Some(blocks) = by_block(rows) {
        let ended = rows[0].ended.filter(|_| rows.iter().all(|row| row.ended == rows[0].ended));
        by_blocks(&blocks, setting.levels.after(ended))
    } else {
        Estimate { value: centre, interval: independent(rows, centre, alpha) }
    };
    let interval = log.interval.map(|i| Interval { lo: libm::expm1(i.lo), hi: libm::expm1(i.hi) });
    Estimate { value: libm::expm1(log.value), interval }
}

fn by_blocks(blocks: &[f64], levels: &Levels) -> Estimate {
    if levels.is_anytime() { levels.any_time(blocks).0 } else { levels.robust(blocks) }
}

fn by_block(rows: &[CaseChange]) -> Option<Vec<f64>> {
    let first = rows[0].pairs;
    let same = |row: &CaseChange| {
        row.pairs.len() == first.len() && row.pairs.iter().zip(first).all(|(a, b)| a.block == b.block)
    };
    if first.len() < 2 || !rows.iter().all(same) {
        return None;
    }
    let of = |at: usize| mean(&rows.iter().map(|row| row.pairs[at].log).collect::<Vec<_>>());
    let together = |at: usize| Pair { log: of(at), ..first[at] };
    Some(repeated(&(0..first.len()).map(together).collect::<Vec<Pair>>()))
}

fn independent(rows: &[CaseChange], centre: f64, alpha: f64) -> Option<Interval> {
    let count = rows.len() as f64;
    let part = |row: &CaseChange| {
        let logs = repeated(row.pairs);
        let pairs = logs.len() as f64;
        (logs.len() > 1).then(|| (variance(&logs) / pairs / (count * count), pairs - 1.0))
    };
    let parts: Vec<(f64, f64)> = rows.iter().map(part).collect::<Option<_>>()?;
    finite(Contrast::of_independent(centre, parts).interval(alpha))
}

/// Returns the interval that remains after allowing for drift, or `None` if the drift is unknown. The cases
/// share the drift, while their own errors are independent.
fn apart(side: u32, rows: &[CaseChange], centre: f64, setting: &Setting) -> Option<Interval> {
    let alpha = 1.0 - setting.options.confidence;
    let seen = setting.machine[side as usize];
    let ids: Vec<&CaseId> = rows.iter().map(|row| row.id).collect();
    let least = setting.history.least_of_mean(&ids, seen.apart_ms, alpha);
    let Between::Known(drift) = seen.with(least, "ns") else { return None };
    let squares: Option<Vec<f64>> = rows.iter().map(|row| row.own.map(|own| own * own)).collect();
    let own = squares?.iter().sum::<f64>().sqrt() / rows.len() as f64;
    Some(drift.rest(centre, own, alpha))
}
