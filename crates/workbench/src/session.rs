//! What most verbs need first: the project, its store, its settings and its catalogue.

use crate::error::{Error, Result, refuse, refused};
use crate::options::{Place, Selection, Stated};
use crate::settings::{self, Layers};
use derny_engine::discover::catalogue::{self, Asked, Asking, Catalogue, Index};
use derny_engine::discover::pattern::{self, Selector};
use derny_engine::discover::project::Project;
use derny_engine::discover::sdk::Sdks;
use derny_engine::discover::{self, Source};
use derny_engine::launch::reaper::Reaper;
use derny_model::{Case, Failure, Variant};
use derny_store::Store;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// An open project.
#[derive(Debug)]
pub struct Session {
    /// Where it works, and what holds for all that it does.
    pub place: Place,
    /// The project around that.
    pub project: Project,
    /// The languages it knows: those that this program carries.
    pub sdks: Sdks,
}

impl Session {
    /// Finds the project around the place's directory.
    ///
    /// # Errors
    /// A configuration file that cannot be read.
    pub fn open(place: Place) -> Result<Session> {
        let project = Project::find(&place.directory, place.config.as_deref(), place.no_config)?;
        Ok(Session { place, project, sdks: Sdks::carried() })
    }

    /// Folder of the store: that of the place, of the configuration, or `.derny` in the root.
    pub fn store_folder(&self) -> PathBuf {
        let named = self.place.store.clone();
        let stated = self.project.content.store.as_ref().and_then(|store| store.path.as_ref());
        let configured = || stated.map(|path| self.project.root.join(path));
        named.or_else(configured).unwrap_or_else(|| self.project.root.join(".derny"))
    }

    /// Opens the store, and packs what dead engines left.
    ///
    /// # Errors
    /// Those of the store.
    pub fn store(&self) -> Result<Store> {
        let store = Store::open(&self.store_folder())?;
        store.recover()?;
        Ok(store)
    }

    /// Opens the store if there is one, for verbs that only look.
    ///
    /// # Errors
    /// Those of the store, and [`Session::no_runs`] where there is none.
    pub fn existing_store(&self) -> Result<Store> {
        let store = Store::open_existing(&self.store_folder())?.ok_or_else(|| self.no_runs())?;
        store.recover()?;
        Ok(store)
    }

    /// The error that there is nothing to look at.
    pub fn no_runs(&self) -> Error {
        let folder = self.store_folder();
        refused!(
            "there are no stored runs yet\n  where  {}\n  try    `derny run` measures and stores one",
            folder.display()
        )
    }

    /// Layers of settings, with what the caller states on top.
    ///
    /// # Errors
    /// Those of [`settings::layers`].
    pub fn layers(&self, stated: &Stated) -> Result<Layers> {
        settings::layers(&self.project, stated)
    }

    /// Programs that hold the selected benchmarks.
    ///
    /// # Errors
    /// Those of discovery.
    pub fn sources(&self, select: &Selection) -> Result<Vec<Source>> {
        if !select.command.is_empty() {
            return Ok(vec![discover::command(&self.project.root, &select.command)]);
        }
        Ok(discover::sources(&self.project, &self.sdks, &self.selector(select))?)
    }

    /// The selector of a selection. Paths are taken relative to the project's root.
    pub fn selector(&self, select: &Selection) -> Selector {
        let here = &self.place.directory;
        let below = here.strip_prefix(&self.project.root).map(PathBuf::from).unwrap_or_default();
        let place = |pattern: &String| {
            let path = here.join(pattern);
            match path.exists() && !below.as_os_str().is_empty() && !pattern.starts_with('/') {
                true => below.join(pattern).display().to_string(),
                false => pattern.clone(),
            }
        };
        let within_root = |pattern: String| {
            let root = format!("{}/", self.project.root.display());
            pattern.strip_prefix(&root).map_or(pattern.clone(), String::from)
        };
        Selector {
            patterns: select.patterns.iter().map(place).map(within_root).collect(),
            excludes: select.exclude.clone(),
        }
    }

    /// The selected cases of some sources, and what could not be listed.
    ///
    /// # Errors
    /// Parameters that are no `KEY=VALUE`; [`Error::Nothing`] if no case is there, or none that matches.
    pub fn catalogue(
        &self,
        select: &Selection,
        sources: Vec<Source>,
        listing: &Listing<'_>,
        store: Option<&Store>,
    ) -> Result<(Catalogue, Vec<Failure>)> {
        let selector = self.selector(select);
        let asked = Asked { params: params(&select.params)?, test: listing.test };
        let asking = Asking {
            asked: &asked,
            selector: &selector,
            variant: listing.variant,
            timeout: Duration::from_nanos(listing.timeout_ns),
            reaper: listing.reaper,
            trace: self.place.trace,
            stop: listing.stop,
        };
        let index = StoreIndex { store, refresh: listing.refresh };
        let (mut catalogue, failures) = catalogue::list(sources, asking, &index);
        match self.narrow(select, &mut catalogue) {
            Err(error) if failures.is_empty() => Err(error),
            _ => Ok((catalogue, failures)),
        }
    }

    /// Leaves the selected cases in a catalogue.
    ///
    /// # Errors
    /// [`Error::Nothing`] if no case is left.
    pub fn narrow(&self, select: &Selection, catalogue: &mut Catalogue) -> Result<()> {
        let selector = self.selector(select);
        let all: Vec<String> = catalogue.cases.iter().map(|case| case.id.to_string()).collect();
        catalogue.retain(|case| selector.selects(case));
        if catalogue.cases.is_empty() { Err(self.nothing(&select.patterns, &all)) } else { Ok(()) }
    }

    /// The error that no case is there, or none that matches, with what comes near.
    fn nothing(&self, patterns: &[String], all: &[String]) -> Error {
        let quoted: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
        if all.is_empty() {
            return Error::Nothing(format!(
                "no benchmarks found\n  where  {}\n  try    `derny init` writes a first one",
                self.project.root.display()
            ));
        }
        let mut text = format!("no case matches {}", quoted.join(" or "));
        let near = patterns.iter().flat_map(|p| pattern::closest(p, all.iter().map(String::as_str)));
        let near: Vec<String> = near.take(3).collect();
        if !near.is_empty() {
            text.push_str(&format!("\n  closest: {}", near.join(", ")));
        }
        text.push_str("\n  list them with `derny list`");
        Error::Nothing(text)
    }
}

/// Reads `KEY=VALUE` texts, with the values of a key that is repeated together.
///
/// # Errors
/// A text without a key.
pub fn params(texts: &[String]) -> Result<Vec<(String, Vec<String>)>> {
    let mut params: Vec<(String, Vec<String>)> = Vec::new();
    for text in texts {
        let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            refuse!("`-p {text}` is no KEY=VALUE");
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
    /// Ask for the smallest honest form of every benchmark (`mode=test`).
    pub test: bool,
    /// Time-out of a harness, in ns.
    pub timeout_ns: u64,
    /// Leave the index unread.
    pub refresh: bool,
    /// The watcher that ends harnesses should this process die.
    pub reaper: Option<&'a Reaper>,
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
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
