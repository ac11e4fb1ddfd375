//! Digests of a shard's cases, which are stored in its part. A merge reads these instead of all turns
//! ([`derny_analysis::Digests`]).

use derny_analysis::Digest;
use derny_json::{FromJson, ToJson};
use derny_model::{CaseId, CaseResult, FleetPlan, Records};
use derny_store::Store;
use derny_workbench::error::Result;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Returns the keys in a part for the result of a case and the data of its pairs. `case` is the index of the
/// case in the part.
fn keys(case: u32) -> [String; 2] {
    [format!("concluded {case}"), format!("measured {case}")]
}

/// Stores the digests of the cases of the newest run. They use the plan's settings, as the later merge does.
/// If the plan has several shards, observations of this machine over time are omitted.
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

/// Returns a digest as bytes, or `None` if the bytes would not restore it. JSON cannot represent some
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

#[derive(Debug, Default)]
pub(crate) struct Places(HashMap<CaseId, Option<Place>>);

#[derive(Debug, Clone, Copy)]
struct Place {
    part: usize,
    case: u32,
    /// Offset that merging adds to the process numbers of the part.
    moved: u32,
}

impl Places {
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

    /// Adds the cases of a part. A case that several parts measured has no digest.
    pub(crate) fn add(&mut self, part: usize, cases: Vec<(u32, CaseId)>, moved: u32) {
        for (case, id) in cases {
            let place = Place { part, case, moved };
            self.0.entry(id).and_modify(|known| *known = None).or_insert(Some(place));
        }
    }

    pub(crate) fn digests(&self, parts: Vec<Mutex<Store>>, all: &Records) -> Digests {
        let places = all.cases.iter().map(|case| self.0.get(&case.id).copied().flatten()).collect();
        Digests { parts, places }
    }
}

/// The digests of a merged run.
pub struct Digests {
    parts: Vec<Mutex<Store>>,
    places: Vec<Option<Place>>,
}

impl std::fmt::Debug for Digests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "of {} parts", self.parts.len())
    }
}

impl Digests {
    /// Returns the data under the key `which` of [`keys`] from the part of a case, and the offset of the
    /// part's process numbers. Data that cannot be read counts as missing, because the turns contain the same
    /// information.
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
