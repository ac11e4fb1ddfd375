//! Forecasts how much time would decide the unclear cases of a run whose time ran out.

use super::Input;
use derny_estimate::prospect;
use derny_model::{CaseId, ComparedCase, Pairing, Records, RunStatus, Settle, StopReason, Verdict};
use std::collections::HashMap;

/// The forecast time is multiplied by this factor, because the forecast number of pairs may be too low.
const RESERVE: f64 = 1.5;
const LEAST_NS: f64 = 5e9;

/// Returns the time needed to decide the cases that are unclear because time ran out, and the number of these
/// cases. Returns `None` if no case needs fewer pairs than the run's maximum, or if the run cannot be
/// resumed.
pub(super) fn settle(base: &Input, pairing: Pairing, cases: &[ComparedCase]) -> Option<Settle> {
    let records = base.records.filter(|_| pairing == Pairing::Paired)?;
    let header = &records.header;
    let can_resume =
        matches!(header.status, RunStatus::Complete | RunStatus::Partial) && header.merged.is_none();
    let took_ns = (header.ended_ms? - header.started_ms).max(0) as f64 * 1e6;
    let ended = ended(records);
    let pairs: u32 = cases.iter().map(pairs).sum();
    let (margin, most) = (header.settings.margin, header.settings.processes);
    let more = |case: &ComparedCase| {
        let is_out_of_time = ended.get(&case.case.id) == Some(&StopReason::Budget);
        is_out_of_time.then(|| missing(case, margin, most)).flatten()
    };
    let missing: Vec<u32> = cases.iter().filter_map(more).collect();
    let each_ns = took_ns / f64::from(pairs.max(1));
    let total_ns = (RESERVE * each_ns * f64::from(missing.iter().sum::<u32>())).max(LEAST_NS);
    (can_resume && !missing.is_empty()).then(|| Settle {
        run: header.id.clone(),
        total_ns: legible(total_ns),
        cases: missing.len() as u32,
    })
}

fn ended(records: &Records) -> HashMap<&CaseId, StopReason> {
    let of = |(case, reason): &(u32, StopReason)| Some((&records.cases.get(*case as usize)?.id, *reason));
    records.ended.iter().filter_map(of).collect()
}

fn pairs(case: &ComparedCase) -> u32 {
    let of_side =
        |side: &derny_model::ComparedSide| side.changes.iter().map(|change| change.replicates).max();
    case.sides.iter().filter_map(of_side).max().unwrap_or(0)
}

/// Returns the number of pairs that an unclear case still needs. `None` if it is clear, or needs more than
/// `most` pairs in total.
fn missing(case: &ComparedCase, margin: f64, most: u32) -> Option<u32> {
    let unclear = case.sides.iter().filter(|side| side.verdict == Verdict::Unclear);
    let needed = unclear.map(|side| prospect::needed(side, margin));
    let needed = needed.reduce(|one, other| Some(one?.max(other?)))??;
    (needed <= most).then(|| needed.saturating_sub(pairs(case)).max(1))
}

fn legible(ns: f64) -> u64 {
    const SECOND: f64 = 1e9;
    let step = match ns {
        ..2e10 => SECOND,
        ..1.2e11 => 10.0 * SECOND,
        _ => 60.0 * SECOND,
    };
    ((ns / step).ceil() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_up_to_what_is_easy_to_type() {
        let seconds = [4.2, 19.1, 21.0, 119.0, 121.0, 600.0].map(|s| legible(s * 1e9) / 1_000_000_000);
        assert_eq!(seconds, [5, 20, 30, 120, 180, 600]);
    }
}
