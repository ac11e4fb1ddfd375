//! `derny config`: every setting and the origin of its value.

use crate::args::{ConfigArgs, Format, Global};
use crate::output::{self, Destination};
use crate::session;
use derny_report::{self as report, settings::SettingRow};
use derny_store::Location;
use derny_workbench::config::settings::{self, KEYS, Mode};
use derny_workbench::project::session::Session;
use derny_workbench::{Outcome, Result};

pub fn config(global: &Global, args: &ConfigArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let layers = session.layers(&(&args.settings).into())?;
    // Invalid values are an error here too, since users look for them here.
    settings::resolve(&layers, Mode { quick: args.settings.quick, ..Mode::default() }, Vec::new())?;
    let mut rows = places(global, &session);
    rows.extend(KEYS.iter().map(|key| {
        let (value, origin) = &layers[key.name];
        row(key.name, value, &origin.to_string(), key.about)
    }));
    let style = output::style(global, &std::io::stdout(), false);
    let text = match args.format {
        Format::Json => report::settings::json(&rows),
        _ => report::settings::table(&rows, &style),
    };
    Destination::stdout().write_as(args.format.into(), &text)?;
    Ok(Outcome::Done)
}

fn row(key: &str, value: &str, origin: &str, about: &str) -> SettingRow {
    SettingRow { key: key.into(), value: value.into(), origin: origin.into(), about: about.into() }
}

/// Returns the rows for the project's folder, its file and its store.
fn places(global: &Global, session: &Session) -> Vec<SettingRow> {
    let project = &session.project;
    let named = |variable: &str| {
        let set = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        if set { variable.to_string() } else { "command line".to_string() }
    };
    let file = project.file.as_ref().map(|file| file.display().to_string());
    let file_origin = match (&file, &global.config) {
        (None, _) if global.no_config => "--no-config".to_string(),
        (None, _) => "none in this folder or above".to_string(),
        (Some(_), Some(_)) => named("DERNY_CONFIG"),
        (Some(_), None) => "nearest derny.toml".to_string(),
    };
    let root_origin = match &file {
        Some(_) => "folder of the file",
        None if project.root.join(".git").exists() => "nearest .git",
        None => "working directory",
    };
    let store_origin = match (&global.store, &project.content.store, &file) {
        (Some(_), ..) => named("DERNY_STORE"),
        (None, Some(_), Some(file)) => file.clone(),
        _ => "default".to_string(),
    };
    let store = match session.location() {
        Location::Folder(folder) => std::path::absolute(&folder).unwrap_or(folder).display().to_string(),
        on_server => on_server.to_string(),
    };
    vec![
        row("root", &project.root.display().to_string(), root_origin, "folder of the project"),
        row("file", file.as_deref().unwrap_or("none"), &file_origin, "the project's configuration"),
        row("store", &store, &store_origin, "where runs are stored"),
    ]
}
