//! Builds the variants of a run: the worktrees of their revisions, and the programs of their sources. A built
//! variant contains its launch directory and the folders of its builds.

use crate::config::options::Selection;
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
use derny_model::{Built, Failure, FailureCode, Problem, ProblemParts, Program, Settings, Variant, problem};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The result of building. Holds the locks that exclude other engines, so it must live as long as the run.
#[derive(Debug, Default)]
pub struct Prepared {
    /// Failures of builds by the id of the build, if other builds succeeded.
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
    /// Returns the sources that were built on every side, and the failures of the other builds.
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
    /// Set to true when the user wants to stop.
    pub stop: &'a AtomicBool,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// The sources of the variants.
    pub sources: &'a [Source],
    /// True if there are further sources that remain to be measured if all of `sources` fail.
    pub others: bool,
    /// Sources of a baseline that is measured again. The baseline uses them instead of `sources`.
    pub base: &'a [Source],
    /// True if the run is resumed. The working tree is then not built again, and only missing worktrees are
    /// created again.
    pub goes_on: bool,
    /// Builds that already exist, such as those of a plan.
    pub prebuilt: Option<&'a dyn Prebuilt>,
}

/// A source of builds that already exist, perhaps made on another machine.
pub trait Prebuilt: fmt::Debug {
    /// Copies the output of these builds of a variant into their folders. Returns one flag per build: true
    /// if its output was copied. The other builds still have to be run.
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
    /// Names of the suites that are not built into separate folders.
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

/// Builds each variant. `tell` receives a notice when a build begins, and for variants that are launched in
/// the same way. The returned [`Prepared`] must live as long as the variants are used.
///
/// # Errors
/// Fails if a build fails or the user wants to stop. Fails with [`Error::NotAgain`] if a baseline cannot be
/// built again.
pub fn build(
    order: Order<'_>,
    resolved: Vec<ResolvedVariant>,
    tell: &mut dyn FnMut(Notice),
) -> Result<(Vec<Variant>, Prepared)> {
    let session = order.session;
    say_alike(&resolved, tell);
    check(order.sources, order.settings.builds)?;
    check_args(order.sources, &resolved)?;
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

/// Reports variants that are launched in the same way. Omits controls, which are launched alike on purpose.
fn say_alike(variants: &[ResolvedVariant], tell: &mut dyn FnMut(Notice)) {
    let way = |variant: &Variant| {
        let Variant { command, args, build_args, env, revision, benchmark, again, .. } = variant.clone();
        (command, args, build_args, env, revision, benchmark, again)
    };
    let own: Vec<&Variant> = variants.iter().map(|variant| &**variant).filter(|one| !one.control).collect();
    for (at, other) in own.iter().enumerate() {
        if let Some(first) = own[..at].iter().find(|first| way(first) == way(other)) {
            let sides = (first.name.clone(), other.name.clone());
            let how = "are launched in the same way: any difference between them is noise".to_owned();
            tell(Notice::Same { sides, how });
        }
    }
}

/// Fails if several layouts are requested of a suite that cannot be built into several folders.
fn check(sources: &[Source], builds: u32) -> Result<()> {
    if builds < 2 {
        return Ok(());
    }
    let built: Vec<&Source> = sources.iter().filter(|source| !source.build.is_empty()).collect();
    if built.is_empty() {
        return Err(problem!("the setting `builds` needs a build command, and no selected suite has one")
            .remedy("set build = \"…\" under [suite.NAME] of derny.toml")
            .into());
    }
    if let Some(source) = built.iter().find(|source| !source.is_built_apart()) {
        return Err(problem!("suite `{}` is always built into the same folder", source.suite)
            .why("several builds are measured in one run")
            .remedy(
                "use {build} in its `build` and its `command`, such as\n\
                 build = \"make OUT={build}\"\n\
                 harness = { command = \"{build}/bench\" }",
            )
            .into());
    }
    Ok(())
}

/// Fails if no build command accepts the build arguments of a variant, or if two variants would overwrite
/// each other. This happens if both are built from one tree into the same place, with different arguments.
fn check_args(sources: &[Source], variants: &[ResolvedVariant]) -> Result<()> {
    let Some(variant) = variants.iter().find(|variant| !variant.build_args.is_empty()) else { return Ok(()) };
    let words = variant.build_args.join(" ");
    let mut taking = sources.iter().filter(|source| source.takes_build_args()).peekable();
    if taking.peek().is_none() {
        return Err(problem!("variant {}: no build of a selected suite accepts `{words}`", variant.name)
            .remedy("add {build-args} as a word to its `build` in derny.toml")
            .into());
    }
    let Some(source) = taking.find(|source| !source.is_built_apart()) else { return Ok(()) };
    // Revisions do not overwrite each other: each has a worktree per way to build it.
    let mut in_place =
        variants.iter().filter(|variant| variant.revision.is_none() && variant.again.is_none());
    let Some(first) = in_place.next() else { return Ok(()) };
    if let Some(other) = in_place.find(|other| other.build_args != first.build_args) {
        return Err(problem!(
            "variants {} and {} would be the same program: suite `{}` is always built into the same folder",
            first.name,
            other.name,
            source.suite
        )
        .remedy("use {build} in its `build` and in its `command`")
        .into());
    }
    Ok(())
}

/// Fails if there are build arguments, but only revisions are built and no side is one. The arguments would
/// have no effect.
pub(crate) fn refuse_unbuilt(
    select: &Selection,
    sources: &[Source],
    variants: &[ResolvedVariant],
) -> Result<()> {
    let builds = |source: &&Source| {
        source.takes_build_args()
            && variants.iter().any(|variant| !source.at(variant).build.is_empty() || variant.again.is_some())
    };
    match sources.first() {
        Some(first) if !select.build_args.is_empty() && !sources.iter().any(|source| builds(&source)) => {
            let words = select.build_args.join(" ");
            Err(problem!("--build-args: `{words}` has no effect")
                .place(format_args!("suite `{}`", first.suite))
                .why("only revisions are built, and no side is a revision")
                .remedy("use revisions as sides, such as -x main@main")
                .into())
        }
        _ => Ok(()),
    }
}

/// Returns a value that is equal for two variants if both are built in the same way and are therefore the
/// same program.
fn way(sources: &[Source], variant: &Variant) -> impl PartialEq + use<> {
    let lines: Vec<Vec<String>> = sources.iter().map(|source| source.build_line(variant)).collect();
    let env = |source: &Source| source.build_env(variant).into_iter().cloned().collect();
    let env: Vec<Vec<(String, String)>> = sources.iter().map(env).collect();
    (variant.revision.clone(), variant.again.clone(), lines, env)
}

/// Builds one variant. If a run is resumed, does not build the working tree again.
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
    if order.settings.builds > 1 {
        differ(order.sources, &built)?;
    }
    Ok(built)
}

/// Fails if several builds of a variant are the same program, because they would not sample the layout.
fn differ(sources: &[Source], variant: &Variant) -> Result<()> {
    for source in sources.iter().filter(|source| source.is_built_apart()) {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for build in 0..variant.builds.len() {
            let words = source.words(variant, build as u32, &[]);
            let directory = source.root_for(variant).join(&source.directory);
            let Some(program) = binary::identity(&words, &directory) else { continue };
            if let Some(other) = seen.insert(program, build) {
                return Err(problem!(
                    "builds {other} and {build} of suite `{}` are the same program",
                    source.suite
                )
                .place(Path::new(&variant.builds[build]).display())
                .why("the build ignores DERNY_PADDING, which must change the code layout")
                .remedy("use a recipe from docs/guide/variants.md, or omit the setting `builds`")
                .into());
            }
        }
    }
    Ok(())
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
    let (session, builds) = (order.session, order.settings.builds);
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

/// Builds the working tree. Returns the folders of the builds. Every run builds, because the sources may
/// have changed since the last build. A build that is up to date costs little.
fn working_tree(
    order: Order<'_>,
    variant: &Variant,
    prepared: &mut Prepared,
    tell: &mut dyn FnMut(Notice),
) -> Result<Vec<String>> {
    let (session, sources, builds) = (order.session, order.sources, order.settings.builds);
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

/// Runs builds, one layout after the other. Returns one flag per build: true if it succeeded. The failure
/// of one file or folder does not affect the others. A build that already failed on another side or for
/// another layout is skipped, because it could not be compared.
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
        say(name, layout[0].build, order.settings.builds, tell);
        let left: Vec<&build::Task<'_>> =
            layout.iter().filter(|task| !failed.contains_key(&task.id)).copied().collect();
        let limit = Duration::from_nanos(order.settings.build_timeout_ns);
        let begun_ms = now_ms();
        let results = build::run(&left, variant, (limit, order.stop));
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

/// Returns the first of these failures as an error that ends the run. Returns None if nothing failed.
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
    Failure { code: FailureCode::DY310, what, case: None, variant: None, place, why, remedy }
}

/// Reports that a build begins. A layout is reported once for all suites.
fn say(what: &str, build: u32, builds: u32, tell: &mut dyn FnMut(Notice)) {
    tell(Notice::Building { what: what.to_owned(), layout: (builds > 1).then_some((build + 1, builds)) });
}

/// Reports the remarks of a build, once for all of its layouts.
fn remark(task: &build::Task<'_>, remarks: Vec<String>, tell: &mut dyn FnMut(Notice)) {
    remarks.into_iter().filter(|_| task.build == 0).for_each(|text| tell(Notice::OfBuild(text)));
}

/// Returns the data that is needed to measure these variants again. Omits a baseline that was measured
/// again, because its own run has that data.
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
