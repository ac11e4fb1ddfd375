//! `derny import`: results of other tools, stored as runs.

use crate::args::{Global, ImportArgs};
use crate::foreign_file::{self, File};
use crate::live_names;
use crate::output::{self, Destination};
use crate::session;
use derny_analysis::template::Template;
use derny_engine::measure::now_ms;
use derny_import::{Foreign, Origin};
use derny_model::problem;
use derny_model::shown::visible_lines;
use derny_report::numbers::counted;
use derny_store::Store;
use derny_workbench::project::session::Session;
use derny_workbench::{Outcome, Result};
use std::borrow::Cow;
use std::path::Path;

/// Maximum number of failed cases to list per file.
const MOST_NAMED: usize = 8;
/// Minimum number of samples or cases in a large file.
const MUCH: usize = 1 << 16;

/// Imports the files. Reports those that cannot be imported, and imports the others.
pub fn import(global: &Global, args: &ImportArgs) -> Result<Outcome> {
    if let Some(name) = &args.save {
        Store::check_baseline_name(name)?;
        if args.files.len() > 1 {
            return Err(problem!("--save can name only one run")
                .remedy("import one file at a time, or use `derny runs baseline set NAME RUN`")
                .into());
        }
    }
    if let Some(text) = &args.name_template {
        Template::parse(text)
            .map_err(|why| problem!("{why}").place(format_args!("--name-template '{text}'")))?;
    }
    let session = session::open(global)?;
    let mut taking = Taking { global, args, session: &session, store: None, out: Destination::stdout() };
    let (mut left, mut taken, mut failed) = (Vec::new(), 0, false);
    for name in args.files.iter().flat_map(|name| foreign_file::files(name, args.format.as_deref())) {
        // Only one file at a time is in memory.
        match name.and_then(|name| taking.take(&name)) {
            Ok(has_failures) => {
                taken += 1;
                failed |= has_failures;
            }
            Err(error) => left.push(error),
        }
    }
    if args.save.is_some() && taken > 1 {
        output::note("--save names only the last of these runs");
    }
    // If no file was imported, the last error is the result.
    let only = if taken == 0 { left.pop() } else { None };
    left.iter().for_each(|error| output::note(&format!("not imported: {error}")));
    if let Some(error) = only {
        return Err(error);
    }
    Ok(if failed || !left.is_empty() { Outcome::Failed } else { Outcome::Done })
}

/// State of an import. The store is created when the first file can be read.
struct Taking<'a> {
    global: &'a Global,
    args: &'a ImportArgs,
    session: &'a Session,
    store: Option<Store>,
    out: Destination,
}

impl Taking<'_> {
    /// Stores one file. Returns true if the file contains failed cases.
    fn take(&mut self, name: &Path) -> Result<bool> {
        let file = read(self.session, self.args, name)?;
        let File { name, format, foreign, .. } = &file;
        let (name, failed, unknown) = (name.clone(), failed(foreign), foreign.unknown());
        let about = format!(
            "{}, {} of {} ({})",
            counted(foreign.cases().len(), "case", "cases"),
            counted(foreign.samples(), "sample", "samples"),
            foreign.tool,
            format.name,
        );
        let (id, is_new) = keep(self.session, &mut self.store, self.args, file)?;
        if let Some(name) = &self.args.save {
            opened(self.session, &mut self.store)?.set_baseline(name, &id)?;
        }
        if !is_new {
            self.out.write(&visible_lines(&format!("run {id}: {name} is already stored\n")))?;
            return Ok(!failed.is_empty());
        }
        self.out.write(&visible_lines(&format!("run {id}: {about} from {name}\n")))?;
        failed.iter().for_each(|case| output::note(&format!("  failed: {case}")));
        if self.global.quiet == 0 {
            unknown.iter().for_each(|what| output::note(&format!("  unknown: {what}")));
        }
        Ok(!failed.is_empty())
    }
}

/// Returns the first few cases of a file that have no results, with the reasons.
fn failed(foreign: &Foreign) -> Vec<String> {
    let count = foreign.failed.len();
    let first = foreign.failed.iter().take(MOST_NAMED);
    let mut all: Vec<String> =
        first.map(|(case, why)| format!("{}: {why}", foreign.cases().get(*case).id)).collect();
    if count > MOST_NAMED {
        all.push(format!("{} more", count - MOST_NAMED));
    }
    all
}

/// Returns the run that an argument of `derny compare` names. A file of another tool is imported first. Any
/// other argument is returned unchanged.
pub fn taken(session: &Session, word: &str) -> Result<String> {
    if !foreign_file::is_one(word) {
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
    let (id, is_new) = keep(session, &mut None, &args, read(session, &args, Path::new(word))?)?;
    output::note(&format!("{word} is {} run {id}", if is_new { "imported as" } else { "already stored as" }));
    Ok(id)
}

fn read(session: &Session, args: &ImportArgs, name: &Path) -> Result<File> {
    let mut file = foreign_file::read(name, args.format.as_deref())?;
    match &args.suite {
        Some(suite) => {
            file.foreign.cases_mut().set_suite(suite);
            file.suites = vec![suite.clone()];
        }
        None => file.suites = live_names::give(session, file.format, file.foreign.cases_mut()),
    }
    Ok(file)
}

fn opened<'a>(session: &Session, store: &'a mut Option<Store>) -> Result<&'a Store> {
    Ok(match store {
        Some(store) => store,
        None => store.insert(session.store()?),
    })
}

/// Stores a file, unless it was stored with the same options before. Returns the run's id, and true if the
/// run is new. For a large file, the recorder takes the store out of `opening`.
fn keep(
    session: &Session,
    opening: &mut Option<Store>,
    args: &ImportArgs,
    file: File,
) -> Result<(String, bool)> {
    let store = opened(session, opening)?;
    // Include the suites. Once the project contains the benchmarks themselves, the cases get other names, and
    // the same file has to be stored as another run.
    let way = [file.format.name, args.name_template.as_deref().unwrap_or_default()].into_iter();
    let way: Vec<&str> = way.chain(file.suites.iter().map(String::as_str)).collect();
    let hash = file.hash(&way);
    if let Some(known) = store.made_of(&hash)? {
        return Ok((known, false));
    }
    let id = store.new_run_id(now_ms() as u64 ^ u64::from(std::process::id()) << 32)?;
    let origin = Origin {
        id: id.clone(),
        format: file.format.name.to_owned(),
        file: file.name,
        time_ms: file.time_ms,
        derny: env!("CARGO_PKG_VERSION").to_owned(),
        args: session::words(),
        note: args.note.clone(),
        hash,
        name_template: args.name_template.clone(),
    };
    let is_much = file.foreign.samples().max(file.foreign.cases().len()) >= MUCH;
    let mut recorder = match opening.take_if(|_| is_much) {
        Some(store) => store.into_recorder()?,
        None => opened(session, opening)?.recorder()?,
    };
    let (header, cases, events) = derny_import::events(file.foreign, &origin);
    let by_name = || cases.by_name().map(|(number, case)| (number, Cow::Owned(case)));
    recorder.begin_file(&header, &|| Box::new(by_name()))?;
    drop(cases);
    recorder.take_file(events)?;
    Ok((id, true))
}
