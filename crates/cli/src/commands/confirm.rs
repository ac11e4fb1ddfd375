//! `derny history confirm`: measures suspected changes.

use super::history::{Asked, index};
use super::pairs::{self, Pairs};
use crate::args::{ConfirmArgs, FailOn, Global, Selection};
use crate::output::{self, Destination};
use crate::session;
use derny_history::confirm::{self, Confirmation, Suspect};
use derny_model::{ChangeState, Commit, problem};
use derny_report as report;
use derny_workbench::config::gate::{self, StatedTerms};
use derny_workbench::project::git::{git, has, resolve};
use derny_workbench::project::session::{Bench, Session};
use derny_workbench::{Outcome, Result};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

/// Measures the changes that were found but not confirmed yet, or the pair of commits `A..B`. Stores the
/// verdicts.
pub fn confirm(global: &Global, args: &ConfirmArgs) -> Result<Outcome> {
    if args.fail_on.contains(&FailOn::Unclear) {
        return Err(problem!("--fail-on unclear has no effect here: an unclear change always exits with 5")
            .remedy("use --fail-on slower")
            .into());
    }
    let session = session::open(global)?;
    let store = session.store()?;
    let until = match &args.pair.settings.total {
        Some(total) => pairs::until(Some(total), "--total")?,
        None => pairs::until(limit(&session), "`confirm` of [history] in derny.toml:")?,
    };
    let stated = StatedTerms { margin: args.margin.as_deref(), ..StatedTerms::default() };
    let margin = gate::terms(&session.project, stated, None)?.margin;
    let (ranges, patterns): (Vec<String>, Vec<String>) =
        args.words.iter().cloned().partition(|word| word.contains("..") && !word.contains('/'));
    index(&store, usize::MAX);
    let asked = Asked {
        patterns: &patterns,
        figure: Some("time"),
        branch: args.branch.as_deref(),
        sensitive: args.sensitive,
        ..Asked::default()
    };
    let (all, _) = asked.read(&session, &store)?;
    let root = &session.project.root;
    let suspects = match &ranges[..] {
        [] => confirm::suspects(&all, args.machine, &derny_history::rules(args.sensitive)),
        [range] => {
            let (from, to, at_ms) = commits(root, range)?;
            confirm::pair(&all, &from, &to, at_ms)
        }
        _ => {
            return Err(problem!("{} ranges of commits are given, but only one is allowed", ranges.len())
                .remedy("use one A..B")
                .into());
        }
    };
    if suspects.is_empty() {
        output::note(if all.is_empty() { "the history has no such case" } else { "no change to confirm" });
        return Ok(if all.is_empty() { Outcome::Nothing } else { Outcome::Done });
    }
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let how = args.pair.without_total();
    let pairs =
        Pairs { global, bench, select: &Selection::default(), how: &how, metric: None, is_one_of_many: true };
    let own = Own { global, args, margin, until };
    own.all(&suspects, &pairs)
}

/// Returns the time limit `confirm` of `[history]` in derny.toml.
fn limit(session: &Session) -> Option<&str> {
    session.project.content.history.as_ref()?.confirm.as_deref()
}

/// Measures suspected changes after another command has added points, if `[history]` in derny.toml sets
/// `confirm`. Verdicts do not affect the exit code of that command.
pub fn after(global: &Global, session: &Session) -> Result<Outcome> {
    if limit(session).is_none() {
        return Ok(Outcome::Done);
    }
    Ok(match confirm(global, &ConfirmArgs::default())? {
        Outcome::Interrupted => Outcome::Interrupted,
        _ => Outcome::Done,
    })
}

/// Returns the commits of `A..B`, and the date of the second one.
fn commits(root: &Path, range: &str) -> Result<(String, String, i64)> {
    let (from, to) = range.split_once("..").unwrap_or((range, ""));
    let to = if to.is_empty() { "HEAD" } else { to };
    let (from, to) = (resolve(root, from)?, resolve(root, to)?);
    if from == to {
        return Err(problem!("both ends of `{range}` are the same commit").into());
    }
    let date = git(root, &["show", "-s", "--format=%ct", &to]).unwrap_or_default();
    Ok((from, to, date.trim().parse::<i64>().unwrap_or(0) * 1000))
}

/// The arguments and limits of this call.
struct Own<'a> {
    global: &'a Global,
    args: &'a ConfirmArgs,
    margin: f64,
    until: Option<Instant>,
}

impl Own<'_> {
    /// Measures the changes one after the other, until the time is up.
    fn all(&self, suspects: &[Suspect], pairs: &Pairs<'_>) -> Result<Outcome> {
        let mut outcome = Outcome::Done;
        let (suspects, gone) = self.measurable(suspects, &pairs.bench.session.project.root);
        if gone > 0 {
            let changes = report::numbers::counted(gone, "change", "changes");
            output::note(&format!("note: {changes} skipped: the commits are not in this repository"));
        }
        for (at, suspect) in suspects.iter().enumerate() {
            if self.until.is_some_and(|until| Instant::now() >= until) {
                let left = report::numbers::counted(suspects.len() - at, "change", "changes");
                output::note(&format!("note: the time limit is over: {left} not measured"));
                return Ok(outcome.max(Outcome::Undecided));
            }
            outcome = outcome.max(self.one(suspect, pairs)?);
        }
        Ok(outcome)
    }

    /// Returns the suspects whose commits are in this repository, and the number of the other suspects. An
    /// imported history may have thousands of others.
    fn measurable<'b>(&self, suspects: &'b [Suspect], root: &Path) -> (Vec<&'b Suspect>, usize) {
        let mut known: HashMap<&str, bool> = HashMap::new();
        let mut is_here = |hash: &'b str| {
            *known.entry(hash).or_insert_with(|| {
                let commit = Commit { hash: hash.to_owned(), branch: None, dirty: false };
                has(root, Some(&commit))
            })
        };
        let here: Vec<&Suspect> = suspects
            .iter()
            .filter(|own| is_here(&own.changes[0].change.from) && is_here(&own.changes[0].change.to))
            .collect();
        let gone = suspects.len() - here.len();
        (here, gone)
    }

    fn one(&self, suspect: &Suspect, pairs: &Pairs<'_>) -> Result<Outcome> {
        let store = pairs.bench.store;
        let root = &pairs.bench.session.project.root;
        let case = suspect.case.to_string();
        let changes = match suspect.measure(root, self.margin, &mut |request| pairs.measured(request))? {
            Confirmation::Measured(changes) => changes,
            Confirmation::Skipped(why) => {
                output::note(&format!("note: {case} skipped: {why}"));
                return Ok(Outcome::Done);
            }
        };
        // Store that a change was not confirmed only if it was suspected, not if the user named the commits.
        let is_kept = |state: ChangeState| match state {
            ChangeState::Confirmed => true,
            ChangeState::NotConfirmed => !suspect.is_named,
            _ => false,
        };
        for change in changes.iter().filter(|own| is_kept(own.change.state)) {
            derny_history::keep(store, change)?;
        }
        let style = output::style(self.global, &std::io::stdout(), false);
        let first = &changes[0].change;
        Destination::stdout().write(&format!("{}\n", report::history::change(&case, first, &style)))?;
        let is_worse = suspect.is_worse(first.change) && self.args.fail_on.contains(&FailOn::Worse);
        Ok(match first.state {
            ChangeState::Confirmed if is_worse => Outcome::Worse,
            ChangeState::New => Outcome::Undecided,
            _ => Outcome::Done,
        })
    }
}
