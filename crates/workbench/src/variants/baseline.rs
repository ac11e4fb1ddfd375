//! Finds the code of a stored run, to measure it again as a variant next to the new code.
//!
//! Prefers the programs that the run was measured with: kept copies, or the originals if they are still in
//! place. A source that has to be built comes from the run's commit, in a worktree. This module measures and
//! compares nothing.

use crate::error::{Error, Result};
use crate::project::git;
use crate::project::session::Session;
use crate::variants::kept_programs;
use derny_engine::discover::Source;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::pattern::Selector;
use derny_engine::launch::binary;
use derny_engine::observe::machine;
use derny_model::{Again, AgainFrom, Built, Case, Program, RunHeader, Variant};
use derny_store::Store;
use std::path::Path;

/// A stored run to measure again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Name by which the user referred to the run.
    pub name: String,
    /// Id of the run.
    pub run: String,
}

/// The code of a stored run, as a variant.
#[derive(Debug, Clone)]
pub struct Base {
    /// The variant that launches the code.
    pub variant: Variant,
    /// The sources of the variant.
    pub sources: Vec<Source>,
}

/// Returns the code of the stored run `wanted`, as a variant to measure together with these sources. `builds`
/// is the number of layouts.
///
/// # Errors
/// Fails if the store fails, or with [`Error::NotAgain`] if the code cannot be measured again.
pub fn base(
    session: &Session,
    store: &Store,
    wanted: &Wanted,
    sources: &[Source],
    builds: u32,
) -> Result<Base> {
    let header = store.summary(&wanted.run)?.header;
    of_run(session, &header, wanted, sources, builds).map_err(Error::NotAgain)
}

fn of_run(
    session: &Session,
    header: &RunHeader,
    wanted: &Wanted,
    sources: &[Source],
    builds: u32,
) -> Result<Base, String> {
    if let Some(imported) = &header.imported {
        return Err(format!("its results were imported ({})", imported.format));
    }
    if header.settings.attached {
        return Err("it was measured by `derny dev attach`".into());
    }
    let own = &header.variants[header.own_variant() as usize];
    if let Some(benchmark) = &own.benchmark {
        return Err(format!("it measured `{benchmark}` instead of its cases"));
    }
    let ways = sources.iter().map(|source| way(session, header, source, builds));
    let ways: Vec<Way> = ways.filter_map(Result::transpose).collect::<Result<_, String>>()?;
    if ways.is_empty() {
        return Err("it measured none of these benchmark files".into());
    }
    let from = match ways.iter().any(|way| way.needs_tree) {
        true => AgainFrom::Commit,
        false => AgainFrom::Program,
    };
    let revision = match from {
        AgainFrom::Commit => Some(commit(session, header, own, &ways)?),
        AgainFrom::Program => None,
    };
    let again = Again {
        run: header.id.clone(),
        started_ms: header.started_ms,
        commit: source_commit(header, own),
        from,
    };
    let variant = Variant {
        name: wanted.name.clone(),
        // The stored launch lines contain the command. Runs of older versions have no launch lines.
        command: own.command.clone().filter(|_| header.built.is_empty()),
        args: own.args.clone(),
        build_args: own.build_args.clone(),
        env: own.env.clone(),
        revision,
        again: Some(again),
        ..Variant::default()
    };
    Ok(Base { variant, sources: ways.into_iter().map(|way| way.source).collect() })
}

/// The way to launch a source of the stored run.
struct Way {
    source: Source,
    needs_tree: bool,
    /// True if one of its programs has to be built again.
    gone: bool,
}

fn way(session: &Session, header: &RunHeader, source: &Source, builds: u32) -> Result<Option<Way>, String> {
    // A run of an older version has no launch lines. Its commit is launched like the new code.
    if header.built.is_empty() {
        return Ok(Some(Way { source: source.clone(), needs_tree: true, gone: false }));
    }
    let own = header.own_variant();
    let is_it =
        |built: &&Built| built.variant == own && built.suite == source.suite && built.file == source.file;
    let Some(built) = header.built.iter().find(is_it) else { return Ok(None) };
    let mut command = built.launch.clone();
    let mut gone = false;
    for program in &built.programs {
        match at_hand(session, header, built, program).filter(|_| builds < 2) {
            Some(path) => command[program.word as usize] = path,
            // Without a build command, the program cannot be built again.
            None if built.command.is_empty() && builds < 2 => {
                return Err(format!("{} has changed since that run, and no copy was kept", program.path));
            }
            None => gone = true,
        }
    }
    let needs_tree = gone || built.needs_sources || built.programs.is_empty();
    let needs_build = gone || built.programs.is_empty();
    let source = Source {
        command,
        lister: Vec::new(),
        args: Vec::new(),
        suite_args: Vec::new(),
        // The stored launch line already contains the arguments.
        build_args: Vec::new(),
        build: if needs_build { built.command.clone() } else { Vec::new() },
        directory: (&built.directory).into(),
        ..source.clone()
    };
    Ok(Some(Way { source, needs_tree, gone }))
}

/// Returns the path of a program with the same content: a kept copy, or the original in its place. If a build
/// is about to overwrite that place, copies the original first. None if the content no longer exists.
fn at_hand(session: &Session, header: &RunHeader, built: &Built, program: &Program) -> Option<String> {
    // A kept program of another machine may depend on files that this machine lacks.
    if header.machine.host == machine::machine().host
        && let Some(path) = kept_programs::find(session, &program.hash)
    {
        return Some(path.display().to_string());
    }
    if binary::program(Path::new(&program.path)).as_ref() != Some(&program.hash) {
        return None;
    }
    if built.command.is_empty() {
        return Some(program.path.clone());
    }
    kept_programs::copy(session, program).ok().map(|path| path.display().to_string())
}

fn source_commit(header: &RunHeader, own: &Variant) -> Option<derny_model::Commit> {
    match &own.revision {
        Some(hash) => Some(derny_model::Commit { hash: hash.clone(), branch: None, dirty: false }),
        None => header.commit.clone(),
    }
}

/// Returns the hash of the commit to check out. The error is one sentence that explains why there is none.
fn commit(session: &Session, header: &RunHeader, own: &Variant, ways: &[Way]) -> Result<String, String> {
    let program = if ways.iter().any(|way| way.gone) { ", and its program was not kept" } else { "" };
    let Some(commit) = source_commit(header, own) else {
        return Err(format!("it has no git commit{program}"));
    };
    let short: String = commit.hash.chars().take(7).collect();
    if commit.dirty {
        return Err(format!("it had uncommitted changes on top of commit {short}{program}"));
    }
    if git::resolve(&session.project.root, &commit.hash).is_ok() {
        return Ok(commit.hash);
    }
    Err(match git::is_shallow(&session.project.root) {
        None => format!("its commit {short} is needed, but there is no git repository here{program}"),
        Some(true) => {
            format!(
                "its commit {short} is not in this clone{program}; `git fetch --unshallow` fetches the commit"
            )
        }
        Some(false) => {
            format!(
                "its commit {short} is not in this clone{program}; `git fetch origin {}` fetches the commit",
                commit.hash
            )
        }
    })
}

/// Returns the names of the selected cases that the base has and the new code lacks.
pub fn gone(catalogue: &Catalogue, base: &Catalogue, selector: &Selector) -> Vec<String> {
    let chosen = selector.choose(&base.cases.iter().collect::<Vec<&Case>>());
    let is_gone = |case: &&Case| catalogue.listed.iter().all(|(own, _)| own.id != case.id);
    let gone = base.cases.iter().filter(|case| chosen.has(case)).filter(is_gone);
    gone.map(|case| case.id.to_string()).collect()
}

/// Removes the cases that the base lacks or defines differently. Also returns each removed case with the
/// reason as a clause. `name` is the name of the base.
pub fn common(mut catalogue: Catalogue, base: &Catalogue, name: &str) -> (Catalogue, Vec<(String, String)>) {
    let why = |case: &Case| match base.cases.iter().find(|other| other.id == case.id) {
        None => Some(format!("{name} does not have it")),
        Some(other) if other.timing != case.timing || other.ops != case.ops || other.again != case.again => {
            Some(format!("{name} times it, or counts its operations, differently"))
        }
        Some(_) => None,
    };
    let left: Vec<_> =
        catalogue.cases.iter().filter_map(|case| Some((case.id.to_string(), why(case)?))).collect();
    catalogue.retain(|case| why(case).is_none());
    (catalogue, left)
}

/// Joins the two catalogues, so that the variants with the indices `variants` run the base's counterparts of
/// the cases.
pub fn join(mut catalogue: Catalogue, base: Catalogue, variants: &[u32]) -> Catalogue {
    let before = catalogue.sources.len();
    catalogue.sources.extend(base.sources);
    for (i, case) in (0..).zip(&mut catalogue.cases) {
        let Some(at) = base.cases.iter().position(|other| other.id == case.id) else { continue };
        let other = &base.cases[at];
        case.max_iterations = [case.max_iterations, other.max_iterations].into_iter().flatten().min();
        let alike =
            |a: &Case, b: &Case| (&a.args, &a.env, &a.global_setup) == (&b.args, &b.env, &b.global_setup);
        case.isolate |= other.isolate || !alike(case, other);
        for variant in variants {
            catalogue.partners.insert((i, *variant), (other.clone(), before + base.source_of[at]));
        }
    }
    catalogue
}
