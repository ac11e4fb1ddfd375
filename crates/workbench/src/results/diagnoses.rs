//! The results of diagnoses (`--diagnose`), which are kept below the store's folder.

use crate::error::{Doing, Result};
use crate::project::session::Session;
use derny_model::{Case, Diagnosed, RunId, Variant};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the folder, below the store's folder, for the page that `derny report --open` writes.
pub const PAGE: &str = "report";

/// File that lists the diagnoses of a run.
const INDEX: &str = "index.json";

/// File name suffixes of profiles that speedscope opens.
const PROFILES: [&str; 4] = [".cpuprofile", ".speedscope.json", ".folded", ".collapsed"];

pub(crate) fn folder(session: &Session, run: &str) -> PathBuf {
    session.store_folder().join("diagnoses").join(run)
}

/// Writes the list of a run's diagnoses, which later commands read.
pub(crate) fn keep(folder: &Path, found: &[Diagnosed]) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let file = folder.join(INDEX);
    let text = serde_json::to_vec_pretty(found).map_err(std::io::Error::from);
    text.and_then(|text| fs::write(&file, text)).doing(|| format!("cannot write {}", file.display()))
}

/// Removes the diagnoses of a run that was deleted or pruned.
///
/// # Errors
/// Fails if the files cannot be removed. The message contains their folder.
pub fn remove(session: &Session, run: &RunId) -> Result<()> {
    // The store may come from another user. An id must not point outside the folder.
    let is_plain = run.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain { without(&folder(session, run)) } else { Ok(()) }
}

/// Removes the page that `derny report --open` wrote last, which may show a run that was deleted.
///
/// # Errors
/// Fails if the page cannot be removed. The message contains its folder.
pub fn remove_page(session: &Session) -> Result<()> {
    without(&session.store_folder().join(PAGE))
}

fn without(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).doing(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Returns the diagnoses of a run. Empty if there were none, or if their list was deleted.
pub fn of(session: &Session, run: &str) -> Vec<Diagnosed> {
    let text = fs::read(folder(session, run).join(INDEX));
    text.ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// Returns the files of a diagnosis that are profiles.
pub fn profiles(of: &Diagnosed) -> impl Iterator<Item = &Path> {
    let is_profile = |file: &&String| PROFILES.iter().any(|end| file.ends_with(end));
    of.files.iter().filter(is_profile).map(Path::new)
}

/// Returns true if a diagnosis is about this case on this variant.
pub fn is_about(of: &Diagnosed, case: &Case, variant: &Variant) -> bool {
    let mut id = case.id.clone();
    id.benchmark = variant.benchmark.clone().unwrap_or(id.benchmark);
    of.variant == variant.name && of.case == id.to_string()
}
