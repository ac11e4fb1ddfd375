//! Builds in the file of a plan. `derny fleet plan --build` writes a gzipped tar instead of `plan.json`. It
//! contains the plan and the build folders of its sides, which a shard copies to where it would make its own
//! builds. This module does not depend on how suites are built or launched.
//!
//! `plan.json` is the first file, and `builds.json` the second. `builds/N/FOLDER/…` is the content of a build
//! folder of side N.

use crate::check;
use crate::layout::{BUILDS, FOLDER, PLAN, broken, gzipped};
use crate::links::Links;
use crate::unpack::{Staged, list, place};
use derny_json::{FromJson, ToJson};
use derny_model::{Builds, FleetPlan, SideBuilds, Variant, problem};
use derny_workbench::error::{Doing, Result};
use derny_workbench::notice::Notice;
use derny_workbench::project::build::Task;
use derny_workbench::project::session::Session;
use derny_workbench::variants::build::{BuiltSide, Prebuilt};
use flate2::Compression;
use flate2::write::GzEncoder;
use memchr::memmem;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tar::{Archive, Entry, Header};

/// Maximum length in bytes of a plan or a list of builds.
const LONGEST: u64 = 1 << 28;

/// The builds to put into a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct ToCarry {
    builds: Builds,
    entries: Vec<(String, PathBuf)>,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Builds that each shard has to make itself, each with the reason.
    pub left: Vec<String>,
}

impl ToCarry {
    /// Finds the builds of a project to put into a plan.
    ///
    /// # Errors
    /// Fails if files cannot be read.
    pub fn of(session: &Session, built: &[BuiltSide]) -> Result<ToCarry> {
        let builds = Builds { format: Builds::FORMAT, places: places(session), sides: Vec::new() };
        let mut all = ToCarry { builds, entries: Vec::new(), bytes: 0, left: Vec::new() };
        for built in built {
            let suites: BTreeSet<&String> = built.others.iter().collect();
            all.left.extend(suites.iter().map(|suite| {
                format!("each shard builds `{suite}` of {}: its build has no separate folder", built.side)
            }));
            if let Err(why) = all.take(built)? {
                all.left.push(format!("each shard builds {}: {why}", built.side));
            }
        }
        Ok(all)
    }

    /// Returns true if there are no builds.
    pub fn is_empty(&self) -> bool {
        self.builds.sides.is_empty()
    }

    /// Adds the folders of a side. The inner error explains why they cannot be part of a plan.
    fn take(&mut self, built: &BuiltSide) -> Result<Result<(), String>> {
        let folders: BTreeSet<&PathBuf> = built.tasks.iter().map(|(_, folder)| folder).collect();
        if folders.is_empty() {
            return Ok(Ok(()));
        }
        let (number, before) = (self.builds.sides.len(), self.entries.len());
        let mut side = SideBuilds { side: built.side.clone(), ..SideBuilds::default() };
        side.builds = built.tasks.iter().map(|(mark, _)| mark.clone()).collect();
        let needles = self.builds.places.iter().map(|path| memmem::Finder::new(path.as_bytes()));
        let needles: Vec<memmem::Finder<'_>> = needles.collect();
        let mut bytes = 0;
        for folder in folders {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut found = Vec::new();
            let mut links = Links::default();
            list(folder, &mut found).doing(|| format!("cannot read {}", folder.display()))?;
            for path in found {
                let below = path.strip_prefix(folder).unwrap_or(&path);
                if below.to_str().is_none() {
                    self.entries.truncate(before);
                    return Ok(Err(format!("its build has a name that is not text, {}", path.display())));
                }
                let kind = path.symlink_metadata().doing(|| format!("cannot read {}", path.display()))?;
                if kind.is_symlink() {
                    let to = fs::read_link(&path).doing(|| format!("cannot read {}", path.display()))?;
                    links.add(below.to_owned(), to);
                } else if kind.is_file() {
                    bytes += kind.len();
                    let has =
                        mentions(&path, &needles).doing(|| format!("cannot read {}", path.display()))?;
                    side.bound |= has;
                } else if !kind.is_dir() {
                    self.entries.truncate(before);
                    return Ok(Err(format!("its build contains a special file, {}", path.display())));
                }
                self.entries.push((format!("{FOLDER}/{number}/{name}/{}", below.display()), path.clone()));
            }
            if let Some((path, to)) = links.out() {
                self.entries.truncate(before);
                let (path, to) = (folder.join(path), to.display());
                return Ok(Err(format!(
                    "its build contains a link to a path outside of its folder, {} to {to}",
                    path.display()
                )));
            }
        }
        self.bytes += bytes;
        self.builds.sides.push(side);
        Ok(Ok(()))
    }

    /// Writes the plan with its builds.
    ///
    /// # Errors
    /// Fails if a file cannot be read or written.
    pub fn write(&self, plan: &FleetPlan, to: &mut dyn Write) -> io::Result<()> {
        let mut tar = tar::Builder::new(GzEncoder::new(to, Compression::fast()));
        tar.follow_symlinks(false);
        for (name, text) in [(PLAN, plan.to_json()?), (BUILDS, self.builds.to_json()?)] {
            let mut header = Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, text.as_bytes())?;
        }
        for (name, path) in &self.entries {
            tar.append_path_with_name(path, name)?;
        }
        tar.into_inner()?.finish()?;
        Ok(())
    }
}

/// Returns true if a file contains one of these texts. Reads the file in overlapping blocks, because a text
/// may cross a block boundary.
fn mentions(path: &Path, texts: &[memmem::Finder<'_>]) -> io::Result<bool> {
    let longest = texts.iter().map(|text| text.needle().len()).max().unwrap_or(0);
    let mut file = File::open(path)?;
    let mut piece = vec![0; (1 << 18) + longest];
    let mut kept = 0;
    loop {
        let read = file.read(&mut piece[kept..])?;
        if read == 0 {
            return Ok(false);
        }
        let end = kept + read;
        if texts.iter().any(|text| text.find(&piece[..end]).is_some()) {
            return Ok(true);
        }
        kept = longest.saturating_sub(1).min(end);
        piece.copy_within(end - kept..end, 0);
    }
}

/// Returns the absolute paths of the project's folder and of its store, first as they are, then with symbolic
/// links resolved.
fn places(session: &Session) -> Vec<String> {
    let root = session.project.root.clone();
    let called = [root, session.store_folder()].map(|path| std::path::absolute(&path).unwrap_or(path));
    let real = called.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    called.iter().cloned().chain(real).map(|path| path.display().to_string()).collect()
}

fn text<R: Read>(entry: Option<io::Result<Entry<'_, R>>>, name: &str) -> Result<String, String> {
    let entry = entry.ok_or("the file ends too early")?.map_err(|why| why.to_string())?;
    if entry.path().map_err(|why| why.to_string())? != Path::new(name) {
        return Err(format!("the file does not contain {name} where it should"));
    }
    let mut text = String::new();
    entry.take(LONGEST + 1).read_to_string(&mut text).map_err(|why| why.to_string())?;
    if text.len() as u64 > LONGEST { Err(format!("{name} in the file is too long")) } else { Ok(text) }
}

/// The builds in the file of a plan.
#[derive(Debug)]
pub struct Carried {
    file: PathBuf,
    builds: Builds,
    /// Hash of the measurement that the plan describes.
    pub measures: String,
    unpacked: OnceCell<Staged>,
    is_told: Cell<bool>,
}

impl Carried {
    /// Opens the file of a plan with builds. Returns the plan and its builds.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is not a plan with builds.
    pub fn open(file: &Path) -> Result<(FleetPlan, Carried)> {
        let mut archive = Archive::new(gzipped(file).doing(|| format!("cannot read {}", file.display()))?);
        let mut entries = archive.entries().map_err(|why| broken(file, &why))?;
        let plan = text(entries.next(), PLAN).map_err(|why| broken(file, &why))?;
        let builds = text(entries.next(), BUILDS).map_err(|why| broken(file, &why))?;
        let plan =
            check::parse(&plan).map_err(|error| error.within(format!("cannot use {}", file.display())))?;
        let builds = Builds::from_json(&builds).map_err(|why| broken(file, &why))?;
        if builds.format > Builds::FORMAT {
            return Err(broken(file, &"a newer version of Derny wrote its builds").into());
        }
        let measures = plan.measures.clone();
        let carried = Carried {
            file: file.to_owned(),
            builds,
            measures,
            unpacked: OnceCell::new(),
            is_told: Cell::new(false),
        };
        Ok((plan, carried))
    }

    /// Checks that the builds belong to the plan.
    ///
    /// # Errors
    /// Fails if the plan does not measure the code of these builds.
    pub fn check(&self, plan: &FleetPlan) -> Result<()> {
        if self.measures == plan.measures {
            return Ok(());
        }
        Err(problem!("{} has the builds of another plan", self.file.display())
            .remedy("use the file that `derny fleet plan --build` wrote for this plan")
            .into())
    }
}

impl Prebuilt for Carried {
    fn install(
        &self,
        session: &Session,
        side: &Variant,
        tasks: &[&Task<'_>],
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Vec<bool>> {
        let none = Ok(vec![false; tasks.len()]);
        let Some(number) = self.builds.sides.iter().position(|builds| builds.side == side.name) else {
            return none;
        };
        let builds = &self.builds.sides[number];
        let has = |task: &Task<'_>| builds.builds.contains(&task.mark()) && task.source.is_carried();
        if !tasks.iter().any(|task| has(task)) {
            return none;
        }
        let here = places(session);
        if builds.bound && here != self.builds.places {
            if !self.is_told.replace(true) {
                let place = |places: &[String]| places.first().cloned().unwrap_or_default();
                tell(Notice::NotCarried { there: place(&self.builds.places), here: place(&here) });
            }
            return none;
        }
        let staged = match self.unpacked.get() {
            Some(staged) => staged,
            None => {
                let staged = Staged::of(&self.file, &session.store_folder())?;
                self.unpacked.get_or_init(|| staged)
            }
        };
        let from = staged.0.join(FOLDER).join(number.to_string());
        let mut put: BTreeSet<PathBuf> = BTreeSet::new();
        let mut placed = Vec::with_capacity(tasks.len());
        for task in tasks {
            let folder = task.source.build_folder(side, task.build);
            let own = from.join(folder.file_name().unwrap_or_default());
            let is_there = has(task) && own.is_dir();
            if is_there && put.insert(folder.clone()) {
                place(&own, &folder).doing(|| format!("cannot write {}", folder.display()))?;
            }
            placed.push(is_there);
        }
        Ok(placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_between_two_pieces_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        for before in [0, (1 << 18) - 3, (1 << 18) + 2, (1 << 19) - 1] {
            fs::write(&file, [vec![b'.'; before], b"/some/place".to_vec()].concat()).unwrap();
            let has = |text: &str| mentions(&file, &[memmem::Finder::new(text)]).unwrap();
            assert!(has("/some/place") && !has("/some/other"), "{before}");
        }
    }
}
