//! A project that a test drives through the workbench, without the command line.

use derny_store::Store;
use derny_workbench::config::options::Place;
use derny_workbench::pipeline::{self, Concluded, News, Ready, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::project::session::Session;
use derny_workbench::{Outcome, Result};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A project in a temporary folder, which is removed on drop.
pub struct Project {
    pub root: PathBuf,
    pub session: Session,
    pub store: Store,
    pub stop: AtomicBool,
}

impl Project {
    pub fn new() -> Project {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("derny-workbench-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let root = root.canonicalize().unwrap();
        let place = Place {
            directory: root.clone(),
            no_config: true,
            store: Some(root.join("store")),
            seed: Some(7),
            words: vec!["a test".into()],
            ..Place::default()
        };
        let session = Session::open(place).unwrap();
        let store = session.store().unwrap();
        Project { root, session, store, stop: AtomicBool::new(false) }
    }

    pub fn bench(&self) -> Bench<'_> {
        Bench { session: &self.session, store: &self.store, reaper: None, stop: &self.stop }
    }

    pub fn run(
        &self,
        options: &RunOptions,
        tell: &mut dyn FnMut(News<'_>) -> io::Result<()>,
    ) -> Result<Ended> {
        match pipeline::plan(self.bench(), options, &pipeline::Occasion::default(), tell)? {
            Ready::Planned(planned) => pipeline::run(self.bench(), options, *planned, tell).map(Ok),
            Ready::Early(outcome) => Ok(Err(outcome)),
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// The results of a run, or the outcome of planning if nothing was measured.
pub type Ended = std::result::Result<Concluded, Outcome>;

/// Returns the results of a run, and panics if it ended before measuring.
pub fn concluded(ended: Ended) -> Concluded {
    ended.unwrap_or_else(|outcome| panic!("it ended early: {outcome:?}"))
}
