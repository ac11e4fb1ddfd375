//! Builds the variants of a run: the worktrees of their revisions, and the programs of their sources. A built
//! variant contains its launch directory and the folders of its builds.

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::project::build;
use crate::project::session::Session;
use crate::project::worktree::{self, Worktree};
use crate::variants::resolve::ResolvedVariant;
use derny_engine::discover::Source;
use derny_engine::hash::Fnv;
use derny_engine::launch::binary;
use derny_engine::measure::now_ms;
use derny_model::{Built, Failure, FailureCode, Problem, ProblemParts, Program, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The result of building. Holds the locks that exclude other engines, so it must live as long as the run.
#[derive(Debug, Default)]
pub struct Prepared {
    /// Failures of single builds, by the id of the build, if others succeeded.
    failed: BTreeMap<String, Failure>,
    /// The output folders of each variant.
    pub built: Vec<BuiltSide>,
    /// The time spent building.
    pub took: BuildTime,
    _worktrees: Vec<Worktree>,
}

/// Wall time spent on builds.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuildTime {
    /// Time of all builds, in ns.
    pub all_ns: u64,
    /// Time of the builds in separate folders, which a plan can contain, in ns.
    pub carried_ns: u64,
}

impl Prepared {
    /// Returns the sources that were built on every side, and a failure for each other build.
    pub fn built_sources(&self, sources: Vec<Source>) -> (Vec<Source>, Vec<Failure>) {
        let is_built = |source: &Source| !self.failed.contains_key(&build::id(source));
        (sources.into_iter().filter(is_built).collect(), self.failed.values().cloned().collect())
    }
}

/// A request to build variants.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// The project.
    pub session: &'a Session,
    /// The sources of the variants.
    pub sources: &'a [Source],
    /// True if there are further sources that remain to be measured if all of `sources` fail.
    pub others: bool,
    /// Sources of a baseline that is measured again. The baseline uses them instead of `sources`.
    pub base: &'a [Source],
    /// Number of builds of each variant. 0 means 1.
    pub builds: u32,
    /// True if the run is resumed. The working tree is then left as it is, and only missing worktrees are
    /// made again.
    pub goes_on: bool,
    /// Builds that already exist.
    pub prebuilt: Option<&'a dyn Prebuilt>,
    /// Set when the user wants to stop.
    pub stop: &'a AtomicBool,
}

/// A source of builds that already exist, perhaps made on another machine.
pub trait Prebuilt: fmt::Debug {
    /// Copies the output of these builds of a variant into their folders. Returns for each build whether its
    /// output was copied. The other builds still have to be run.
    ///
    /// # Errors
    /// Fails if builds cannot be read or copied.
    fn install(
        &self,
        session: &Session,
        variant: &Variant,
        tasks: &[&build::Task<'_>],
        tell: &mut dyn FnMut(Notice),
    ) -> Result<Vec<bool>>;
}

/// The folders into which a variant was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltSide {
    /// Name of the variant.
    pub side: String,
    /// The builds in separate folders: the id of each and its folder.
    pub tasks: Vec<(String, PathBuf)>,
    /// Names of the suites that are built elsewhere.
    pub others: Vec<String>,
}

impl BuiltSide {
    fn of(side: &Variant, tasks: &[build::Task<'_>]) -> BuiltSide {
        let (own, others): (Vec<&build::Task<'_>>, Vec<&build::Task<'_>>) =
            tasks.iter().partition(|task| task.source.is_carried());
        BuiltSide {
            side: side.name.clone(),
            tasks: own.iter().map(|task| (task.mark(), task.source.build_folder(side, task.build))).collect(),
            others: others.iter().map(|task| task.source.suite.clone()).collect(),
        }
    }
}

/// Builds each variant. `tell` receives a notice when a build begins. The returned [`Prepared`] must live as
/// long as the variants are used.
///
/// # Errors
/// Fails if a build fails or the user wants to stop; with [`Error::NotAgain`] if a baseline cannot be built
/// again.
pub fn build(
    order: Order<'_>,
    resolved: Vec<ResolvedVariant>,
    tell: &mut dyn FnMut(Notice),
) -> Result<(Vec<Variant>, Prepared)> {
    let Order { session, .. } = order;
    build::check(order.sources, order.builds)?;
    build::check_args(order.sources, &resolved.iter().map(|variant| &**variant).collect::<Vec<&Variant>>())?;
    let mut prepared = Prepared::default();
    let mut variants: Vec<Variant> = Vec::new();
    for variant in resolved {
        let sources = if variant.again.is_some() { order.base } else { order.sources };
        let order = Order { sources, ..order };
        let same = variants.iter().find(|other| way(sources, other) == way(sources, &variant));
        let built = match same.map(|other| (other.directory.clone(), other.builds.clone())) {
            Some((directory, builds)) => variant.built(directory, builds),
            None => one(order, variant, &mut prepared, tell)?,
        };
        variants.push(built);
    }
    if !prepared._worktrees.is_empty() {
        worktree::prune(&session.project.root, &session.store_folder().join("worktrees"));
    }
    Ok((variants, prepared))
}

/// Returns a value that is equal for two variants if both are built in the same way and are therefore the
/// same program.
fn way(sources: &[Source], variant: &Variant) -> impl PartialEq + use<> {
    let lines: Vec<Vec<String>> = sources.iter().map(|source| source.build_line(variant)).collect();
    let env = |source: &Source| source.build_env(variant).into_iter().cloned().collect();
    let env: Vec<Vec<(String, String)>> = sources.iter().map(env).collect();
    (variant.revision.clone(), variant.again.clone(), lines, env)
}

/// Builds one variant. The working tree of a resumed run is left as it is.
fn one(
    order: Order<'_>,
    variant: ResolvedVariant,
    prepared: &mut Prepared,
    tell: &mut dyn FnMut(Notice),
) -> Result<Variant> {
    let of_base = variant.again.is_some();
    let (directory, builds) = match &variant.revision {
        Some(hash) => match revision(order, &variant, hash, prepared, tell) {
            Err(error) if of_base && !matches!(error, Error::Interrupted) => {
                return Err(Error::NotAgain(error.in_a_line()));
            }
            made => made?,
        },
        None if order.goes_on || of_base => (variant.directory.clone(), variant.builds.clone()),
        None => (variant.directory.clone(), working_tree(order, &variant, prepared, tell)?),
    };
    let built = variant.built(directory, builds);
    if let Some(failed) = nothing_is_left(order.sources, prepared).filter(|_| !order.others) {
        let root = &order.session.project.root;
        let below = order.session.store_folder().join("worktrees");
        prepared._worktrees.drain(..).for_each(|tree| tree.leave(root, &below));
        return Err(failed);
    }
    if order.builds > 1 {
        build::differ(order.sources, &built)?;
    }
    Ok(built)
}

fn folders(sources: &[Source], builds: u32, of: impl Fn(u32) -> PathBuf) -> Vec<String> {
    match sources.iter().any(Source::is_built_apart) {
        // Programs are built and launched in other folders, so a relative path of the store has to be made
        // absolute.
        true => (0..builds.max(1))
            .map(|n| std::path::absolute(of(n)).unwrap_or_else(|_| of(n)).display().to_string())
            .collect(),
        false => Vec::new(),
    }
}

/// Builds a revision in its worktree. Returns the directory to launch the programs in, and the folders of the
/// builds.
fn revision(
    order: Order<'_>,
    variant: &Variant,
    hash: &str,
    prepared: &mut Prepared,
    tell: &mut dyn FnMut(Notice),
) -> Result<(Option<String>, Vec<String>)> {
    let Order { session, builds, .. } = order;
    let Prepared { failed, built, took, _worktrees: known } = prepared;
    let sources: Vec<Source> = order.sources.iter().map(|source| source.at(variant).into_owned()).collect();
    let sources = &sources[..];
    let below = session.folder_in_store("worktrees")?;
    let tasks = build::tasks(sources, builds);
    let key = key(sources, variant);
    let name = format!("{} ({})", variant.name, &hash[..hash.len().min(7)]);
    let placed = |tree: &Worktree| Variant {
        directory: Some(tree.root.display().to_string()),
        builds: folders(sources, builds, |n| tree.build_folder(n)),
        ..variant.clone()
    };
    let mut build = |tree: &Worktree, tasks: &[&build::Task<'_>]| {
        run(order, tasks, (&placed(tree), &name), (&mut *failed, &mut *took), tell)
    };
    // Two variants may use the same worktree. Waiting for a lock that this process holds would never end.
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
    let placed = placed(worktree);
    built.push(BuiltSide::of(&placed, &tasks));
    Ok((placed.directory, placed.builds))
}

/// Returns a key that distinguishes the worktrees of one revision by how they are built.
fn key(sources: &[Source], variant: &Variant) -> String {
    let lines = sources.iter().map(|source| source.build_line(variant)).filter(|words| !words.is_empty());
    let commands: BTreeSet<Vec<String>> = lines.collect();
    let mut key = Fnv::new();
    commands.iter().flatten().for_each(|word| _ = key.write(word.as_bytes()));
    let env: BTreeSet<&(String, String)> =
        sources.iter().flat_map(|source| source.build_env(variant)).collect();
    env.into_iter().for_each(|(name, value)| _ = key.write(name.as_bytes()).write(value.as_bytes()));
    format!("{:08x}", key.finish() as u32)
}

/// Builds the working tree. Returns the folders of the builds. Every run builds, because the sources may have
/// changed since the last build; a build that is up to date costs little.
fn working_tree(
    order: Order<'_>,
    variant: &Variant,
    prepared: &mut Prepared,
    tell: &mut dyn FnMut(Notice),
) -> Result<Vec<String>> {
    let Order { session, sources, builds, .. } = order;
    if sources.iter().all(|source| source.build.is_empty()) {
        return Ok(variant.builds.clone());
    }
    let below = session.folder_in_store("builds")?;
    let folders = folders(sources, builds, |n| below.join(format!("build-{n}")));
    let variant = &Variant { builds: folders, ..variant.clone() };
    let lock: File = File::options().create(true).truncate(false).write(true).open(below.join("lock"))?;
    lock.lock()?;
    let tasks = build::tasks(sources, builds);
    prepared.built.push(BuiltSide::of(variant, &tasks));
    let tasks: Vec<&build::Task<'_>> = tasks.iter().collect();
    let Prepared { failed, took, .. } = prepared;
    run(order, &tasks, (variant, &variant.name), (failed, took), tell)?;
    Ok(variant.builds.clone())
}

/// Runs builds, one layout after the other. Returns for each whether it succeeded. The failure of one file or
/// folder does not affect the others. A build that already failed on another side or for another layout is
/// skipped, because it could not be compared.
fn run(
    order: Order<'_>,
    tasks: &[&build::Task<'_>],
    (variant, name): (&Variant, &str),
    (failed, took): (&mut BTreeMap<String, Failure>, &mut BuildTime),
    tell: &mut dyn FnMut(Notice),
) -> Result<Vec<bool>> {
    let installed = match order.prebuilt {
        Some(prebuilt) => prebuilt.install(order.session, variant, tasks, tell)?,
        None => Vec::new(),
    };
    let is_installed = |at: usize| installed.get(at).copied().unwrap_or(false);
    let to_build: Vec<&build::Task<'_>> =
        tasks.iter().enumerate().filter(|(at, _)| !is_installed(*at)).map(|(_, task)| *task).collect();
    for layout in to_build.chunk_by(|a, b| a.build == b.build) {
        say(name, layout[0].build, order.builds, tell);
        let left: Vec<&build::Task<'_>> =
            layout.iter().filter(|task| !failed.contains_key(&task.id)).copied().collect();
        let begun_ms = now_ms();
        let results = build::run(&left, variant, order.stop);
        let ns = now_ms().saturating_sub(begun_ms).max(0) as u64 * 1_000_000;
        took.all_ns += ns;
        if left.iter().all(|task| task.source.is_carried()) {
            took.carried_ns += ns;
        }
        for (task, result) in left.iter().zip(results) {
            match result {
                Ok(remarks) => remark(task, remarks, tell),
                Err(Error::Refused(problem)) if variant.again.is_none() => {
                    failed.insert(task.id.clone(), unbuilt(task.source, problem));
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(tasks.iter().map(|task| !failed.contains_key(&task.id)).collect())
}

/// Returns the first failure as an error if nothing could be built and so nothing is left to measure.
fn nothing_is_left(sources: &[Source], prepared: &Prepared) -> Option<Error> {
    let is_left = |source: &Source| !prepared.failed.contains_key(&build::id(source));
    let failures: Vec<Failure> = prepared.failed.values().cloned().collect();
    as_error(&failures).filter(|_| !sources.iter().any(is_left))
}

/// Returns the first of these failures as an error that ends the run; None if nothing failed.
pub fn as_error(failures: &[Failure]) -> Option<Error> {
    let first = failures.first()?;
    let what = match failures.len() {
        1 => first.what.clone(),
        several => format!("{}; {} others cannot be built either", first.what, several - 1),
    };
    Some(Error::Refused(Problem::from(&Failure { what, ..first.clone() })))
}

/// Returns the failure of a source whose build was rejected.
fn unbuilt(source: &Source, problem: Problem) -> Failure {
    let ProblemParts { what, place, why, remedy, .. } = problem.into_parts();
    let place = vec![source.file.clone().unwrap_or(place)];
    Failure { code: FailureCode::DY310, what, case: None, place, why, remedy }
}

/// Reports that a build begins. A layout is reported once for all suites.
fn say(what: &str, build: u32, builds: u32, tell: &mut dyn FnMut(Notice)) {
    tell(Notice::Building { what: what.to_owned(), layout: (builds > 1).then_some((build + 1, builds)) });
}

/// Reports the remarks of a build. They apply to all of its layouts.
fn remark(task: &build::Task<'_>, remarks: Vec<String>, tell: &mut dyn FnMut(Notice)) {
    remarks.into_iter().filter(|_| task.build == 0).for_each(|text| tell(Notice::OfBuild(text)));
}

/// Returns the data that is needed to measure these variants again. Omits baselines that are measured again,
/// because their own runs record it.
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
        // A program without a path is looked up on the PATH, as an installed runtime is.
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
