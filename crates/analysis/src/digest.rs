//! What a case came to, for whoever puts runs together: turns that were read where they were measured need not be read again.
//!
//! A digest stands for a case of which the later run has the same visits and no other, and for nothing but what it rests on: settings, why
//! the case ended, what the machine's clock costs. Where one of these differs there, the turns are read as ever. So what is concluded is
//! the same to the last bit with and without it.

use crate::compare::measured::Index;
use crate::diagnose::{self, OfCase};
use crate::parallel;
use crate::summarise::Run;
use derny_model::{Case, CaseId, CaseResult, Pack, Records};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Goes up when what is computed of turns, or its bytes, become others.
const FORMAT: u32 = 2;

/// Cases whose digests are made at once.
const GROUP: usize = 256;

/// What one case came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    /// Its number in the records.
    pub case: u32,
    /// What was concluded.
    pub result: CaseResult,
    /// What that rests on, and what was found beside it.
    pub found: Vec<u8>,
    /// What pairs are made of.
    pub measured: Vec<u8>,
}

/// Digests of a run that was put together. Each method gives none where there is none.
pub trait Digests: Sync {
    /// `result` and `found` of a case, and by how much the numbers of its processes are greater than they were.
    fn concluded(&self, case: u32) -> Option<(CaseResult, Vec<u8>, u32)>;

    /// `measured` of a case, and the same.
    fn measured(&self, case: u32) -> Option<(Vec<u8>, u32)>;
}

/// The digests of all cases that were measured, some at a time.
///
/// # Errors
/// The first of `keep`.
pub fn digests<E>(records: &Records, mut keep: impl FnMut(Vec<Digest>) -> Result<(), E>) -> Result<(), E> {
    let (run, index) = (Run::new(records), Index::new(records));
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

/// What a digest says of a case of the run, if it stands there.
pub(crate) fn concluded(
    run: &Run<'_>,
    case: usize,
    digests: &dyn Digests,
) -> Option<(CaseResult, Option<OfCase>)> {
    let (mut result, bytes, moved) = digests.concluded(case as u32)?;
    let from = &mut bytes.as_slice();
    if u64::unpack(from)? != rests_on(run, case) {
        return None;
    }
    let found = OfCase::unpack(from, diagnose::is_part(run.records, case))?;
    // Names may have become parameters.
    result.case = run.records.cases[case].clone();
    for time in result.variants.iter_mut().filter_map(|variant| variant.time.as_mut()) {
        time.processes.edit(|all| all.iter_mut().for_each(|own| own.process += moved));
    }
    Some((result, Some(found)))
}

/// All that conclusions about a case are made of beside its visits and processes, as a number.
fn rests_on(run: &Run<'_>, case: usize) -> u64 {
    let Run { records, scope, visits, .. } = run;
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
