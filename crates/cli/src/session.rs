//! What most verbs need first: the project, its store, its settings and its catalogue.

use crate::args::{Global, Selection, SettingArgs};
use crate::output;
use anyhow::{Context, Result, bail};
use derny_engine::discover::catalogue::{self, Asked, Asking, Catalogue, Index};
use derny_engine::discover::pattern::{self, Selector};
use derny_engine::discover::project::Project;
use derny_engine::discover::sdk;
use derny_engine::discover::{self, Source};
use derny_engine::launch::reaper::Reaper;
use derny_model::{Case, Failure, Variant};
use derny_report::Style;
use derny_store::Store;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// An open project.
pub struct Session<'a> {
    /// Flags of every verb.
    pub global: &'a Global,
    /// Where and what.
    pub project: Project,
}

impl<'a> Session<'a> {
    /// Finds the project around the working directory.
    pub fn open(global: &'a Global) -> Result<Session<'a>> {
        if let Some(directory) = &global.directory {
            std::env::set_current_dir(directory)
                .with_context(|| format!("-C: there is no folder {}", directory.display()))?;
        }
        let here = std::env::current_dir().context("the working directory is gone")?;
        let project = Project::find(&here, global.config.as_deref(), global.no_config)?;
        Ok(Session { global, project })
    }

    /// Folder of the store: flag, configuration, `.derny` in the root.
    pub fn store_folder(&self) -> PathBuf {
        let named = self.global.store.clone();
        let configured =
            || self.project.content.store.as_ref().map(|store| self.project.root.join(&store.path));
        named.or_else(configured).unwrap_or_else(|| self.project.root.join(".derny"))
    }

    /// Opens the store, and packs what dead engines left.
    pub fn store(&self) -> Result<Store> {
        let store = Store::open(&self.store_folder())?;
        store.recover()?;
        Ok(store)
    }

    /// The store if there is one, for verbs that only look.
    pub fn existing_store(&self) -> Result<Store> {
        match Store::open_existing(&self.store_folder())? {
            Some(store) => {
                store.recover()?;
                Ok(store)
            }
            None => bail!(self.no_runs()),
        }
    }

    /// What to say where there is nothing to look at.
    pub fn no_runs(&self) -> String {
        let folder = self.store_folder();
        format!(
            "there are no stored runs yet\n  where  {}\n  try    `derny run` measures and stores one",
            folder.display()
        )
    }

    /// Layers of settings.
    pub fn layers(&self, args: &SettingArgs) -> Result<crate::settings::Layers> {
        crate::settings::layers(&self.project, args)
    }

    /// Style of standard error.
    pub fn error_style(&self) -> Style {
        output::style(self.global, &std::io::stderr(), false)
    }

    /// Programs that hold the selected benchmarks.
    pub fn sources(&self, select: &Selection) -> Result<Vec<Source>> {
        if !select.command.is_empty() {
            return Ok(vec![discover::command(&self.project.root, &select.command)]);
        }
        Ok(discover::sources(&self.project, &sdk::all(), &selector(self, select))?)
    }
}

/// The selector of a selection. Paths are taken relative to the project's root.
pub fn selector(session: &Session<'_>, select: &Selection) -> Selector {
    let here = std::env::current_dir().unwrap_or_default();
    let below = here.strip_prefix(&session.project.root).map(PathBuf::from).unwrap_or_default();
    let place = |pattern: &String| {
        let path = here.join(pattern);
        match path.exists() && !below.as_os_str().is_empty() && !pattern.starts_with('/') {
            true => below.join(pattern).display().to_string(),
            false => pattern.clone(),
        }
    };
    let within_root = |pattern: String| {
        let root = format!("{}/", session.project.root.display());
        pattern.strip_prefix(&root).map_or(pattern.clone(), String::from)
    };
    Selector {
        patterns: select.patterns.iter().map(place).map(within_root).collect(),
        excludes: select.exclude.clone(),
    }
}

/// `-p KEY=VALUE`, repeated keys collected.
pub fn params(texts: &[String]) -> Result<Vec<(String, Vec<String>)>> {
    let mut params: Vec<(String, Vec<String>)> = Vec::new();
    for text in texts {
        let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            bail!("`-p {text}` is no KEY=VALUE");
        };
        match params.iter_mut().find(|(name, _)| name == key) {
            Some((_, values)) => values.push(value.to_string()),
            None => params.push((key.to_string(), vec![value.to_string()])),
        }
    }
    Ok(params)
}

/// What asking for the catalogue needs beside the selection.
pub struct Listing<'a> {
    /// The variant that lists.
    pub variant: &'a Variant,
    /// `mode=test`.
    pub test: bool,
    /// Time-out of a harness.
    pub timeout_ns: u64,
    /// Leave the index unread.
    pub refresh: bool,
    /// The watcher.
    pub reaper: Option<&'a Reaper>,
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
}

/// The selected cases of some sources, and what could not be listed.
pub fn catalogue(
    session: &Session<'_>,
    select: &Selection,
    sources: Vec<Source>,
    listing: &Listing<'_>,
    store: Option<&Store>,
) -> Result<(Catalogue, Vec<Failure>)> {
    let selector = selector(session, select);
    let asked = Asked { params: params(&select.param)?, test: listing.test };
    let asking = Asking {
        asked: &asked,
        selector: &selector,
        variant: listing.variant,
        timeout: Duration::from_nanos(listing.timeout_ns),
        reaper: listing.reaper,
        trace: session.global.verbose >= 2,
        stop: listing.stop,
    };
    let index = StoreIndex { store, refresh: listing.refresh };
    let (mut catalogue, failures) = catalogue::list(sources, asking, &index);
    let all: Vec<String> = catalogue.cases.iter().map(|case| case.id.to_string()).collect();
    catalogue.retain(|case| selector.selects(case));
    if catalogue.cases.is_empty() && failures.is_empty() {
        session.nothing(&select.patterns, &all);
    }
    Ok((catalogue, failures))
}

impl Session<'_> {
    /// Says that no case is there, or none that matches, and what comes near.
    pub fn nothing(&self, patterns: &[String], all: &[String]) {
        let quoted: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
        if all.is_empty() {
            output::note(&format!(
                "error: no benchmarks found\n  where  {}\n  try    `derny init` writes a first one",
                self.project.root.display()
            ));
            return;
        }
        let mut text = format!("error: no case matches {}", quoted.join(" or "));
        let near = patterns.iter().flat_map(|p| pattern::closest(p, all.iter().map(String::as_str)));
        let near: Vec<String> = near.take(3).collect();
        if !near.is_empty() {
            text.push_str(&format!("\n  closest: {}", near.join(", ")));
        }
        text.push_str("\n  list them with `derny list`");
        output::note(&text);
    }
}

struct StoreIndex<'a> {
    store: Option<&'a Store>,
    refresh: bool,
}

impl Index for StoreIndex<'_> {
    fn get(&self, key: &str) -> Option<Vec<Case>> {
        // An index that cannot be read is one that remembers nothing.
        self.store.filter(|_| !self.refresh)?.index_get(key).ok().flatten()
    }

    fn put(&self, key: &str, cases: &[Case]) {
        if let Some(store) = self.store {
            let _ = store.index_put(key, cases);
        }
    }
}

/// Becomes true at the first Ctrl-C or termination; the second ends the program at once.
pub fn interruptible() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}
