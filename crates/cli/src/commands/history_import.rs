//! `derny history import`: results of other tools, added to the history.

use super::confirm;
use crate::args::{Global, HistoryImportArgs};
use crate::foreign_file::{self, Opened};
use crate::live_names::LiveNames;
use crate::output::{self, Destination};
use crate::session;
use derny_analysis::template::Template;
use derny_engine::measure::now_ms;
use derny_history::{Added, Import, Place};
use derny_import::{Foreign, ReadError};
use derny_model::problem;
use derny_model::shown::visible;
use derny_report::numbers::counted;
use derny_workbench::project::git;
use derny_workbench::project::session::Session;
use derny_workbench::{Error, Outcome, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Number of newest runs whose cases count as known.
const RUNS: usize = 50;
/// Maximum number of notes on missing data to print.
const MOST_NOTES: usize = 6;
/// Number of trailing path components that identify a file. A copy of its folder elsewhere is thus
/// recognised.
const PARTS: usize = 3;

/// Adds the results of the files to the history. Reports those that cannot be read, and adds the others.
pub fn import(global: &Global, args: &HistoryImportArgs) -> Result<Outcome> {
    let template = args.path_template.as_deref().map(template).transpose()?;
    let session = session::open(global)?;
    let commit = args.commit.as_deref().map(|name| git::resolve(&session.project.root, name)).transpose()?;
    let is_there = |word: &String| word == "-" || Path::new(word).exists();
    if !args.files.iter().any(is_there) {
        // Create no store for a typing error.
        foreign_file::open(Path::new(&args.files[0]), args.format.as_deref())?;
    }
    let store = session.store()?;
    let measured = store.measured_names(RUNS, &[])?;
    let has_runs = !measured.is_empty();
    let import = Import::open(&store, &session.project.root, measured, now_ms())?;
    let mut taking = Taking { args, session: &session, template, commit, import, names: BTreeMap::new() };
    let mut out = Destination::stdout();
    let (mut left, mut taken) = (Vec::new(), 0);
    for word in &args.files {
        let mut read = Read::default();
        let done = taking.word(word, &mut read);
        left.append(&mut read.left);
        let added = taking.import.finish()?;
        if added.entries == 0 && done.is_ok() && left.is_empty() {
            left.push(problem!("{word} contains no result with a value").into());
        }
        left.extend(done.err());
        if added.entries == 0 {
            continue;
        }
        taken += 1;
        out.write(&format!("{}\n", visible(&format!("{word}: {}", about(&added, &read)))))?;
        if global.quiet == 0 {
            notes(&added, &read, has_runs).iter().for_each(|note| output::note(&format!("  {note}")));
        }
    }
    // If nothing was imported, the last error is the result.
    let only = if taken == 0 { left.pop() } else { None };
    left.iter().for_each(|error| output::note(&format!("not imported: {error}")));
    match only {
        Some(error) => Err(error),
        None if left.is_empty() => confirm::after(global, &session),
        None => Ok(Outcome::Failed.max(confirm::after(global, &session)?)),
    }
}

fn template(text: &str) -> Result<Template> {
    let refused = |why: String| problem!("{why}").place(format_args!("--path-template '{text}'"));
    Ok(Template::parse(text).map_err(refused)?)
}

/// What was read from the files of one argument.
#[derive(Default)]
struct Read {
    files: usize,
    formats: BTreeSet<&'static str>,
    /// Notes on missing data, and how often each occurred.
    unknown: BTreeMap<String, usize>,
    left: Vec<Error>,
}

struct Taking<'a> {
    args: &'a HistoryImportArgs,
    session: &'a Session,
    template: Option<Template>,
    commit: Option<String>,
    import: Import<'a>,
    /// Names of live runs, by format.
    names: BTreeMap<&'static str, LiveNames>,
}

impl Taking<'_> {
    /// Reads a file or the files of a folder. Only one file at a time is in memory.
    fn word(&mut self, word: &str, read: &mut Read) -> Result<()> {
        let (path, format) = (Path::new(word), self.args.format.as_deref());
        if !path.is_dir() {
            return self.file(&foreign_file::open(path, format)?, read);
        }
        for file in foreign_file::candidates(path, format) {
            match foreign_file::opened(&file, format) {
                Ok(Some(opened)) => {
                    if let Err(error) = self.file(&opened, read) {
                        read.left.push(error);
                    }
                }
                Ok(None) => {}
                Err(error) => read.left.push(error),
            }
        }
        if read.files == 0 && read.left.is_empty() {
            return Err(foreign_file::nothing(word).into());
        }
        Ok(())
    }

    fn file(&mut self, opened: &Opened, read: &mut Read) -> Result<()> {
        let place = self.place(opened);
        let Taking { args, session, import, names, .. } = self;
        let names = names.entry(opened.format.name).or_insert_with(|| LiveNames::of(session, opened.format));
        import.begin();
        let (mut failed, mut has_results) = (None, false);
        let mut take = |mut foreign: Foreign| {
            match &args.suite {
                Some(suite) => foreign.cases_mut().set_suite(suite),
                None => _ = names.give(foreign.cases_mut()),
            }
            has_results |= !foreign.cases().is_empty();
            foreign.unknown().into_iter().for_each(|note| *read.unknown.entry(note).or_default() += 1);
            import.add(foreign, &place).map_err(|error| {
                failed = Some(error);
                ReadError::whole("the store cannot be written")
            })
        };
        let done = opened.format.history(&opened.input(), &mut take);
        if let Some(error) = failed {
            return Err(error);
        }
        done.map_err(|error| opened.unreadable(&error))?;
        if !has_results {
            return Err(opened.empty().into());
        }
        read.files += 1;
        read.formats.insert(opened.format.name);
        Ok(())
    }

    fn place(&self, opened: &Opened) -> Place {
        let whole = std::path::absolute(&opened.name).unwrap_or_else(|_| PathBuf::from(&opened.name));
        let path = whole.to_string_lossy().replace('\\', "/");
        let mut parts: Vec<&str> = path.rsplit('/').take(PARTS).collect();
        parts.reverse();
        let fields = self.template.as_ref().and_then(|template| template.of_path(&path));
        let fields: BTreeMap<&str, &str> = fields.into_iter().flatten().collect();
        let field = |name: &str| fields.get(name).map(|value| (*value).to_owned());
        Place {
            file: opened.name.clone(),
            place: parts.join("/"),
            format: opened.format.name.to_owned(),
            time_ms: opened.time_ms,
            commit: field("commit").or_else(|| self.commit.clone()),
            date_ms: field("date").and_then(|date| derny_import::date_ms(&date)),
            host: field("host"),
        }
    }
}

/// Returns a summary of what an argument added, such as `120 entries of TOOL (FORMAT) in 3 files, 20 new: 300
/// points in 15 series`.
fn about(added: &Added, read: &Read) -> String {
    let tools: Vec<&str> = added.tools.iter().map(String::as_str).take(3).collect();
    let formats: Vec<&str> = read.formats.iter().copied().collect();
    let of = format!(
        "{} of {} ({})",
        counted(added.entries, "entry", "entries"),
        tools.join(", "),
        formats.join(", ")
    );
    let new = match (added.new, added.replaced) {
        (0, _) => return format!("{of}, all there already"),
        (new, 0) => format!("{new} new"),
        (new, 1) => format!("{new} new, of which 1 replaces an earlier one"),
        (new, replaced) => format!("{new} new, of which {replaced} replace earlier ones"),
    };
    format!(
        "{of} in {}, {new}: {} in {}",
        counted(read.files, "file", "files"),
        counted(added.points, "point", "points"),
        counted(added.series, "series", "series"),
    )
}

/// Returns notes on missing and doubtful data.
fn notes(added: &Added, read: &Read, has_runs: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if added.failed > 0 {
        notes.push(format!("left out: {} without a value", counted(added.failed, "result", "results")));
    }
    for (note, _) in read.unknown.iter().take(MOST_NOTES) {
        notes.push(format!("unknown: {note}"));
    }
    if read.unknown.len() > MOST_NOTES {
        notes.push(format!("unknown: {} more", read.unknown.len() - MOST_NOTES));
    }
    if added.without_commit > 0 {
        notes.push(format!(
            "unknown: commit of {} (use --commit or --path-template)",
            counted(added.without_commit, "entry", "entries")
        ));
    }
    if added.hosts.contains("") {
        notes.push("unknown: machine (--path-template can read {host})".to_owned());
    }
    if added.wrong_dates > 0 {
        notes.push(format!(
            "{} an impossible date: those of their commits or files are used",
            counted(added.wrong_dates, "entry has", "entries have")
        ));
    }
    if added.absent_commits > 0 {
        notes.push(format!(
            "{} not in this repository",
            counted(added.absent_commits, "commit is", "commits are")
        ));
    }
    if has_runs && added.known_cases == 0 {
        notes.push("no recent run of this store has measured these cases".to_owned());
    }
    notes
}
