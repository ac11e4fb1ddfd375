//! The digest of a case, from which a merge gets the result without reading turns again.
//!
//! A digest is valid if the merged run has the same visits, settings, clock cycle, and reason for ending.
//! Otherwise, the merge reads the turns. Both ways give bit-identical results.

use crate::compare::measured::Index;
use crate::diagnose::{self, OfCase};
use crate::parallel;
use crate::run::IndexedRun;
use derny_model::{Case, CaseId, CaseResult, Pack, Records};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Version of the encoding and the computation. Increment it if either changes.
const FORMAT: u32 = 3;

const GROUP: usize = 256;

/// The digest of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    /// Index of the case in the records.
    pub case: u32,
    /// Result of the case.
    pub result: CaseResult,
    /// Hash of all inputs, followed by the encoded results of the detectors.
    pub found: Vec<u8>,
    /// Encoded measurements, for pairing.
    pub measured: Vec<u8>,
}

/// The digests of a merged run. Methods return `None` for a case without a digest.
pub trait Digests: Sync {
    /// Returns `result` and `found` of a case, and the offset that merging added to process numbers.
    fn concluded(&self, case: u32) -> Option<(CaseResult, Vec<u8>, u32)>;

    /// Returns `measured` of a case, and the offset that merging added to process numbers.
    fn measured(&self, case: u32) -> Option<(Vec<u8>, u32)>;
}

/// Computes the digests of all measured cases, and passes them to `keep` in groups.
///
/// # Errors
///
/// Returns the first error of `keep`.
pub fn digests<E>(records: &Records, mut keep: impl FnMut(Vec<Digest>) -> Result<(), E>) -> Result<(), E> {
    let (run, index) = (IndexedRun::new(records), Index::new(records));
    let one = |case: usize| {
        let (result, found) = run.conclude(case);
        let mut bytes = Vec::new();
        rests_on(&run, case).pack(&mut bytes);
        found?.pack(&mut bytes);
        let mut measured = Vec::new();
        for variant in 0..records.header.variants.len() as u32 {
            index.measured(case, &records.cases[case], variant, None).pack(variant, &mut measured);
        }
        Some(Digest { case: case as u32, result, found: bytes, measured })
    };
    for first in (0..records.cases.len()).step_by(GROUP) {
        let count = GROUP.min(records.cases.len() - first);
        keep(parallel::map(count, |at| one(first + at)).into_iter().flatten().collect())?;
    }
    Ok(())
}

pub(crate) fn concluded(
    run: &IndexedRun<'_>,
    case: usize,
    digests: &dyn Digests,
) -> Option<(CaseResult, Option<OfCase>)> {
    let (mut result, bytes, moved) = digests.concluded(case as u32)?;
    let from = &mut bytes.as_slice();
    if u64::unpack(from)? != rests_on(run, case) {
        return None;
    }
    let found = OfCase::unpack(from, diagnose::is_part(run.records, case))?;
    // The digest may contain an old name: `--name-template` can change names after it was made.
    result.case = run.records.cases[case].clone();
    for time in result.variants.iter_mut().filter_map(|variant| variant.time.as_mut()) {
        time.processes.edit(|all| all.iter_mut().for_each(|own| own.process += moved));
    }
    Some((result, Some(found)))
}

/// Hashes all inputs of a case's result, except its visits and processes.
fn rests_on(run: &IndexedRun<'_>, case: usize) -> u64 {
    let IndexedRun { records, scope, visits, .. } = run;
    let header = &records.header;
    let machine = visits[case].first().and_then(|record| scope.processes.get(&record.visit.process));
    let machine = machine.and_then(|start| header.machines.get(start.machine? as usize));
    let facts = &machine.unwrap_or(&header.machine).facts;
    let nameless = CaseId { suite: String::new(), benchmark: String::new(), params: Vec::new() };
    let declared = Case { id: nameless, ..records.cases[case].clone() };
    let mut hash = DefaultHasher::new();
    (FORMAT, env!("CARGO_PKG_VERSION"), visits[case].len()).hash(&mut hash);
    let facts: Vec<_> = facts.iter().filter(|(name, _)| name.ends_with("-ns")).collect();
    let own = (run.ended[case], run.failed.contains(&(case as u32)), declared, facts);
    let shared = (&header.settings, &scope.variants, scope.cycle_ns, header.imported.is_some());
    format!("{own:?} {shared:?}").hash(&mut hash);
    hash.finish()
}
