//! `derny bisect`: finds the commit that changed a case.

use crate::args::{BisectArgs, Format, Global};
use crate::news::Listener;
use crate::output::{self, Destination, Form};
use crate::session;
use derny_history::bisect::{self, Asked, BisectOptions, Measured, Request};
use derny_model::{BisectedCommit, Bisection, BisectionOutcome, BisectionProbe, Problem, problem};
use derny_report as report;
use derny_workbench::config::gate::{self, FailOn, StatedTerms};
use derny_workbench::config::options::Stated;
use derny_workbench::config::settings::Mode;
use derny_workbench::config::settings::Origin;
use derny_workbench::config::units;
use derny_workbench::pipeline::{self, News, Occasion, Planned, Ready, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::{Error, Notice, Outcome, Result};
use std::io;
use std::time::{Duration, Instant};

/// Wall time of a comparison, if no setting limits it.
const USUAL_NS: u64 = 30_000_000_000;
/// Maximum number of pairs, if no setting limits it.
const USUAL_PAIRS: u64 = 40;
/// Maximum number of pairs of a measurement that is repeated.
const MOST_PAIRS: u64 = 200;

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
    let own = Own { global, args, bench };
    let mut screen = Screen { global, until: until(args)? };
    let answer = bisect::bisect(bench, &options, &mut screen, &mut |request| own.measured(request));
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

/// Returns the words that say what is measured. Limits of time and terms do not count: a search may continue
/// with others.
fn identity(args: &BisectArgs) -> Vec<String> {
    let (select, passed) = (&args.select, &args.passed);
    let lists = [
        &select.patterns,
        &select.exclude,
        &select.param,
        &select.command,
        &passed.args,
        &passed.build_args,
        &args.settings.set,
    ];
    let words = lists.into_iter().map(|list| list.join("\u{1e}"));
    words.chain([args.metric.clone(), args.settings.profile.clone()].map(Option::unwrap_or_default)).collect()
}

/// Returns the end of the time for all measurements together.
fn until(args: &BisectArgs) -> Result<Option<Instant>> {
    let Some(text) = &args.settings.total else { return Ok(None) };
    let ns =
        units::duration_ns(text).map_err(|why| problem!("{why}").place(format_args!("--total {text}")))?;
    Ok(Instant::now().checked_add(Duration::from_nanos(ns)))
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

/// A call of this command.
struct Own<'a> {
    global: &'a Global,
    args: &'a BisectArgs,
    bench: Bench<'a>,
}

/// Notices that explain why nothing was measured.
#[derive(Default)]
struct Heard {
    nothing: Option<Problem>,
    left_out: Option<(String, String)>,
}

impl Own<'_> {
    /// Measures two commits by the ordinary pipeline.
    fn measured(&self, request: &mut Request<'_>) -> Result<Measured> {
        let Own { global, args, bench } = *self;
        let options = self.options(request)?.checked(bench)?;
        let mut listener = Listener::new(global, None).without_failures();
        let mut heard = Heard::default();
        let tell = &mut |news: News<'_>| heard.hear(news, &mut listener);
        let planned = match pipeline::plan(bench, &options, &Occasion::default(), tell)? {
            Ready::Planned(planned) => planned,
            Ready::Early(Outcome::Interrupted) => return Err(Error::Interrupted),
            Ready::Early(_) => return Ok(Measured::Nothing(heard.why())),
        };
        let Planned { catalogue, failures, .. } = &*planned;
        match failures.first().filter(|_| catalogue.cases.is_empty()) {
            Some(failure) => return Ok(Measured::Nothing(Problem::from(failure))),
            None => (request.before)(catalogue)?,
        }
        let _turn = session::turn(global, bench, args.no_queue)?;
        Ok(Measured::Done(Box::new(pipeline::run(bench, &options, *planned, tell)?)))
    }

    fn options(&self, request: &Request<'_>) -> Result<RunOptions> {
        let args = self.args;
        let mut stated: Stated = (&args.settings).into();
        stated.values.retain(|(name, _)| *name != "total");
        stated.values.push(("confidence", request.confidence.to_string()));
        if request.effort > 1 {
            self.extend(&mut stated, request.effort.into())?;
        }
        if args.metric.as_deref() == Some("mean") {
            stated.values.push(("mean", "always".to_owned()));
        }
        Ok(RunOptions {
            select: args.passed.on(&args.select),
            stated,
            mode: Mode { quick: args.settings.quick, ..Mode::default() },
            variants: request.sides.to_vec(),
            note: Some(request.note.clone()),
            margin: Some(request.margin.to_string()),
            fail_on: if request.gate { vec![FailOn::Worse, FailOn::Unclear] } else { Vec::new() },
            judged: true,
            ..RunOptions::default()
        })
    }

    /// Multiplies the limits of one measurement: its time and its number of pairs.
    fn extend(&self, stated: &mut Stated, effort: u64) -> Result<()> {
        let layers = self.bench.session.layers(stated)?;
        let ns = match &layers["budget"] {
            (_, Origin::Default) => USUAL_NS,
            (text, _) => units::duration_ns(text).map_err(|why| problem!("`budget`: {why}"))?,
        };
        let pairs: u64 = layers["processes"].0.parse().unwrap_or(USUAL_PAIRS);
        let limits = [
            ("budget", format!("{}ms", ns.saturating_mul(effort) / 1_000_000)),
            ("processes", (pairs * effort).min(MOST_PAIRS.max(pairs)).to_string()),
        ];
        for (name, value) in limits {
            stated.values.retain(|(own, _)| *own != name);
            stated.set.retain(|text| text.split_once('=').is_none_or(|(own, _)| own != name));
            stated.values.push((name, value));
        }
        Ok(())
    }

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

impl Heard {
    /// Passes news on, except for what each measurement would repeat.
    fn hear(&mut self, news: News<'_>, listener: &mut Listener<'_>) -> io::Result<()> {
        match news {
            News::Notice(Notice::Nothing(why)) => self.nothing = Some(why),
            News::Notice(Notice::LeftOut { case, why }) => {
                self.left_out.get_or_insert((case, why));
            }
            News::Notice(Notice::Selected { .. } | Notice::Package { .. }) | News::Planned(_) => {}
            news => return listener.hear(news),
        }
        Ok(())
    }

    /// Returns the reason why nothing was measured.
    fn why(self) -> Problem {
        match (self.left_out, self.nothing) {
            (Some((case, why)), _) => problem!("`{case}` is not on both sides").why(why),
            (None, Some(why)) => why,
            (None, None) => problem!("nothing was measured"),
        }
    }
}
