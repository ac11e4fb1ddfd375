//! Resolves names of runs: baselines, ids and their prefixes, `last` and `last~2`. Also creates new ids.

use crate::backend::{CaseKey, Rows, RunRef};
use crate::error::{ErrorKind, StoreError, Trouble};
use crate::recovery::status_of;
use derny_model::{Case, CaseId, RunHeader, RunId, RunStatus, problem};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Digits and letters without the easily confused `i l o u`.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Maximum number of runs listed in the error for an ambiguous name.
const NAMED: usize = 5;

/// Returns an id that no run and no baseline has. It has four characters, or more if most such ids are taken.
pub fn new_id(rows: &dyn Rows, seed: u64) -> Result<RunId, Trouble> {
    // Two engines may start with the same seed at the same time, so the process id is mixed in. A seed may
    // itself combine time and process id by exclusive or. Another exclusive or would cancel the id, so it is
    // multiplied and added.
    let mut state = seed.wrapping_add(u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for length in (4..).flat_map(|length| [length; 8]) {
        let mut bits = next(&mut state);
        let id: String = (0..length)
            .map(|_| {
                bits = bits.rotate_right(5);
                char::from(ALPHABET[(bits & 31) as usize])
            })
            .collect();
        if rows.with_id(&id)?.is_none() && rows.with_baseline(&id)?.is_none() {
            return Ok(id);
        }
    }
    unreachable!("the range of lengths is unbounded")
}

pub fn find(rows: &dyn Rows, name: &str) -> Result<RunRef, Trouble> {
    if let Some(run) = rows.with_baseline(name)? {
        return Ok(run);
    }
    if let Some(back) = steps_back(name) {
        return before_the_newest(rows, back)?.ok_or_else(|| unknown(rows, name).into());
    }
    if let Some(run) = rows.with_id(name)? {
        return Ok(run);
    }
    match &rows.starting_with(name, NAMED)?[..] {
        [run] if !name.is_empty() => Ok(run.clone()),
        [] | [_] => Err(unknown(rows, name).into()),
        several => Err(ambiguous(name, several).into()),
    }
}

/// Returns the run that was completely imported from a file with this hash, or merged from parts with this
/// hash, if it still exists.
pub fn made_of(rows: &dyn Rows, hash: &str) -> Result<Option<RunId>, Trouble> {
    for run in rows.newest(usize::MAX)? {
        let header = rows.header(run.key)?;
        let is_whole = matches!(header.status, RunStatus::Complete | RunStatus::Failed);
        let of_file = header.imported.filter(|from| is_whole && !from.hash.is_empty()).map(|from| from.hash);
        if of_file.or(header.merged.map(|merged| merged.hash)).is_some_and(|known| known == hash) {
            return Ok(Some(run.id));
        }
    }
    Ok(None)
}

/// Returns the run `back` steps before the newest. Counts imported runs only if the store has no others. A
/// file passed to `compare` is not a run of the project, and must not become `last`.
fn before_the_newest(rows: &dyn Rows, back: usize) -> Result<Option<RunRef>, Trouble> {
    let all = rows.newest(usize::MAX)?;
    let (mut own, mut has_own) = (0, false);
    for run in &all {
        if rows.header(run.key)?.imported.is_some() {
            continue;
        }
        if own == back {
            return Ok(Some(run.clone()));
        }
        (own, has_own) = (own + 1, true);
    }
    Ok(if has_own { None } else { all.into_iter().nth(back) })
}

/// Returns the newest run with complete visits, not counting runs that only checked (`--once`). Returns an
/// imported run only if no other run has complete visits.
pub fn last_measured(rows: &dyn Rows) -> Result<Option<RunId>, Trouble> {
    let mut imported = None;
    for run in rows.newest(usize::MAX)? {
        let header = rows.header(run.key)?;
        let is_own = header.imported.is_none();
        if header.settings.once || (!is_own && imported.is_some()) || rows.measured_cases(run.key)?.is_empty()
        {
            continue;
        }
        if is_own {
            return Ok(Some(run.id));
        }
        imported = Some(run.id);
    }
    Ok(imported)
}

/// Returns the names of the cases that the `runs` newest runs measured, without duplicates. If `harnesses` is
/// not empty, returns only the cases of these harnesses.
pub fn measured_names(rows: &dyn Rows, runs: usize, harnesses: &[&str]) -> Result<Vec<CaseId>, Trouble> {
    let (mut seen, mut names) = (HashSet::new(), Vec::new());
    for run in rows.newest(runs)? {
        for case in rows.measured_cases(run.key)? {
            if seen.insert(case) {
                let (id, harness) = rows.case(case)?;
                names.extend(
                    Some(id).filter(|_| harnesses.is_empty() || harnesses.contains(&harness.as_str())),
                );
            }
        }
    }
    Ok(names)
}

fn steps_back(name: &str) -> Option<usize> {
    match name.strip_prefix("last")? {
        "" => Some(0),
        steps => steps.strip_prefix('~')?.parse().ok(),
    }
}

/// Returns the newest run before `of`, on the same machine, that has complete visits of one of `cases` by a
/// harness of the same name. Skips runs that only checked (`--once`) and runs of several machines.
pub fn last_comparable(
    dir: &Path,
    rows: &dyn Rows,
    of: &RunHeader,
    cases: &[Case],
) -> Result<Option<RunId>, Trouble> {
    let wanted: HashSet<_> = cases.iter().map(|case| (&case.id, &case.harness)).collect();
    let mut known: HashMap<CaseKey, bool> = HashMap::new();
    let own = rows.with_id(&of.id)?;
    let is_before = |run: &RunRef| own.as_ref().is_none_or(|own| run.key < own.key);
    let Some(machine) = of.only_machine() else { return Ok(None) };
    for run in rows.newest(usize::MAX)?.into_iter().filter(is_before) {
        let header = rows.header(run.key)?;
        let own = header.only_machine();
        if own.is_none_or(|own| (&own.host, &own.cpu) != (&machine.host, &machine.cpu))
            || header.settings.once
            || status_of(dir, rows, header.status, &run.id)? == RunStatus::Running
        {
            continue;
        }
        for case in rows.measured_cases(run.key)? {
            let overlaps = match known.get(&case) {
                Some(&overlaps) => overlaps,
                None => {
                    let (id, harness) = rows.case(case)?;
                    *known.entry(case).or_insert(wanted.contains(&(&id, &harness)))
                }
            };
            if overlaps {
                return Ok(Some(run.id));
            }
        }
    }
    Ok(None)
}

/// Returns the next number of SplitMix64 (Steele, Lea, Flood 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub fn unknown(rows: &dyn Rows, name: &str) -> StoreError {
    let count = rows.newest(usize::MAX).map_or(0, |runs| runs.len());
    let why = match steps_back(name) {
        Some(_) => {
            format!("only {count} runs are stored, and imported ones count only if there are no others")
        }
        None => format!("no baseline has this name, and no id of the {count} stored runs starts with it"),
    };
    StoreError {
        kind: ErrorKind::Unknown,
        problem: problem!("there is no run `{name}`")
            .place("the store")
            .why(why)
            .remedy("choose one that `derny runs` or `derny runs baseline list` shows, or name a run with `derny run --save NAME`"),
    }
}

fn ambiguous(name: &str, several: &[RunRef]) -> StoreError {
    let ids: Vec<&str> = several.iter().map(|run| run.id.as_str()).collect();
    StoreError {
        kind: ErrorKind::Ambiguous,
        problem: problem!("`{name}` is ambiguous")
            .place("the store")
            .why(format_args!("it is a prefix of {}", ids.join(", ")))
            .remedy("use more characters of the id"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_counts_backwards_and_other_words_are_not_it() {
        assert_eq!(steps_back("last"), Some(0));
        assert_eq!(steps_back("last~12"), Some(12));
        assert_eq!(steps_back("lasting"), None);
        assert_eq!(steps_back("last~"), None);
        assert_eq!(steps_back("k3fz"), None);
    }
}
