//! A session: the project, store, settings and catalogue that most commands need.

use crate::config::options::{Narrow, Place, Selection, Stated};
use crate::config::settings::{self, Layers};
use crate::error::{Doing, Error, Result};
use crate::notice::Notice;
use crate::project::{extra_args, git};
use derny_engine::discover::asking::{Asked, Asking};
use derny_engine::discover::catalogue::{self, Catalogue, Index};
use derny_engine::discover::listing;
use derny_engine::discover::offers::{self, Offers};
use derny_engine::discover::pattern::{self, Chosen, Selector};
use derny_engine::discover::project::Project;
use derny_engine::discover::sdk::Sdks;
use derny_engine::discover::{self, Source, build_folders};
use derny_engine::launch::environment;
use derny_engine::launch::reaper::Reaper;
use derny_model::{Case, Failure, FailureCode, Package, Problem, Variant, problem};
use derny_store::{ErrorKind, Location, Store, StoreError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// An open project, with the options of the command.
#[derive(Debug)]
pub struct Session {
    /// The directory of the session, and the options that apply to all of its commands.
    pub place: Place,
    /// The project that contains the directory.
    pub project: Project,
    /// The SDKs that this binary contains.
    pub sdks: Sdks,
}

impl Session {
    /// Opens the project that contains the directory of `place`.
    ///
    /// # Errors
    /// Fails if a configuration file cannot be read.
    pub fn open(place: Place) -> Result<Session> {
        let sdks = Sdks::carried();
        let conventions = sdks.all().iter().flat_map(|sdk| &sdk.harness);
        let markers: Vec<&str> = conventions.filter_map(|convention| convention.marker.as_deref()).collect();
        let project = Project::find(&place.directory, place.config.as_deref(), place.no_config, &markers)?;
        let session = Session { place, project, sdks };
        session.location();
        Ok(session)
    }

    /// Returns the location of the store: the one in the options, or in the configuration, or else `.derny`
    /// in the root.
    pub fn location(&self) -> Location {
        let own = self.project.root.join(".derny");
        let stated = self.project.content.store.as_ref();
        let location = match (&self.place.store, stated) {
            (Some(named), _) => Location::named(named, &own),
            (None, Some(stated)) => Location::named(Path::new(stated), &own).within(&self.project.root),
            (None, None) => Location::Folder(own),
        };
        if let Location::Database { .. } = location {
            environment::store_is_on_server();
        }
        location
    }

    /// Returns the folder for data that stays on this machine: the store's folder, or `.derny` in the root if
    /// the store is on a server.
    pub fn store_folder(&self) -> PathBuf {
        match self.location() {
            Location::Folder(folder) | Location::Database { folder, .. } => folder,
        }
    }

    /// Creates the folder `name` in [`Session::store_folder`].
    ///
    /// # Errors
    /// Fails if the folder cannot be created. The message contains its path.
    pub fn folder_in_store(&self, name: &str) -> Result<PathBuf> {
        let store = self.store_folder();
        derny_store::folder(&store, name).doing(|| format!("cannot write in {}", store.display()))
    }

    /// Opens the store, and packs the data that killed engines left unpacked.
    ///
    /// # Errors
    /// Fails if the store fails.
    pub fn store(&self) -> Result<Store> {
        let store = self.location().open()?;
        store.recover()?;
        Ok(store)
    }

    /// Opens the store if it exists, without requiring write access, for commands that only read.
    ///
    /// # Errors
    /// Fails if the store fails, or with [`Session::no_runs`] if there is none.
    pub fn existing_store(&self) -> Result<Store> {
        let store = self.location().open_to_read()?.ok_or_else(|| self.no_runs())?;
        // Recovery fails without write access. The data of a killed engine is then read unpacked.
        let _ = store.recover();
        Ok(store)
    }

    /// Returns the error for a project without stored runs.
    pub fn no_runs(&self) -> Problem {
        problem!("there are no stored runs yet")
            .place(self.location())
            .remedy("`derny run` measures and stores one")
    }

    /// Returns the layers of settings. Those from the command line take precedence.
    ///
    /// # Errors
    /// Fails like [`settings::layers`].
    pub fn layers(&self, stated: &Stated) -> Result<Layers> {
        settings::layers(&self.project, stated)
    }

    /// Returns the programs that contain the selected benchmarks, and a failure for each missing file that a
    /// suite names. Reports benchmark files of other tools. `sides` are files that variants name instead of a
    /// benchmark file.
    ///
    /// # Errors
    /// Fails if discovery fails, or with [`Error::Nothing`] if there are only files of other tools.
    pub fn sources(
        &self,
        select: &Selection,
        sides: &[String],
        tell: &mut dyn FnMut(Notice),
    ) -> Result<(Vec<Source>, Vec<Failure>)> {
        if !select.command.is_empty() {
            let root = &self.project.root;
            let source = discover::known_command(root, self.sdks.all(), &select.command);
            let suite = select.suite.clone().unwrap_or_else(|| source.suite.clone());
            let sources = vec![extra_args::covered(select, Source { suite, ..source })];
            extra_args::refuse_nowhere(select, &sources)?;
            return Ok((sources, Vec::new()));
        }
        let selector = self.selector(select);
        let found = match self.only_side(&selector, sides) {
            Some(file) => {
                let side = discover::of_side(&self.project, &self.sdks, file)?;
                discover::Found { sources: side.into_iter().collect(), ..Default::default() }
            }
            None => discover::sources(&self.project, &self.sdks, &selector)?,
        };
        let mut tools: BTreeMap<String, (Vec<String>, Option<String>)> = BTreeMap::new();
        for foreign in found.foreign {
            let (files, hint) = tools.entry(foreign.tool).or_default();
            files.push(foreign.file);
            *hint = foreign.hint;
        }
        let names: Vec<String> = tools.keys().cloned().collect();
        let hints: Vec<String> = tools.values().filter_map(|(_, hint)| hint.clone()).collect();
        tools.into_iter().for_each(|(tool, (files, hint))| tell(Notice::Foreign { tool, files, hint }));
        if found.sources.is_empty() && !names.is_empty() {
            let own = || "`derny init LANGUAGE` writes a first benchmark for Derny".to_owned();
            return Err(Error::Nothing(
                problem!("all benchmarks found here belong to {}", names.join(", "))
                    .place(self.project.root.display())
                    .remedy(hints.into_iter().next().unwrap_or_else(own)),
            ));
        }
        extra_args::refuse_nowhere(select, &found.sources)?;
        let sources = self.words(select).applied(found.sources);
        let sources = sources.into_iter().map(|source| extra_args::added(select, source)).collect();
        let missing = found.missing.into_iter().map(|(suite, file)| not_there(&suite, file));
        Ok((sources, missing.collect()))
    }

    /// Returns all programs of the project that contain benchmarks and can be found. Launches none.
    pub fn programs(&self) -> Vec<Source> {
        let found = discover::sources(&self.project, &self.sdks, &Selector::default());
        found.map_or_else(|_| Vec::new(), |found| found.sources)
    }

    /// Returns globs of the files that a variant may name as its program instead of a benchmark file.
    pub fn side_globs(&self) -> Vec<String> {
        let conventions = self.sdks.all().iter().flat_map(|sdk| &sdk.harness);
        conventions
            .filter(|convention| convention.sides)
            .flat_map(|convention| convention.files.clone())
            .collect()
    }

    /// Returns the first of the files that variants name. Returns `None` if a pattern already names such a
    /// file, because then only that file is used.
    fn only_side<'a>(&self, selector: &Selector, sides: &'a [String]) -> Option<&'a str> {
        let globs = self.side_globs();
        let named = selector.named_files(&self.project.root).any(|file| discover::names_side(&globs, file));
        sides.first().map(String::as_str).filter(|_| !named)
    }

    /// Returns the selector for the cases of the project's programs.
    pub fn selector(&self, select: &Selection) -> Selector {
        self.selector_of(&self.words(select).patterns, &select.exclude, Vec::new())
    }

    /// Returns the words of a selection, without the one that names a build folder.
    fn words(&self, select: &Selection) -> build_folders::Words {
        let (here, root, sdks) = (&self.place.directory, &self.project.root, self.sdks.all());
        build_folders::split(&select.patterns, here, root, sdks)
    }

    /// Returns the selector of a stored run's cases.
    ///
    /// # Errors
    /// Fails if a parameter is not `KEY=VALUE`.
    pub fn stored_selector(&self, patterns: &[String], narrow: &Narrow) -> Result<Selector> {
        Ok(self.selector_of(patterns, &narrow.exclude, params(&narrow.params)?))
    }

    /// Builds a selector. Makes paths relative to the project's root, like the paths in cases.
    fn selector_of(
        &self,
        patterns: &[String],
        excludes: &[String],
        params: Vec<(String, Vec<String>)>,
    ) -> Selector {
        let here = &self.place.directory;
        let below = here.strip_prefix(&self.project.root).map(PathBuf::from).unwrap_or_default();
        let root = format!("{}/", self.project.root.display());
        let place = |pattern: &String| {
            // `sub/...` matches everything below a folder.
            let (path, tree) =
                match pattern.strip_suffix("...").filter(|path| path.is_empty() || path.ends_with('/')) {
                    Some(path) => (path, "/..."),
                    None => (pattern.as_str(), ""),
                };
            let is_here = here.join(path).exists() && !below.as_os_str().is_empty() && !path.starts_with('/');
            let inside = || below.join(path).components().collect::<PathBuf>();
            let placed = if is_here { format!("{}{tree}", inside().display()) } else { pattern.clone() };
            placed.strip_prefix(&root).map_or(placed.clone(), String::from)
        };
        let all = |words: &[String]| words.iter().map(place).collect();
        Selector { patterns: all(patterns), excludes: all(excludes), params }
    }

    /// Returns the selected cases of some sources. Failures to list are added to the earlier ones in `lost`
    /// and do not affect other sources.
    ///
    /// # Errors
    /// Fails if a parameter is not `KEY=VALUE`, or with [`Error::Nothing`] if there is no case or none
    /// matches.
    pub fn catalogue(
        &self,
        select: &Selection,
        (sources, lost): (Vec<Source>, Vec<Failure>),
        listing: &Listing<'_>,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<(Catalogue, Vec<Failure>)> {
        let (mut catalogue, mut failures) = self.listed(select, sources, listing)?;
        let selector = self.selector(select);
        failures.extend(lost);
        let failures = Self::related(&selector, &catalogue, failures, tell);
        let unmatched = selector.choose(&catalogue.cases.iter().collect::<Vec<&Case>>()).unmatched;
        let files: Vec<&str> =
            failures.iter().flat_map(|failure| &failure.place).map(String::as_str).collect();
        let Some(selector) = selector.beside(&unmatched, &files) else {
            catalogue.retain(|_| false);
            return Ok((catalogue, failures));
        };
        match self.narrow(&selector, &mut catalogue, failures.is_empty(), tell) {
            Err(error) if failures.is_empty() => Err(error),
            _ => {
                Notice::numbered(&catalogue.cases).into_iter().for_each(&mut *tell);
                extra_args::refuse_untaken(select, &catalogue)?;
                self.given(select, &mut catalogue, failures.is_empty(), tell)?;
                Ok((catalogue, failures))
            }
        }
    }

    /// Excludes cases whose parameters differ from the values in `select`, because a program may ignore them.
    /// Reports how many cases lack such a parameter. `whole` is true if everything could be listed.
    ///
    /// # Errors
    /// Fails with [`Error::Nothing`] if no case has such a value, or if derny.toml sets a parameter that no
    /// case of the suite has.
    pub(crate) fn given(
        &self,
        select: &Selection,
        catalogue: &mut Catalogue,
        whole: bool,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<()> {
        if whole && select.patterns.is_empty() {
            set_for_nothing(catalogue)?;
        }
        for (key, values) in params(&select.params)? {
            let cases: Vec<&Case> = catalogue.cases.iter().collect();
            let meant = pattern::meant(&key, &values, &cases);
            let is_meant = |own: &str| meant.iter().any(|value| pattern::is_value(own, value));
            let own = || cases.iter().filter_map(|case| pattern::value(case, &key));
            if let Some(absent) = meant.iter().find(|value| !own().any(|own| pattern::is_value(own, value))) {
                if whole && !cases.is_empty() {
                    return Err(Error::Nothing(
                        problem!("no case has {key}={absent}")
                            .place(format_args!("-p {key}={}", values.join(&format!(" -p {key}="))))
                            .known(pattern::parameters(&key, &cases))
                            .remedy(format_args!(
                                "omit -p {key}, or choose a parameter that `derny list` shows"
                            )),
                    ));
                }
                if !own().any(is_meant) {
                    continue;
                }
            }
            let (of, without) = (cases.len(), cases.len() - own().count());
            catalogue.retain(|case| pattern::value(case, &key).is_none_or(is_meant));
            if without > 0 {
                tell(Notice::WithoutParameter { key, cases: without, of });
            }
        }
        Ok(())
    }

    /// Returns the failures that concern the selection. The others are only reported as one-line notices. A
    /// failed file concerns the selection unless every pattern matches listed cases and no pattern can match
    /// the file.
    fn related(
        selector: &Selector,
        catalogue: &Catalogue,
        failures: Vec<Failure>,
        tell: &mut dyn FnMut(Notice),
    ) -> Vec<Failure> {
        let cases: Vec<&Case> = catalogue.cases.iter().collect();
        let all_meant = !cases.is_empty() && selector.choose(&cases).unmatched.is_empty();
        let is_named = |name: &String| selector.patterns.iter().any(|word| name.contains(word.as_str()));
        let is_apart = |failure: &Failure| match &failure.place[..] {
            [file] => all_meant && selector.is_apart_from(file),
            [name, file] => all_meant && selector.is_apart_from(file) && !is_named(name),
            _ => false,
        };
        let (apart, related): (Vec<Failure>, Vec<Failure>) = failures.into_iter().partition(is_apart);
        for failure in apart {
            let file = failure.place.into_iter().next_back().unwrap_or_default();
            let why = failure.why.lines().next().unwrap_or_default().to_owned();
            tell(Notice::NotListed { file, why });
        }
        related
    }

    /// Returns all cases of some sources, and the failures to list. The selection only limits which programs
    /// are listed.
    ///
    /// # Errors
    /// Fails if a parameter is not `KEY=VALUE`.
    pub fn listed(
        &self,
        select: &Selection,
        sources: Vec<Source>,
        listing: &Listing<'_>,
    ) -> Result<(Catalogue, Vec<Failure>)> {
        let selector = self.selector(select);
        let asked = Asked { params: params(&select.params)?, test: listing.test };
        let index = StoreIndex { store: listing.cache, refresh: listing.refresh };
        Ok(catalogue::list(sources, listing.asking(self, &asked, &selector), &index))
    }

    /// Returns the capabilities that the programs of the catalogue declare. Stops asking programs once
    /// `is_enough` returns true.
    ///
    /// # Errors
    /// Fails if a parameter is not `KEY=VALUE`.
    pub fn offers(
        &self,
        select: &Selection,
        catalogue: &Catalogue,
        listing: &Listing<'_>,
        is_enough: impl Fn(&Offers) -> bool,
    ) -> Result<Offers> {
        let selector = self.selector(select);
        let asked = Asked { params: params(&select.params)?, test: listing.test };
        Ok(offers::offers(catalogue, listing.asking(self, &asked, &selector), is_enough))
    }

    /// Returns the packages that the processes of a source load for some benchmark files.
    ///
    /// # Errors
    /// Fails if a parameter is not `KEY=VALUE`, or if a program does not start.
    pub fn packages(
        &self,
        select: &Selection,
        (source, files): (&Source, &[&str]),
        listing: &Listing<'_>,
    ) -> Result<Vec<Package>> {
        let selector = self.selector(select);
        let asked = Asked { params: params(&select.params)?, test: listing.test };
        let told = listing::packages(source, files, listing.asking(self, &asked, &selector));
        Ok(told.map_err(|failure| Problem::from(&failure))?)
    }

    /// Keeps the selected cases, and reports how many of all cases they are.
    ///
    /// # Errors
    /// Fails with [`Error::Nothing`] if there is no case or none matches. With `strict`, every single
    /// pattern must match a case.
    pub fn narrow(
        &self,
        selector: &Selector,
        catalogue: &mut Catalogue,
        strict: bool,
        tell: &mut dyn FnMut(Notice),
    ) -> Result<()> {
        let cases: Vec<&Case> = catalogue.cases.iter().collect();
        if cases.is_empty() {
            return Err(Error::Nothing(self.no_benchmarks(selector)));
        }
        let chosen = selector.choose(&cases);
        let is_refused = chosen.count() == 0 || (strict && !chosen.unmatched.is_empty());
        let refusal = is_refused.then(|| self.refusal(selector, &chosen, &cases));
        catalogue.retain(|case| chosen.has(case));
        if let Some(refusal) = refusal {
            return Err(Error::Nothing(refusal));
        }
        Notice::selected(&chosen).into_iter().for_each(tell);
        Ok(())
    }

    /// Returns the error for a word that is not a run. If git has a revision of that name, adds a remedy.
    pub(crate) fn or_revision(&self, word: &str, error: StoreError) -> StoreError {
        match error.kind == ErrorKind::Unknown && git::resolve(&self.project.root, word).is_ok() {
            true => StoreError {
                problem: error
                    .problem
                    .remedy(format_args!("`{word}` is a revision: `derny run --against {word}` measures it")),
                ..error
            },
            false => error,
        }
    }

    /// Returns the error for a selection without cases, in the named files or in the whole project.
    fn no_benchmarks(&self, selector: &Selector) -> Problem {
        let exists = |word: &&String| self.project.root.join(word).exists();
        let named: Vec<&str> = selector.patterns.iter().filter(exists).map(String::as_str).collect();
        if named.is_empty() {
            let remedy = "`derny init LANGUAGE` writes a first one";
            return Problem::new("no benchmarks found").place(self.project.root.display()).remedy(remedy);
        }
        Problem::new("no benchmarks found")
            .place(named.join(", "))
            .why("its name and content match no suite")
            .remedy(
                "rename it like the example that `derny init LANGUAGE` writes, and define a benchmark in it; or set `files` in derny.toml",
            )
    }

    fn refusal(&self, selector: &Selector, chosen: &Chosen, cases: &[&Case]) -> Problem {
        let exists = |word: &&String| self.project.root.join(word).exists();
        let unmatched = |word: &&String| chosen.unmatched.contains(word);
        let files: Vec<&str> = selector.patterns.iter().filter(exists).map(String::as_str).collect();
        let empty = selector.patterns.iter().filter(exists).find(unmatched);
        let place = match empty {
            None if !files.is_empty() => format!("in {}", files.join(", ")),
            _ => String::new(),
        };
        let empty = empty.map_or(String::new(), |word| format!("there are no benchmarks in {word}"));
        pattern::refusal(chosen, cases, &place).why(empty).remedy("`derny list` shows every case")
    }
}

/// Returns the failure for a missing file that a suite of derny.toml names.
fn not_there(suite: &str, file: String) -> Failure {
    Failure {
        code: FailureCode::DY310,
        what: format!("suite `{suite}` of derny.toml names a file that does not exist"),
        case: None,
        variant: None,
        why: format!("`files` names {file}, which does not exist"),
        place: vec![file],
        remedy: "fix `files` of the suite in derny.toml, or remove the suite".to_owned(),
    }
}

/// Fails if derny.toml sets a parameter that no case of the suite has. All cases of the project must have
/// been listed.
fn set_for_nothing(catalogue: &Catalogue) -> Result<()> {
    for source in &catalogue.sources {
        let cases = catalogue.listed.iter().map(|(case, _)| case);
        let cases: Vec<&Case> = cases.filter(|case| case.id.suite == source.suite).collect();
        let has = |key: &str| cases.iter().any(|case| pattern::value(case, key).is_some());
        if let Some((key, _)) = source.params.iter().find(|(key, _)| !cases.is_empty() && !has(key)) {
            return Err(problem!(
                "suite `{}` of derny.toml sets the parameter `{key}`, but none of its cases has it",
                source.suite
            )
            .known(pattern::parameters(key, &cases))
            .remedy("fix `params` of the suite")
            .into());
        }
    }
    Ok(())
}

/// Parses `KEY=VALUE` texts. Collects the values of a repeated key.
///
/// # Errors
/// Fails if a text has no key.
pub fn params(texts: &[String]) -> Result<Vec<(String, Vec<String>)>> {
    let mut params: Vec<(String, Vec<String>)> = Vec::new();
    for text in texts {
        let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Err(problem!("`-p {text}` is not KEY=VALUE").into());
        };
        match params.iter_mut().find(|(name, _)| name == key) {
            Some((_, values)) => values.push(value.to_string()),
            None => params.push((key.to_string(), vec![value.to_string()])),
        }
    }
    Ok(params)
}

/// The context of every step of the pipeline.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The project.
    pub session: &'a Session,
    /// The store of the runs.
    pub store: &'a Store,
    /// The reaper, which ends harnesses if this process dies.
    pub reaper: Option<&'a Reaper>,
    /// Set to true when the user wants to stop, or when events can no longer be stored.
    pub stop: &'a AtomicBool,
}

/// The context for launching the programs of a project.
#[derive(Clone, Copy)]
pub struct Launcher<'a> {
    /// The project.
    pub session: &'a Session,
    /// The reaper, which ends harnesses if this process dies.
    pub reaper: Option<&'a Reaper>,
    /// Set to true when the user wants to stop.
    pub stop: &'a AtomicBool,
}

impl<'a> Bench<'a> {
    /// Returns the context for launching programs.
    pub fn launcher(self) -> Launcher<'a> {
        let Bench { session, reaper, stop, .. } = self;
        Launcher { session, reaper, stop }
    }
}

/// Options for listing cases, besides the selection.
pub struct Listing<'a> {
    /// The context for launching the programs.
    pub launcher: Launcher<'a>,
    /// The store in which the cases of benchmark files are cached. Without one, nothing is cached.
    pub cache: Option<&'a Store>,
    /// The variant whose programs are listed.
    pub variant: &'a Variant,
    /// True to request the smallest valid input of every benchmark (`mode=test`).
    pub test: bool,
    /// Time limit for each answer from a harness, in ns.
    pub timeout_ns: u64,
    /// True to list all cases again, instead of reading them from the index.
    pub refresh: bool,
}

impl Listing<'_> {
    fn asking<'a>(&'a self, session: &Session, asked: &'a Asked, selector: &'a Selector) -> Asking<'a> {
        Asking {
            asked,
            selector,
            variant: self.variant,
            timeout: Duration::from_nanos(self.timeout_ns),
            reaper: self.launcher.reaper,
            trace: session.place.trace,
            stop: self.launcher.stop,
        }
    }
}

struct StoreIndex<'a> {
    store: Option<&'a Store>,
    refresh: bool,
}

impl Index for StoreIndex<'_> {
    fn get(&self, key: &str) -> Option<Vec<Case>> {
        // Treat an unreadable index as empty.
        self.store.filter(|_| !self.refresh)?.index_get(key).ok().flatten()
    }

    fn put(&self, key: &str, cases: &[Case]) {
        if let Some(store) = self.store {
            let _ = store.index_put(key, cases);
        }
    }
}
