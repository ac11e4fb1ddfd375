//! `derny history site`: histories as a static site.

use crate::args::{Global, SiteArgs};
use crate::output;
use derny_engine::measure::now_ms;
use derny_history::{Branch, CommitInfo, Histories, Wanted};
use derny_model::words::counted;
use derny_model::{History, Problem, problem};
use derny_report::numbers;
use derny_report::site::{About, Commit, Site, Written};
use derny_store::Store;
use derny_workbench::project::session::Session;
use derny_workbench::project::{git, remote};
use derny_workbench::{Outcome, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Writes the site. The history in the store must already contain the runs to show. Histories are read twice,
/// once to find changes and once to write them, because all of them may not fit into memory.
pub fn site(global: &Global, args: &SiteArgs, session: &Session, store: &Store) -> Result<Outcome> {
    let root = &session.project.root;
    let branch = match &args.branch {
        Some(name) => Some(Branch::read(root, Some(name))?),
        None => git::commit(root).and_then(|_| Branch::read(root, None).ok()),
    };
    let now_ms = now_ms();
    let since = args.since.as_deref().map(|text| derny_history::since(text, root, now_ms)).transpose()?;
    let cases = &session.stored_selector(&args.patterns, &(&args.narrow).into())?;
    let series = store.history_series()?;
    let open = |against| {
        let since = since.clone();
        let (figure, apart) = (args.metric.as_deref(), args.apart);
        let wanted = Wanted { cases, figure, host: None, newest: usize::MAX, since, against, apart, now_ms };
        Histories::open(store, branch.as_ref(), wanted)
    };
    let releases: BTreeSet<&str> = series.iter().filter_map(|(_, own)| own.against.as_deref()).collect();
    let mut histories = vec![open(None)?];
    // Opening fails if no comparison with a release has a selected case or figure. Omit such a release.
    histories.extend(releases.into_iter().filter_map(|against| open(Some(against)).ok()));
    let found = derny_history::found(histories.iter().flat_map(Histories::iter))?;
    if found.is_empty() {
        output::note("error: the history has no points");
        return Ok(Outcome::Nothing);
    }
    let stored = derny_history::stored(store)?;
    let all = histories.iter().flat_map(Histories::iter).zip(found).map(|(history, found)| {
        let mut history = history?;
        // Stored changes are changes of values, not of comparisons with a release.
        let stored: &[_] = if history.against.is_none() { &stored } else { &[] };
        derny_history::apply(&mut history, found, stored);
        Ok(history)
    });
    let written = write(&args.output, about(args, session, branch.as_ref(), now_ms), all)?;
    if global.quiet == 0 {
        let cases = counted(written.cases, "case", "cases");
        let size = numbers::bytes(written.bytes as f64, &output::error_style(global));
        output::note(&format!("wrote {cases} to {}, {size}", args.output.join("index.html").display()));
    }
    Ok(Outcome::Done)
}

fn about(args: &SiteArgs, session: &Session, branch: Option<&Branch>, made_ms: i64) -> About {
    let root = &session.project.root;
    let remote = remote::remote(root);
    let folder = || root.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = args.title.clone().or_else(|| remote.as_ref().map(|remote| remote.name.clone()));
    let commit = |own: &CommitInfo| Commit {
        hash: own.hash.clone(),
        at_ms: own.at_ms,
        subject: own.subject.clone(),
        tags: own.tags.clone(),
    };
    About {
        title: name.or_else(folder).unwrap_or_default(),
        made_ms,
        commits: branch.map_or_else(Vec::new, |branch| branch.commits.iter().map(commit).collect()),
        commit_url: args.commit_url.clone().or_else(|| remote.and_then(|remote| remote.commits)),
        run_url: args.run_url.clone(),
    }
}

fn write(folder: &Path, about: About, all: impl Iterator<Item = Result<History>>) -> Result<Written> {
    let failed = |error: io::Error| -> Problem {
        problem!("the site cannot be written to {}", folder.display())
            .why(error.to_string())
            .remedy("use -o with a folder that you can write")
    };
    fs::create_dir_all(folder.join("data")).map_err(failed)?;
    let mut to = |path: &str, content: &[u8]| fs::write(folder.join(path), content);
    let mut site = Site::new(about, &mut to);
    for history in all {
        site.add(&history?).map_err(failed)?;
    }
    Ok(site.finish().map_err(failed)?)
}
