//! Kept programs: copies of the programs that baselines were measured with. Derny uses them to measure a
//! baseline again after the sources have changed.
//!
//! A kept program is a file in the store's folder `kept`, named after the hash of its content. The headers
//! of the baselines' runs ([`derny_model::Built`]) record which programs they need.

use crate::config::units;
use crate::error::{Doing, Result};
use crate::notice::Notice;
use crate::project::session::Session;
use derny_engine::launch::binary;
use derny_model::{Program, RunHeader, RunId, problem};
use derny_store::Store;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the folder for kept programs, in the folder of the store.
const KEPT: &str = "kept";
/// Default limit of the total size of kept programs, in bytes. `kept-programs` of derny.toml changes it.
const LIMIT: u64 = 512 << 20;

/// Points a baseline at a run and keeps the programs that the run was measured with. The notices report
/// programs that could not be kept, and those removed to make room.
///
/// # Errors
/// Fails if the store fails, or if `kept-programs` is not a size.
pub fn set_baseline(session: &Session, store: &Store, name: &str, run: &str) -> Result<(RunId, Vec<Notice>)> {
    let limit = limit(session)?;
    let id = store.set_baseline(name, run)?;
    let header = store.summary(&id)?.header;
    let mut notices: Vec<Notice> = Vec::new();
    if let Err(why) = keep(session, &header, limit) {
        notices.push(Notice::NotKept { baseline: name.to_owned(), why });
    }
    notices.extend(sweep(session, store)?);
    Ok((id, notices))
}

/// Removes the programs that no baseline needs any more, and then the oldest ones until the rest is within
/// the limit.
///
/// # Errors
/// Fails if the store fails, if `kept-programs` is not a size, or if a program cannot be removed.
pub fn sweep(session: &Session, store: &Store) -> Result<Vec<Notice>> {
    let limit = limit(session)?;
    let mut notices = Vec::new();
    let mut baselines = Vec::new();
    for baseline in store.baselines()? {
        let header = store.summary(&baseline.run)?.header;
        baselines.push((header.started_ms, baseline.name, header));
    }
    baselines.sort_by_key(|(started_ms, ..)| std::cmp::Reverse(*started_ms));
    let (mut stay, mut bytes, mut full) = (HashSet::new(), 0, false);
    for (_, name, header) in baselines {
        let mut seen = HashSet::new();
        let own = programs(&header).filter(|program| !stay.contains(&program.hash));
        let own: Vec<&Program> = own.filter(|program| seen.insert(&program.hash)).collect();
        let size = |program: &&Program| fs::metadata(place(session, &program.hash)).map(|file| file.len());
        let sizes: Vec<u64> = own.iter().filter_map(|program| size(program).ok()).collect();
        bytes += sizes.iter().sum::<u64>();
        full |= bytes > limit;
        if !full {
            stay.extend(own.iter().map(|program| program.hash.clone()));
        } else if !sizes.is_empty() {
            notices.push(Notice::NoLongerKept { baseline: name, limit });
        }
    }
    for entry in fs::read_dir(folder(session)).into_iter().flatten().flatten() {
        if !stay.contains(&*entry.file_name().to_string_lossy()) {
            let path = entry.path();
            fs::remove_file(&path).doing(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(notices)
}

/// Returns the path of a kept program, if it exists and its content is unchanged.
pub fn find(session: &Session, hash: &str) -> Option<PathBuf> {
    let path = place(session, hash);
    (binary::program(&path)? == hash).then_some(path)
}

/// Copies the programs of the run's own variant that are in the project or in the store. Programs elsewhere,
/// such as an installed runtime, do not belong to the project. The error is the reason, as one sentence.
fn keep(session: &Session, header: &RunHeader, limit: u64) -> Result<(), String> {
    let is_ours = |program: &&Program| {
        let path = Path::new(&program.path);
        path.starts_with(&session.project.root) || path.starts_with(session.store_folder())
    };
    let missing = |program: &&Program| find(session, &program.hash).is_none();
    let wanted: Vec<&Program> = programs(header).filter(is_ours).filter(missing).collect();
    let mut bytes = 0;
    for program in &wanted {
        if binary::program(Path::new(&program.path)).as_ref() != Some(&program.hash) {
            return Err(format!("{} has changed since the run", program.path));
        }
        bytes += fs::metadata(&program.path).map_or(0, |file| file.len());
    }
    if bytes > limit {
        return Err(format!("its size is {}, and the limit is {}", units::size(bytes), units::size(limit)));
    }
    wanted.into_iter().try_for_each(|program| {
        let copied = copy(session, program).map(drop);
        copied.map_err(|why| format!("{} cannot be copied: {why}", program.path))
    })
}

/// Copies a program into the folder of kept programs. The copy gets its final name when it is complete, and
/// remains until a [`sweep`] finds that no baseline needs it.
pub(crate) fn copy(session: &Session, program: &Program) -> std::io::Result<PathBuf> {
    derny_store::folder(&session.store_folder(), KEPT)?;
    let place = place(session, &program.hash);
    let draft = place.with_extension(std::process::id().to_string());
    fs::copy(&program.path, &draft)?;
    fs::rename(draft, &place)?;
    Ok(place)
}

/// Returns the programs needed to measure a run again.
fn programs(header: &RunHeader) -> impl Iterator<Item = &Program> {
    let own = header.own_variant();
    header.built.iter().filter(move |built| built.variant == own).flat_map(|built| &built.programs)
}

fn folder(session: &Session) -> PathBuf {
    session.store_folder().join(KEPT)
}

fn place(session: &Session, hash: &str) -> PathBuf {
    folder(session).join(hash)
}

fn limit(session: &Session) -> Result<u64> {
    let stated = session.project.content.kept_programs.as_deref();
    let read = |text| Ok(units::bytes(text).map_err(|why| problem!("`kept-programs`: {why}"))?);
    stated.map_or(Ok(LIMIT), read)
}
