//! `derny mcp`: this program's verbs as tools, for agents.

use crate::args::Global;
use crate::session;
use derny_mcp::Place;
use derny_workbench::{Outcome, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Serves on standard input and output until the client closes them. Each call opens the project itself, so a
/// broken derny.toml does not stop the server.
pub fn mcp(global: &Global) -> Result<Outcome> {
    let here = std::env::current_dir()?;
    let folder = global.directory.as_ref().map_or_else(|| here.clone(), |folder| here.join(folder));
    let options = options(global, &here);
    let place = Place { program: std::env::current_exe()?, folder, options, reaper: session::reaper()? };
    derny_mcp::serve(place, std::io::stdin(), std::io::stdout())?;
    Ok(Outcome::Done)
}

/// Returns the global options to pass to every call. Relative paths are resolved against `here`, because
/// calls run in the project's folder instead.
fn options(global: &Global, here: &Path) -> Vec<OsString> {
    let mut options: Vec<OsString> = vec!["--color=never".into()];
    if global.no_config {
        options.push("--no-config".into());
    }
    let mut named = |name: &str, path: Option<PathBuf>| {
        if let Some(path) = path {
            let mut option = OsString::from(name);
            option.push(path);
            options.push(option);
        }
    };
    let is_address = |store: &Path| store.to_string_lossy().contains("://");
    named("--config=", global.config.as_ref().map(|file| here.join(file)));
    named("--store=", global.store.as_ref().filter(|store| !is_address(store)).map(|store| here.join(store)));
    named("--store=", global.store.clone().filter(|store| is_address(store)));
    options
}
