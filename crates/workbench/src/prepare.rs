//! Prepares the variants of a run: worktrees for revisions, builds for what is built. Afterwards every variant says the
//! directory it is launched in and the folders of its builds.

use crate::error::Result;
use crate::notice::Notice;
use crate::session::Session;
use crate::worktree::{self, Worktree};
use crate::{build, git};
use derny_engine::discover::Source;
use derny_engine::hash::Fnv;
use derny_model::Variant;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::sync::atomic::AtomicBool;

/// What must live as long as the run: other engines leave it alone meanwhile.
#[derive(Debug, Default)]
pub struct Prepared {
    _worktrees: Vec<Worktree>,
}

/// Builds each variant `builds` times (once for 0 and 1). `again`: a run goes on, so that the working tree stays what it
/// was; only worktrees that are gone are made anew. `tell` hears of every build as it begins.
///
/// # Errors
/// A revision that git does not know, a build that fails, and the user's wish to stop meanwhile.
pub fn prepare(
    session: &Session,
    sources: &[Source],
    variants: &mut [Variant],
    builds: u32,
    again: bool,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Notice),
) -> Result<Prepared> {
    build::check(sources, builds)?;
    let mut prepared = Prepared::default();
    let mut done: Vec<(Option<String>, Variant)> = Vec::new();
    for variant in variants {
        if let Some(revision) = &variant.revision {
            variant.revision = Some(git::resolve(&session.project.root, revision)?);
        }
        let same = done.iter().find(|(revision, _)| *revision == variant.revision);
        if let Some((_, other)) = same {
            variant.directory.clone_from(&other.directory);
            variant.builds.clone_from(&other.builds);
            continue;
        }
        match variant.revision.clone() {
            Some(hash) => {
                prepared._worktrees.push(revision(session, sources, variant, &hash, builds, stop, tell)?);
            }
            None if again => {}
            None => working_tree(session, sources, variant, builds, stop, tell)?,
        }
        if builds > 1 {
            build::differ(sources, variant)?;
        }
        done.push((variant.revision.clone(), variant.clone()));
    }
    if !prepared._worktrees.is_empty() {
        worktree::prune(&session.project.root, &session.store_folder().join("worktrees"));
    }
    Ok(prepared)
}

fn folders(sources: &[Source], builds: u32, of: impl Fn(u32) -> std::path::PathBuf) -> Vec<String> {
    match sources.iter().any(Source::is_built_apart) {
        true => (0..builds.max(1)).map(|n| of(n).display().to_string()).collect(),
        false => Vec::new(),
    }
}

fn revision(
    session: &Session,
    sources: &[Source],
    variant: &mut Variant,
    hash: &str,
    builds: u32,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Notice),
) -> Result<Worktree> {
    let below = session.store_folder().join("worktrees");
    let tasks = build::tasks(sources, builds);
    let commands: BTreeSet<&Vec<String>> =
        sources.iter().map(|source| &source.build).filter(|words| !words.is_empty()).collect();
    let mut key = Fnv::new();
    commands.into_iter().flatten().for_each(|word| _ = key.write(word.as_bytes()));
    let key = format!("{:08x}", key.finish() as u32);
    let name = format!("{} ({})", variant.name, &hash[..hash.len().min(7)]);
    let mut told = None;
    let worktree = Worktree::make(&session.project.root, &below, hash, &key, &tasks, &mut |tree, task| {
        variant.directory = Some(tree.root.display().to_string());
        variant.builds = folders(sources, builds, |n| tree.build_folder(n));
        say(&name, task.build, builds, &mut told, tell);
        build::run(task, variant, stop)
    })?;
    variant.directory = Some(worktree.root.display().to_string());
    variant.builds = folders(sources, builds, |n| worktree.build_folder(n));
    Ok(worktree)
}

/// The working tree may have changed since it was built last, so that it is built for every run; what is up to date costs
/// a build little.
fn working_tree(
    session: &Session,
    sources: &[Source],
    variant: &mut Variant,
    builds: u32,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Notice),
) -> Result<()> {
    if sources.iter().all(|source| source.build.is_empty()) {
        return Ok(());
    }
    let below = session.store_folder().join("builds");
    variant.builds = folders(sources, builds, |n| below.join(format!("build-{n}")));
    fs::create_dir_all(&below)?;
    let lock: File = File::options().create(true).truncate(false).write(true).open(below.join("lock"))?;
    lock.lock()?;
    let mut told = None;
    build::tasks(sources, builds).iter().try_for_each(|task| {
        say(&variant.name, task.build, builds, &mut told, tell);
        build::run(task, variant, stop)
    })
}

/// Each layout is told once, however many suites it has. `told`: the one told last.
fn say(what: &str, build: u32, builds: u32, told: &mut Option<u32>, tell: &mut dyn FnMut(Notice)) {
    if told.replace(build) != Some(build) {
        tell(Notice::Building { what: what.to_owned(), layout: (builds > 1).then_some((build + 1, builds)) });
    }
}
