//! `derny report`: stored results as a page for sharing.

use crate::args::{Global, ReportArgs};
use crate::commands::history::Asked;
use crate::explain;
use crate::output::{self, Destination};
use crate::session;
use derny_analysis::picture;
use derny_analysis::scaling::{self, Over};
use derny_engine::launch::environment;
use derny_model::{Case, CaseId, Document, History, Scaling, problem};
use derny_report::html::{self, Page, Profile, Traces};
use derny_store::{ErrorKind, Store};
use derny_workbench::config::options::Stored;
use derny_workbench::project::session::Session;
use derny_workbench::project::{git, remote};
use derny_workbench::results::compare::{self, Sides, Words};
use derny_workbench::results::diagnoses;
use derny_workbench::results::source::{self, Source};
use derny_workbench::results::stored;
use derny_workbench::{Outcome, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub fn report(global: &Global, args: &ReportArgs) -> Result<Outcome> {
    check_name(args.output.as_deref())?;
    let session = session::open(global)?;
    let written = match (&args.output, args.open) {
        (None, true) => Some(session.folder_in_store(diagnoses::PAGE)?.join("report.html")),
        (output, _) => output.clone(),
    };
    let mut out = match args.output {
        Some(_) => Destination::open(global, written.as_deref())?,
        None => Destination::unreported(written.as_deref())?,
    };
    out.not_to_terminal("a page", "use --open for a browser, or -o report.html")?;
    let (runs, patterns) = parted(&session, &args.words)?;
    let shown = Stored {
        run: runs.last().cloned().or_else(|| patterns.first().cloned()),
        patterns: if runs.is_empty() { patterns.iter().skip(1).cloned().collect() } else { patterns.clone() },
        narrow: (&args.narrow).into(),
        name_template: None,
    };
    if runs.iter().filter(|word| *word == "-").count() > 0 && runs.len() > 1 {
        return Err(problem!("standard input can be read only once, and a comparison needs it twice")
            .remedy("name a file for one of them")
            .into());
    }
    let (source, store) = stored::source(&session, &shown, &mut output::told(global))?;
    let (source, document) = concluded(&session, args, &runs, source, store.as_ref())?;
    let history = match (&store, &source) {
        (Some(store), Source::Records(_)) => histories(&session, store, &document)?,
        _ => Vec::new(),
    };
    let from_here = store.is_some() || git::has(&session.project.root, document.run.commit.as_ref());
    let around = Around { session: &session, history: &history, from_here };
    out.write_by(|to| page(&source, &document, &around, to))?;
    drop(out);
    if let Some(file) = written.filter(|_| args.open) {
        browse(global, &file)?;
    }
    Ok(Outcome::Done)
}

/// Opens a file with the system's default program for it.
fn browse(global: &Global, file: &Path) -> Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = environment::program(opener).arg(file).status();
    if !opened.is_ok_and(|status| status.success()) {
        let what = problem!("`{opener}` cannot open the page").place(file.display());
        return Err(what.remedy("open this file in a browser").into());
    }
    if global.quiet == 0 {
        output::note(&format!("opened {}", file.display()));
    }
    Ok(())
}

/// Splits the arguments into runs and the patterns that follow.
fn parted(session: &Session, words: &[String]) -> Result<(Vec<String>, Vec<String>)> {
    let store = session.location().open_to_read()?;
    let mut count = 0;
    for word in words {
        let run = word.rsplit_once(':').map_or(word.as_str(), |(run, _)| run);
        let named = source::is_file(word)
            || match store.as_ref().map(|store| store.resolve(word).or_else(|_| store.resolve(run))) {
                None => false,
                Some(Ok(_)) => true,
                Some(Err(error)) if error.kind == ErrorKind::Unknown => false,
                Some(Err(error)) => return Err(error.into()),
            };
        if !named {
            break;
        }
        count += 1;
    }
    Ok((words[..count].to_vec(), words[count..].to_vec()))
}

/// Returns the source and its document. The document contains the comparison of the named runs or, if there
/// is only one run, of its variants.
fn concluded(
    session: &Session,
    args: &ReportArgs,
    runs: &[String],
    source: Source,
    store: Option<&Store>,
) -> Result<(Source, Document)> {
    let terms = |sides: &Sides| sides.terms(session, args.terms());
    if runs.len() > 1 {
        let words = Words { words: &args.words, narrow: &(&args.narrow).into(), whole: false };
        let sides = Sides::of(session, &words, &mut |_| ())?;
        let comparison = sides.compare(&terms(&sides)?, false);
        let document = stored::concluded(&source, store)?.compared(Some(comparison));
        return Ok((source, document));
    }
    compare::compared(source, store, terms)
}

/// Number of newest runs that are added to the history before a page shows it, and maximum number of points
/// per history on the page.
const NEWEST: usize = 60;

/// Returns the histories of the typical time of every case on the machine of the run.
fn histories(session: &Session, store: &Store, document: &Document) -> Result<Vec<Vec<History>>> {
    super::history::index(store, NEWEST);
    let mut places: HashMap<&CaseId, usize> = HashMap::new();
    for (at, case) in document.cases().enumerate() {
        places.entry(&case.case.id).or_insert(at);
    }
    let mut all = vec![Vec::new(); document.cases().count()];
    let host = Some(document.run.machine.host.as_str());
    let asked = Asked { figure: Some("time"), apart: true, host, newest: Some(NEWEST), ..Asked::default() };
    for history in asked.read(session, store)?.0 {
        if let Some(at) = places.get(&history.case).filter(|_| history.against.is_none()) {
            all[*at].push(history);
        }
    }
    Ok(all)
}

/// Maximum size of one profile on a page, and of all profiles together, in bytes. Compression reduces them to
/// about a tenth.
const PROFILES: (u64, u64) = (4 << 20, 24 << 20);

/// Data for a page besides the run itself.
struct Around<'a> {
    session: &'a Session,
    /// Histories of each case.
    history: &'a [Vec<History>],
    /// True if the run was measured in this project.
    from_here: bool,
}

impl Around<'_> {
    /// Returns the name of the project, and the web address of its commits.
    fn project(&self) -> (Option<String>, Option<String>) {
        let root = &self.session.project.root;
        if !self.from_here {
            return (None, None);
        }
        let folder = || root.file_name().map(|name| name.to_string_lossy().into_owned());
        match remote::remote(root) {
            Some(remote) => (Some(remote.name), remote.commits),
            None => (folder(), None),
        }
    }

    /// Returns the profiles of every case of the document. Profiles that do not fit into the page are not
    /// read.
    fn profiles(&self, document: &Document) -> Vec<Vec<Profile>> {
        let all = diagnoses::of(self.session, &document.run.id);
        let mut left = PROFILES.1;
        let mut read = |variant: usize, path: &Path| {
            let size = fs::metadata(path).map_or(u64::MAX, |data| data.len());
            let text = (size <= PROFILES.0.min(left)).then(|| fs::read_to_string(path).ok()).flatten();
            left -= if text.is_some() { size } else { 0 };
            let file = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
            Profile { variant, file, text }
        };
        let mut of = |case: &Case| {
            let mut found = Vec::new();
            for (at, variant) in document.run.variants.iter().enumerate() {
                let own = all.iter().filter(|one| diagnoses::is_about(one, case, variant));
                found.extend(own.flat_map(diagnoses::profiles).map(|path| read(at, path)));
            }
            found
        };
        document.cases().map(|result| of(&result.case)).collect()
    }
}

fn page(source: &Source, document: &Document, around: &Around<'_>, to: &mut dyn Write) -> io::Result<()> {
    let recorded = source.records().map(|records| picture::Traces::new(document, records));
    let of = |case| recorded.as_ref().map_or(Vec::new(), |traces| traces.of(case));
    let traces = recorded.as_ref().map(|traces| Traces { count: traces.count(), of: &of });
    let compared = document.comparison.iter().flat_map(|comparison| &comparison.warnings);
    let mut codes: BTreeSet<String> =
        document.warnings.iter().chain(compared).map(|warning| warning.code.clone()).collect();
    codes.extend(document.failures.iter().map(|failure| failure.code.text()));
    let texts = explain::all();
    let wanted = texts.iter().filter(|text| codes.contains(text.code));
    let explanations: Vec<_> = wanted.map(|text| (text.code, text.title, text.text)).collect();
    let scalings = scalings(document);
    let all = around.profiles(document);
    let of_case = |case: usize| all[case].clone();
    let has_profiles = all.iter().any(|own| !own.is_empty());
    let profiles = has_profiles.then_some(&of_case as &dyn Fn(usize) -> Vec<Profile>);
    let (project, commits) = around.project();
    let page = Page {
        document,
        traces,
        scalings: &scalings,
        explanations: &explanations,
        project,
        commits,
        history: around.history,
        profiles,
    };
    html::write(&page, to)
}

/// Returns the scaling along every numeric parameter, with one curve for each combination of values of the
/// other parameters.
fn scalings(document: &Document) -> Vec<Scaling> {
    let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (key, value) in document.cases().flat_map(|case| &case.case.id.params) {
        values.entry(key).or_default().insert(value);
    }
    values.retain(|_, values| values.len() > 1);
    let settings = &document.run.settings;
    let follow = |(over, own): (&&str, &BTreeSet<&str>)| {
        let numbers = own.len() > 2 && own.iter().all(|value| scaling::number(value).is_some());
        let by: Vec<String> = values.keys().filter(|key| *key != over).map(|key| (*key).to_owned()).collect();
        let (margin, confidence) = (settings.margin, settings.confidence);
        let asked = Over { over, by: &by, metric: None, log: None, margin, confidence };
        numbers.then(|| scaling::scaling(document, &asked)).filter(|scaling| !scaling.curves.is_empty())
    };
    values.iter().filter_map(follow).collect()
}

/// Fails if the name of the output file implies a format other than HTML.
fn check_name(output: Option<&Path>) -> Result<()> {
    match output.and_then(Path::extension).and_then(OsStr::to_str) {
        None | Some("html" | "htm") => Ok(()),
        Some(other) => Err(problem!("a report is an HTML page, not `.{other}`").place(format_args!("-o {}", output.unwrap_or(Path::new("")).display())).remedy("use -o report.html; `derny show` and `derny compare` write text, JSON and Markdown, and `derny plot` pictures").into()),
    }
}
