//! Results of a shard's cases, kept in its part: a merge reads these instead of all turns
//! ([`derny_analysis::Digests`]).

use derny_analysis::Digest;
use derny_json::{FromJson, ToJson};
use derny_model::{CaseId, CaseResult, FleetPlan, Records};
use derny_store::Store;
use derny_workbench::error::Result;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Returns the keys under which a part keeps the conclusion of a case and the data of its pairs. `case` is
/// the number of the case in the part.
fn keys(case: u32) -> [String; 2] {
    [format!("concluded {case}"), format!("measured {case}")]
}

/// Keeps the results of the newest run's cases, under the terms of the later merge: the plan's settings, and
/// no result over time of one machine if there are several.
///
/// # Errors
/// Fails if the store fails.
pub fn digest(store: &Store, plan: &FleetPlan) -> Result<()> {
    let mut records = store.load("last")?;
    records.header.settings = plan.settings.clone();
    if plan.shards.len() > 1 {
        records.observations.clear();
    }
    derny_analysis::digests(&records, |some| {
        let pieces: Vec<(String, Vec<u8>)> = some.into_iter().filter_map(pieces).flatten().collect();
        store.set_pieces(&pieces)
    })?;
    Ok(())
}

/// Returns a digest as bytes; None if they would not restore it, for example because JSON lacks one of its
/// numbers.
fn pieces(digest: Digest) -> Option<[(String, Vec<u8>); 2]> {
    let Digest { case, result, found, measured } = digest;
    let text = result.to_json().ok()?;
    if CaseResult::from_json(&text).ok()? != result {
        return None;
    }
    let mut concluded = (found.len() as u32).to_le_bytes().to_vec();
    concluded.extend(found);
    concluded.extend(text.into_bytes());
    let [one, other] = keys(case);
    Some([(one, concluded), (other, measured)])
}

/// The location of a merged run's cases in its parts.
#[derive(Debug, Default)]
pub(crate) struct Places(HashMap<CaseId, Option<Place>>);

/// A case of a part.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Index among the used parts.
    part: usize,
    /// Its number there.
    case: u32,
    /// The amount by which the numbers of its processes are larger here.
    moved: u32,
}

impl Places {
    /// Returns the cases that a part has visits of, with their numbers there.
    pub(crate) fn of(part: &Records) -> Vec<(u32, CaseId)> {
        let mut measured = vec![false; part.cases.len()];
        part.visits.iter().for_each(|record| {
            if let Some(own) = measured.get_mut(record.visit.case as usize) {
                *own = true;
            }
        });
        let own = (0..).zip(&part.cases).zip(measured).filter(|(_, measured)| *measured);
        own.map(|((number, case), _)| (number, case.id.clone())).collect()
    }

    /// Adds the cases of a part. A case that two parts share no longer has the result of either.
    pub(crate) fn add(&mut self, part: usize, cases: Vec<(u32, CaseId)>, moved: u32) {
        for (case, id) in cases {
            let place = Place { part, case, moved };
            self.0.entry(id).and_modify(|known| *known = None).or_insert(Some(place));
        }
    }

    /// Returns the digests, with access to the parts.
    pub(crate) fn digests(&self, parts: Vec<Mutex<Store>>, all: &Records) -> Digests {
        let places = all.cases.iter().map(|case| self.0.get(&case.id).copied().flatten()).collect();
        Digests { parts, places }
    }
}

/// The digests of merged parts.
pub struct Digests {
    parts: Vec<Mutex<Store>>,
    /// Parallel to the cases of the merged run.
    places: Vec<Option<Place>>,
}

impl std::fmt::Debug for Digests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "of {} parts", self.parts.len())
    }
}

impl Digests {
    /// Returns a piece of a case's part. One that cannot be read counts as absent: the turns contain the same
    /// data.
    fn piece(&self, case: u32, which: usize) -> Option<(Vec<u8>, u32)> {
        let Place { part, case, moved } = (*self.places.get(case as usize)?)?;
        let store = self.parts.get(part)?.lock().unwrap_or_else(PoisonError::into_inner);
        Some((store.piece(&keys(case)[which]).ok()??, moved))
    }
}

impl derny_analysis::Digests for Digests {
    fn concluded(&self, case: u32) -> Option<(CaseResult, Vec<u8>, u32)> {
        let (mut bytes, moved) = self.piece(case, 0)?;
        let (length, rest) = bytes.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let result = CaseResult::from_json(str::from_utf8(rest.get(length..)?).ok()?).ok()?;
        bytes.truncate(4 + length);
        bytes.drain(..4);
        Some((result, bytes, moved))
    }

    fn measured(&self, case: u32) -> Option<(Vec<u8>, u32)> {
        self.piece(case, 1)
    }
}
