//! `derny import`: results of other tools, stored as runs.

use crate::args::{Global, ImportArgs};
use crate::output::{self, Destination};
use crate::session;
use anyhow::{Context, Result, anyhow, bail};
use derny_analysis::template::Template;
use derny_engine::measure::now_ms;
use derny_import::{FORMATS, Foreign, Format, Input, Origin};
use derny_report::numbers::counted;
use derny_store::Store;
use derny_workbench::session::Session;
use derny_workbench::{Outcome, source};
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Imports. A file that cannot be read as results is told, and the others are taken.
pub fn import(global: &Global, args: &ImportArgs) -> Result<Outcome> {
    if let Some(name) = &args.save {
        Store::check_baseline_name(name)?;
        if args.files.len() > 1 {
            bail!("--save names one run\n  try    a file at a time, or `derny baseline set NAME RUN`");
        }
    }
    if let Some(text) = &args.name_template {
        Template::parse(text).map_err(|why| anyhow!("{why}\n  where  --name-template '{text}'"))?;
    }
    let session = session::open(global)?;
    let (mut files, mut left) = (Vec::new(), Vec::new());
    for name in &args.files {
        match read(args, name) {
            Ok(file) => files.push(file),
            Err(error) => left.push(error),
        }
    }
    // Where nothing is left to take, nothing was done.
    let only = if files.is_empty() { left.pop() } else { None };
    left.iter().for_each(|error| output::note(&format!("not imported: {error:#}")));
    if let Some(error) = only {
        return Err(error);
    }
    let store = session.store()?;
    let mut out = Destination::open(None)?;
    for file in &files {
        let id = keep(&store, args, file)?;
        if let Some(name) = &args.save {
            store.set_baseline(name, &id)?;
        }
        let (cases, samples) = (file.foreign.cases().len(), file.foreign.samples());
        out.write(&format!(
            "run {id}: {}, {} of {} ({}) from {}\n",
            counted(cases, "case", "cases"),
            counted(samples, "sample", "samples"),
            file.foreign.tool,
            file.format.name,
            file.name
        ))?;
        if global.quiet == 0 {
            file.foreign.unknown.iter().for_each(|what| output::note(&format!("  not known: {what}")));
        }
    }
    let failed = files.iter().any(|file| !file.foreign.failed.is_empty());
    Ok(if failed || !left.is_empty() { Outcome::Failed } else { Outcome::Done })
}

/// The run that a word of `derny compare` means: a file of another tool is imported first. Any other word stays as it is.
pub fn taken(session: &Session, word: &str) -> Result<String> {
    let is_foreign = || {
        let bytes = std::fs::read(word).ok()?;
        derny_import::guess(&Input { bytes: &bytes, name: word })
    };
    if source::is_file(word) || !Path::new(word).is_file() || is_foreign().is_none() {
        return Ok(word.to_owned());
    }
    let args = ImportArgs {
        files: vec![word.to_owned()],
        format: None,
        suite: None,
        name_template: None,
        save: None,
        note: None,
    };
    let id = keep(&session.store()?, &args, &read(&args, word)?)?;
    output::note(&format!("{word} is imported as run {id}"));
    Ok(id)
}

/// A file as it was read.
struct File {
    name: String,
    /// Of its last change, ms since the epoch.
    time_ms: i64,
    format: &'static Format,
    foreign: Foreign,
}

fn read(args: &ImportArgs, name: &str) -> Result<File> {
    let mut bytes = Vec::new();
    let mut time_ms = now_ms();
    if name == "-" {
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        let fails = || format!("cannot read {name}\n  try    a file that exists and can be read");
        bytes = std::fs::read(name).with_context(fails)?;
        let changed = std::fs::metadata(name).and_then(|data| data.modified()).ok();
        let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        time_ms = since.map_or(time_ms, |since| since.as_millis() as i64);
    }
    let base =
        Path::new(name).file_name().map_or(name.to_owned(), |base| base.to_string_lossy().into_owned());
    let input = Input { bytes: &bytes, name: &base };
    let format = match &args.format {
        Some(format) => derny_import::format(format),
        None => derny_import::guess(&input),
    };
    let Some(format) = format else {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        bail!(
            "{name} looks like nothing that can be imported\n  known  {}\n  try    --format, where you know what it is; Derny's own files need no import: `derny show FILE`",
            known.join(", ")
        );
    };
    let mut foreign = (format.read)(&input).map_err(|error| {
        anyhow!(
            "{name} cannot be imported as {}\n  where  {}\n  try    another --format, or the tool again",
            format.name,
            place(&error)
        )
    })?;
    if foreign.cases().is_empty() {
        bail!("{name} holds no results\n  where  read as {}\n  try    another --format", format.name);
    }
    if let Some(suite) = &args.suite {
        foreign.cases_mut().iter_mut().for_each(|case| case.id.suite.clone_from(suite));
    }
    Ok(File { name: name.to_owned(), time_ms, format, foreign })
}

fn place(error: &derny_import::ReadError) -> String {
    match error.line {
        Some(line) => format!("line {line}\n  why    {}", error.reason),
        None => format!("the file as a whole\n  why    {}", error.reason),
    }
}

/// Stores it and gives the run's id.
fn keep(store: &Store, args: &ImportArgs, file: &File) -> Result<String> {
    let id = store.new_run_id(now_ms() as u64 ^ u64::from(std::process::id()) << 32)?;
    let origin = Origin {
        id: id.clone(),
        format: file.format.name.to_owned(),
        file: file.name.clone(),
        time_ms: file.time_ms,
        derny: env!("CARGO_PKG_VERSION").to_owned(),
        args: std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(),
        note: args.note.clone(),
        name_template: args.name_template.clone(),
    };
    let mut recorder = store.recorder()?;
    for event in derny_import::events(&file.foreign, &origin) {
        recorder.on_event(&event)?;
    }
    Ok(id)
}
