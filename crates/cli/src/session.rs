//! Opens a session of the workbench from the command line, and handles the signals that stop it.

use crate::args::Global;
use crate::output;
use derny_engine::launch::reaper::Reaper;
use derny_model::problem;
use derny_model::secrets::word_without_secrets;
use derny_workbench::config::options::Place;
use derny_workbench::error::Doing;
use derny_workbench::project::queue::{self, Turn};
use derny_workbench::project::session::{Bench, Session};
use derny_workbench::{Error, Notice, Result};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Changes to the directory of `-C`, and finds the project that contains it.
pub fn open(global: &Global) -> Result<Session> {
    if let Some(directory) = &global.directory {
        std::env::set_current_dir(directory).map_err(|cause| {
            let shown = directory.display();
            let problem = problem!("cannot work in {shown}: {}", cause)
                .place(format_args!("-C {shown}"))
                .remedy("name a folder that exists");
            Error::File { problem, cause }
        })?;
    }
    let directory = std::env::current_dir().doing(|| "the working directory no longer exists".into())?;
    Session::open(Place {
        directory,
        config: global.config.clone(),
        no_config: global.no_config,
        store: global.store.clone(),
        seed: global.seed,
        echo: global.verbose >= 1,
        trace: global.verbose >= 2,
        words: words(),
    })
}

/// Returns the command-line arguments as stored with a run, with secrets masked.
pub fn words() -> Vec<String> {
    let word = |word: std::ffi::OsString| word_without_secrets(&word.to_string_lossy()).into_owned();
    std::env::args_os().skip(1).map(word).collect()
}

/// Returns the watcher, another instance of this program, which ends harnesses if this process dies.
pub fn reaper() -> Result<Reaper> {
    Ok(Reaper::new(&std::env::current_exe()?))
}

/// Waits until no other measurement on this machine is in progress. Returns None without waiting if
/// `at_once` is true. The next measurement can begin when the returned turn is dropped.
pub fn turn(global: &Global, bench: Bench<'_>, at_once: bool) -> Result<Option<Turn>> {
    let wait = &mut |engine| output::notice(global, &Notice::Queued { engine });
    if at_once { Ok(None) } else { queue::take(bench.stop, wait).map(Some) }
}

/// Returns a flag that becomes true at the first Ctrl-C or termination signal. A second signal ends the
/// program at once.
pub fn interruptible() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}
