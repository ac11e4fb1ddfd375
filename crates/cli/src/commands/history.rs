//! `derny history`: figures over commits.

use super::{plot, site};
use crate::args::{Global, HistoryFormat, MarkArgs, MarkState, Narrow, ShowHistoryArgs, SiteArgs};
use crate::output::{self, Destination, Form};
use crate::session;
use derny_engine::measure::now_ms;
use derny_history::{Branch, Histories, StoredChange, Wanted, creep};
use derny_model::picture::{Panel, Picture, Shape};
use derny_model::{ChangeState, History, HistoryChange, problem};
use derny_report::{self as report, chart};
use derny_store::Store;
use derny_workbench::project::git;
use derny_workbench::project::session::Session;
use derny_workbench::{Outcome, Result};

/// Maximum number of panels in one picture.
const MOST: usize = 400;

/// Options from the command line that select the histories to read.
#[derive(Default)]
pub struct Asked<'a> {
    pub patterns: &'a [String],
    pub narrow: Option<&'a Narrow>,
    pub figure: Option<&'a str>,
    pub since: Option<&'a str>,
    pub against: Option<&'a str>,
    pub branch: Option<&'a str>,
    pub apart: bool,
    pub host: Option<&'a str>,
    /// Maximum number of points per history. Older points are omitted.
    pub newest: Option<usize>,
    /// True to find smaller and less certain changes too, at the cost of more false ones.
    pub sensitive: bool,
}

impl Asked<'_> {
    /// Returns the histories with their changes, and the branch that orders the points, if there is one.
    pub fn read(&self, session: &Session, store: &Store) -> Result<(Vec<History>, Option<Branch>)> {
        let root = &session.project.root;
        let branch = match self.branch {
            Some(name) => Some(Branch::read(root, Some(name))?),
            None => git::commit(root).and_then(|_| Branch::read(root, None).ok()),
        };
        let now_ms = now_ms();
        let since = self.since.map(|text| derny_history::since(text, root, now_ms)).transpose()?;
        let narrow = self.narrow.map(Into::into).unwrap_or_default();
        let cases = &session.stored_selector(self.patterns, &narrow)?;
        let against = self.against.map(creep::name);
        let against = against.as_deref();
        let (figure, host, apart) = (self.figure, self.host, self.apart);
        let newest = self.newest.unwrap_or(usize::MAX);
        let wanted = Wanted { cases, figure, host, newest, since, against, apart, now_ms };
        let all = Histories::open(store, branch.as_ref(), wanted)?.iter().collect::<Result<Vec<_>>>();
        let mut all = all?;
        let rules = derny_history::rules(self.sensitive);
        derny_history::find(&mut all, &derny_history::stored(store)?, &rules);
        Ok((all, branch))
    }
}

/// Adds the points of the `newest` runs to the history. Prints a note for each run that cannot be added.
pub fn index(store: &Store, newest: usize) {
    match derny_history::update(store, newest) {
        Ok(indexed) => {
            for (run, why) in indexed.unreadable {
                output::note(&format!("note: run {run} is not in the history: {why}"));
            }
        }
        Err(error) => output::note(&format!("note: the history lacks the newest runs: {error}")),
    }
}

/// Shows histories.
pub fn show(global: &Global, args: &ShowHistoryArgs) -> Result<Outcome> {
    let format = format(args)?;
    if format == HistoryFormat::Png {
        derny_png::check()?;
    }
    let look = plot::look(&args.look)?;
    let session = session::open(global)?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    let is_picture = matches!(format, HistoryFormat::Svg | HistoryFormat::Png);
    if is_picture {
        out.not_to_terminal("a picture", "use -o history.svg")?;
    }
    let store = session.existing_store()?;
    let asked = Asked {
        patterns: &args.patterns,
        narrow: Some(&args.narrow),
        figure: Some(&args.metric),
        since: args.since.as_deref(),
        against: args.against.as_deref(),
        branch: args.branch.as_deref(),
        apart: args.apart,
        ..Asked::default()
    };
    index(&store, usize::MAX);
    let (all, branch) = asked.read(&session, &store)?;
    if all.is_empty() {
        output::note(&format!("error: the history has no points of `{}`", args.metric));
        return Ok(Outcome::Nothing);
    }
    if is_picture {
        let mut picture = picture(all, branch.as_ref())?;
        if let Some(title) = &args.look.title {
            picture.title.clone_from(title);
        }
        let svg = chart::svg(&picture, &look);
        match format {
            HistoryFormat::Png => out.write_bytes(&derny_png::draw(&svg)?)?,
            _ => out.write_as(Form::Data, &svg)?,
        }
        return Ok(Outcome::Done);
    }
    match format {
        HistoryFormat::Json => out.write_as(Form::Json, &report::history::json(&all))?,
        HistoryFormat::Markdown => {
            let style = output::style(global, &std::io::stdout(), true);
            out.write_as(Form::Data, &report::history::markdown(&all, &style))?;
        }
        HistoryFormat::Csv => out.write_as(Form::Data, &report::history::csv(&all))?,
        _ => {
            let style = output::style(global, &std::io::stdout(), out.is_file());
            out.write(&report::history::text(&all, &style))?;
        }
    }
    Ok(Outcome::Done)
}

fn format(args: &ShowHistoryArgs) -> Result<HistoryFormat> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    Ok(match output::ending(args.output.as_deref()).as_deref() {
        Some("svg") => HistoryFormat::Svg,
        Some("png") => HistoryFormat::Png,
        Some("json") => HistoryFormat::Json,
        Some("csv") => HistoryFormat::Csv,
        Some("md") => HistoryFormat::Markdown,
        None | Some("txt") => HistoryFormat::Table,
        Some(other) => {
            return Err(problem!("`.{other}` is not a format of a history")
                .known("svg, png, json, csv, md, txt")
                .remedy("use -o history.svg")
                .into());
        }
    })
}

/// Returns a picture with a panel for each case.
fn picture(all: Vec<History>, branch: Option<&Branch>) -> Result<Picture> {
    let mut series: Vec<String> = Vec::new();
    let mut panels: Vec<Panel<Vec<History>>> = Vec::new();
    let (figure, unit, against) = (all[0].figure.clone(), all[0].unit.clone(), all[0].against.clone());
    let points: usize = all.iter().map(|history| history.points.len()).sum();
    for history in all {
        if !series.contains(&history.host) {
            series.push(history.host.clone());
        }
        let apart = history.apart.as_ref().map_or_else(String::new, |apart| format!(" ({apart})"));
        let name = format!("{}{apart}", history.case);
        match panels.iter_mut().find(|panel| panel.name == name) {
            Some(panel) => panel.content.push(history),
            None => panels.push(Panel { name, content: vec![history] }),
        }
    }
    if panels.len() > MOST {
        return Err(problem!("{} cases are too many for one picture", panels.len())
            .remedy("add a pattern, -p KEY=VALUE or --since")
            .into());
    }
    let mut facts = vec![report::numbers::counted(points, "point", "points")];
    facts.extend(branch.map(|branch| format!("commits of {}", branch.name)));
    facts.push("lines break where processor, runtime or tool change".to_owned());
    let quantity = match &against {
        Some(against) => format!("change of {figure} against {against}"),
        None if figure == "time" => "time per operation".to_owned(),
        None => figure,
    };
    Ok(Picture {
        title: "History".to_owned(),
        facts,
        quantity,
        unit,
        series,
        log: false,
        shape: Shape::Histories(panels),
    })
}

/// Adds the newest runs to the history, then writes the site.
pub fn write_site(global: &Global, args: &SiteArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.existing_store()?;
    index(&store, usize::MAX);
    site::site(global, args, &session, &store)
}

/// Sets the state of the changes that the selected cases have at a commit.
pub fn mark(global: &Global, args: &MarkArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.existing_store()?;
    let hash = git::resolve(&session.project.root, &args.commit)?;
    let asked = Asked {
        patterns: &args.patterns,
        narrow: None,
        figure: Some(&args.metric),
        since: None,
        against: None,
        branch: args.branch.as_deref(),
        apart: false,
        ..Asked::default()
    };
    let state = match args.state {
        MarkState::Accepted => ChangeState::Accepted,
        MarkState::Fixed => ChangeState::Fixed,
    };
    index(&store, usize::MAX);
    let mut marked = Vec::new();
    for history in asked.read(&session, &store)?.0 {
        if let Some(mut change) = change_at(&history, &hash) {
            (change.state, change.note) = (state, args.note.clone().or(change.note));
            derny_history::keep(&store, &StoredChange::of(&history, change))?;
            marked.push(history.case.to_string());
        }
    }
    if marked.is_empty() {
        output::note(&format!("error: no selected case has a point of commit {}", args.commit));
        return Ok(Outcome::Nothing);
    }
    if global.quiet == 0 {
        let cases = report::numbers::counted(marked.len(), "case", "cases");
        output::note(&format!("marked the change of {cases} at {}", &hash[..7.min(hash.len())]));
    }
    Ok(Outcome::Done)
}

/// Returns the change of a history at a commit: the known one, or else the difference from the point before
/// it. Returns `None` if the commit has no point.
fn change_at(history: &History, hash: &str) -> Option<HistoryChange> {
    if let Some(known) = history.changes.iter().find(|change| change.to == hash) {
        return Some(known.clone());
    }
    let at = history.points.iter().position(|point| point.commit == hash)?;
    let (to, before) = (&history.points[at], history.points[..at].last());
    Some(HistoryChange {
        from: before.map_or_else(String::new, |point| point.commit.clone()),
        to: hash.to_owned(),
        at_ms: to.at_ms,
        state: ChangeState::New,
        change: before.map_or(0.0, |before| to.value / before.value - 1.0),
        interval: None,
        run: None,
        is_machine: false,
        note: None,
    })
}
