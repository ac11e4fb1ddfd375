//! Prepares the variants of a run: worktrees for revisions, builds for what is built. Afterwards every variant says the
//! directory it is launched in and the folders of its builds.

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::session::Session;
use crate::worktree::{self, Worktree};
use crate::{build, git};
use derny_engine::discover::Source;
use derny_engine::hash::Fnv;
use derny_engine::launch::binary;
use derny_model::{Built, Program, Variant};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::sync::atomic::AtomicBool;

/// What must live as long as the run: other engines leave it alone meanwhile.
#[derive(Debug, Default)]
pub struct Prepared {
    _worktrees: Vec<Worktree>,
}

/// What is to be prepared.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// The project.
    pub session: &'a Session,
    /// What launches the variants.
    pub sources: &'a [Source],
    /// What launches a baseline that is measured again, in place of `sources`.
    pub base: &'a [Source],
    /// Builds of each variant; 0 and 1 are one.
    pub builds: u32,
    /// A run goes on, so that the working tree stays what it was; only worktrees that are gone are made anew.
    pub goes_on: bool,
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
}

/// Builds each variant. `tell` hears of every build as it begins.
///
/// # Errors
/// A revision that git does not know, a build that fails, and the user's wish to stop meanwhile. [`Error::NotAgain`] for a
/// baseline that cannot be built again.
pub fn prepare(order: Order<'_>, variants: &mut [Variant], tell: &mut dyn FnMut(Notice)) -> Result<Prepared> {
    let Order { session, builds, .. } = order;
    build::check(order.sources, builds)?;
    build::check_args(order.sources, variants)?;
    let mut prepared = Prepared::default();
    let mut done: Vec<Variant> = Vec::new();
    for variant in variants {
        let of_base = variant.again.is_some();
        let order = if of_base { Order { sources: order.base, ..order } } else { order };
        if let Some(revision) = &variant.revision {
            variant.revision = Some(git::resolve(&session.project.root, revision)?);
        }
        let way =
            |variant: &Variant| (variant.revision.clone(), variant.again.clone(), variant.build_args.clone());
        let is_same = |other: &&Variant| way(other) == way(variant);
        if let Some(other) = done.iter().find(is_same) {
            variant.directory.clone_from(&other.directory);
            variant.builds.clone_from(&other.builds);
            continue;
        }
        match variant.revision.clone() {
            Some(hash) => match revision(order, variant, &hash, &mut prepared._worktrees, tell) {
                Err(error) if of_base && !matches!(error, Error::Interrupted) => {
                    return Err(Error::NotAgain(error.in_a_line()));
                }
                made => made?,
            },
            None if order.goes_on || of_base => {}
            None => working_tree(order, variant, tell)?,
        }
        if builds > 1 {
            build::differ(order.sources, variant)?;
        }
        done.push(variant.clone());
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
    order: Order<'_>,
    variant: &mut Variant,
    hash: &str,
    known: &mut Vec<Worktree>,
    tell: &mut dyn FnMut(Notice),
) -> Result<()> {
    let Order { session, builds, stop, .. } = order;
    let sources: Vec<Source> = order.sources.iter().map(|source| source.at(variant).into_owned()).collect();
    let sources = &sources[..];
    let below = session.store_folder().join("worktrees");
    let tasks = build::tasks(sources, builds);
    let commands: BTreeSet<Vec<String>> =
        sources.iter().map(|source| source.build_line(variant)).filter(|words| !words.is_empty()).collect();
    let mut key = Fnv::new();
    commands.iter().flatten().for_each(|word| _ = key.write(word.as_bytes()));
    let key = format!("{:08x}", key.finish() as u32);
    let name = format!("{} ({})", variant.name, &hash[..hash.len().min(7)]);
    let mut told = None;
    let mut build = |tree: &Worktree, task: &build::Task<'_>| {
        variant.directory = Some(tree.root.display().to_string());
        variant.builds = folders(sources, builds, |n| tree.build_folder(n));
        say(&name, task.build, builds, &mut told, tell);
        remark(task, build::run(task, variant, stop)?, tell);
        Ok(())
    };
    // Two variants may be of one revision; a lock that this process holds would never come free.
    let place = known.iter().position(|tree| tree.is(&below, hash, &key));
    let worktree = match place {
        Some(place) => {
            known[place].build_more(&tasks, &mut build)?;
            &known[place]
        }
        None => {
            known.push(Worktree::make(&session.project.root, &below, hash, &key, &tasks, &mut build)?);
            &known[known.len() - 1]
        }
    };
    variant.directory = Some(worktree.root.display().to_string());
    variant.builds = folders(sources, builds, |n| worktree.build_folder(n));
    Ok(())
}

/// The working tree may have changed since it was built last, so that it is built for every run; what is up to date costs
/// a build little.
fn working_tree(order: Order<'_>, variant: &mut Variant, tell: &mut dyn FnMut(Notice)) -> Result<()> {
    let Order { session, sources, builds, stop, .. } = order;
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
        remark(task, build::run(task, variant, stop)?, tell);
        Ok(())
    })
}

/// Each layout is told once, however many suites it has. `told`: the one told last.
fn say(what: &str, build: u32, builds: u32, told: &mut Option<u32>, tell: &mut dyn FnMut(Notice)) {
    if told.replace(build) != Some(build) {
        tell(Notice::Building { what: what.to_owned(), layout: (builds > 1).then_some((build + 1, builds)) });
    }
}

/// What a build remarks holds for all layouts.
fn remark(task: &build::Task<'_>, remarks: Vec<String>, tell: &mut dyn FnMut(Notice)) {
    remarks.into_iter().filter(|_| task.build == 0).for_each(|text| tell(Notice::OfBuild(text)));
}

/// What measuring these variants again would take. Baselines that are measured again have it in their own runs.
pub fn recorded(sources: &[Source], variants: &[Variant]) -> Vec<Built> {
    let own = (0..).zip(variants).filter(|(_, variant)| variant.again.is_none() && !variant.control);
    own.flat_map(|(number, variant)| sources.iter().map(move |source| built(source, number, variant)))
        .collect()
}

fn built(source: &Source, number: u32, variant: &Variant) -> Built {
    let launch = source.launch_line(variant);
    let root = source.root_for(variant);
    let directory = root.join(&source.directory);
    let (mut programs, mut needs_sources) = (Vec::new(), false);
    for (word, written) in
        (0..).zip(&launch).filter(|(_, written)| !matches!(written.as_str(), "{args}" | "{suite-args}"))
    {
        let filled = source.fill(written, variant, 0);
        // What stands by its name is looked up on the PATH: an installed runtime.
        if !filled.contains('/') && word == 0 {
            continue;
        }
        let path = directory.join(&filled);
        match binary::program(&path) {
            Some(hash) => programs.push(Program { word, path: path.display().to_string(), hash }),
            None => needs_sources |= path.exists() && path.starts_with(&root),
        }
    }
    Built {
        variant: number,
        suite: source.suite.clone(),
        file: source.file.clone(),
        command: source.build_line(variant),
        directory: source.directory.display().to_string(),
        launch,
        suite_args: source.suite_args.clone(),
        build_args: source.build_args.iter().chain(&variant.build_args).cloned().collect(),
        programs,
        needs_sources,
    }
}
