//! `derny bisect`: finds the commit that changed a case.

use super::pairs::{self, Pairs};
use crate::args::{BisectArgs, Format, Global};
use crate::output::{self, Destination, Form};
use crate::session;
use derny_history::bisect::{self, Asked, BisectOptions};
use derny_model::{BisectedCommit, Bisection, BisectionOutcome, BisectionProbe};
use derny_report as report;
use derny_workbench::config::gate::{self, StatedTerms};
use derny_workbench::project::session::Bench;
use derny_workbench::{Error, Outcome, Result};
use std::io;
use std::time::Instant;

/// Finds the commit that changed a case, and prints the answer.
pub fn bisect(global: &Global, args: &BisectArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let margin = args.margin.as_deref();
    let terms = gate::terms(&session.project, StatedTerms { margin, ..StatedTerms::default() }, None)?;
    let options = BisectOptions {
        range: args.range.clone(),
        words: identity(args),
        margin: terms.margin,
        metric: args.metric.clone(),
        reset: args.reset,
        retry: args.retry,
    };
    let how = args.pair.without_total();
    let pairs = Pairs {
        global,
        bench,
        select: &args.select,
        how: &how,
        metric: args.metric.as_deref(),
        is_one_of_many: true,
    };
    let own = Own { global, args };
    let mut screen = Screen { global, until: pairs::until(args.pair.settings.total.as_deref(), "--total")? };
    let answer = bisect::bisect(bench, &options, &mut screen, &mut |request| pairs.measured(request));
    match answer {
        Ok(Ok(answer)) => own.print(&answer, &mut out),
        Ok(Err(outcome)) => Ok(outcome),
        Err(error) => {
            if matches!(error, Error::Interrupted) {
                output::note("interrupted; the same command continues the search");
            }
            Err(error)
        }
    }
}

/// Returns the arguments that identify a search: the case, the command, the settings, the metric and the
/// profile. Time limits and the margin are not among them, so a stored search can continue with others.
fn identity(args: &BisectArgs) -> Vec<String> {
    let (select, passed) = (&args.select, &args.pair.passed);
    let lists = [
        &select.patterns,
        &select.exclude,
        &select.param,
        &select.command,
        &passed.args,
        &passed.build_args,
        &args.pair.settings.set,
    ];
    let words = lists.into_iter().map(|list| list.join("\u{1e}"));
    words
        .chain([args.metric.clone(), args.pair.settings.profile.clone()].map(Option::unwrap_or_default))
        .collect()
}

/// Shows the progress on standard error.
struct Screen<'a> {
    global: &'a Global,
    until: Option<Instant>,
}

impl Asked for Screen<'_> {
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn begun(&mut self, range: &[BisectedCommit], stored: usize) {
        if self.global.quiet == 0 {
            let commits = range.len() - 1;
            let known = match stored {
                0 => String::new(),
                1 => ", 1 measurement is stored".to_owned(),
                count => format!(", {count} measurements are stored"),
            };
            let commits = if commits == 1 { "1 commit".to_owned() } else { format!("{commits} commits") };
            output::note(&format!("bisecting {commits}{known}"));
        }
    }

    fn probed(&mut self, probe: &BisectionProbe) {
        if self.global.quiet == 0 {
            output::painted(&report::bisection::probe(probe, &output::error_style(self.global)));
        }
    }
}

/// The arguments of this call.
struct Own<'a> {
    global: &'a Global,
    args: &'a BisectArgs,
}

impl Own<'_> {
    fn print(&self, answer: &Bisection, out: &mut Destination) -> Result<Outcome> {
        let style = output::style(self.global, &io::stdout(), out.is_file());
        match self.args.format {
            Format::Json => out.write_as(Form::Json, &report::json::answer(answer))?,
            _ => out.write(&report::bisection::text(answer, &style))?,
        }
        Ok(match answer.outcome {
            BisectionOutcome::Found => Outcome::Done,
            _ => Outcome::Undecided,
        })
    }
}
