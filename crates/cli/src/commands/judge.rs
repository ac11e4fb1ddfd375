//! `derny judge`: decides whether to keep a candidate.

use crate::args::{
    BenchFrom, CandidateArgs, FigureArgs, FinalArgs, Global, JudgeCandidateArgs, JudgeFormat, JudgePrintArgs,
    JudgeVerb, PassedArgs, Selection, SettingArgs,
};
use crate::commands::whole;
use crate::commands::whole::sides::{self, Side};
use crate::news::Listener;
use crate::output::{self, Destination, Form};
use crate::session;
use derny_judge::{Built, Check, JudgeOptions, Measure, Measured, Request, Session};
use derny_model::{Decision, Ground, Judgement, Variant, problem};
use derny_report as report;
use derny_workbench::config::settings::Mode;
use derny_workbench::config::units;
use derny_workbench::pipeline::{self, News, Occasion, Ready, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::variants::places::{self, Places};
use derny_workbench::{Outcome, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Judges a candidate, or runs a subcommand.
pub fn judge(global: &Global, args: &CandidateArgs) -> Result<Outcome> {
    match &args.verb {
        None => candidate(global, &args.judge),
        Some(JudgeVerb::Final(args)) => finish(global, args),
        Some(JudgeVerb::Keep { session, force }) => keep(global, session, *force),
        Some(JudgeVerb::Status { session, format }) => status(global, session.as_deref(), *format),
        Some(JudgeVerb::Verify { receipt }) => verify(global, receipt),
    }
}

fn candidate(global: &Global, args: &JudgeCandidateArgs) -> Result<Outcome> {
    let options = options(args)?;
    let how = How {
        select: &args.select,
        passed: &args.passed,
        settings: &args.settings,
        figures: &args.figures,
        margin: args.margin.clone(),
    };
    with(global, &args.print, |bench| {
        let mut options = options.clone();
        let table = bench.session.project.content.judge.as_ref();
        if let Some(command) = table.and_then(|table| table.check.clone())
            && options.check.is_none()
        {
            options.check = Some(Check { command, limit: limit(args)? });
        }
        derny_judge::judge(bench, &options, &mut how.measure(global, bench))
    })
}

fn options(args: &JudgeCandidateArgs) -> Result<JudgeOptions> {
    let [base, candidate, expert] = match &args.variants[..] {
        [] => [None, None, None],
        [base] => [Some(base), None, None],
        [base, candidate] => [Some(base), Some(candidate), None],
        [base, candidate, expert] => [Some(base), Some(candidate), Some(expert)],
        more => {
            return Err(problem!("there are {} sides", more.len())
                .why("`derny judge` takes a base, a candidate and an expert's solution")
                .remedy("use `derny run` to compare more sides")
                .into());
        }
    };
    let limit = limit(args)?;
    Ok(JudgeOptions {
        session: args.session.clone(),
        base: base.cloned(),
        candidate: candidate.cloned(),
        expert: expert.cloned(),
        parity: args.parity,
        check: args.check.clone().map(|command| Check { command, limit }),
        changed_benchmark: args.bench_from == BenchFrom::Candidate,
    })
}

fn limit(args: &JudgeCandidateArgs) -> Result<Duration> {
    let ns = units::duration_ns(&args.check_limit)
        .map_err(|why| problem!("{why}").place(format_args!("--check-limit {}", args.check_limit)))?;
    Ok(Duration::from_nanos(ns))
}

fn finish(global: &Global, args: &FinalArgs) -> Result<Outcome> {
    let (select, passed, settings) = (&args.select, &args.passed, &args.settings);
    let how = How { select, passed, settings, figures: &args.figures, margin: None };
    with(global, &args.print, |bench| {
        derny_judge::finish(bench, &args.session, &mut how.measure(global, bench))
    })
}

/// Opens the project, waits until no other measurement is in progress, calls `judge`, and prints its answer.
fn with(
    global: &Global,
    print: &JudgePrintArgs,
    judge: impl FnOnce(Bench<'_>) -> Result<Result<Judgement, Outcome>>,
) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(global, print.output.as_deref())?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let _turn = session::turn(global, bench, print.no_queue)?;
    let judgement = match judge(bench)? {
        Ok(judgement) => judgement,
        Err(outcome) => return Ok(outcome),
    };
    let style = output::style(global, &std::io::stdout(), out.is_file());
    match print.format {
        JudgeFormat::Text => out.write(&report::judgement::text(&judgement, &style))?,
        JudgeFormat::Metric => out.write(&report::judgement::metric(&judgement))?,
        JudgeFormat::Json => out.write_as(Form::Json, &report::json::answer(&judgement))?,
    }
    Ok(outcome(&judgement))
}

/// Returns the outcome of a judgement. Only `keep` is a success, so that `derny judge && git commit` commits
/// nothing else.
fn outcome(judgement: &Judgement) -> Outcome {
    match (judgement.verdict, judgement.ground) {
        (Decision::Keep, _) => Outcome::Done,
        (Decision::Discard, Ground::Build | Ground::Check | Ground::Failed) => Outcome::Failed,
        (Decision::Discard, _) => Outcome::Worse,
        (Decision::Neutral | Decision::Retry | Decision::Void, _) => Outcome::Undecided,
    }
}

fn keep(global: &Global, name: &str, force: bool) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let stop = session::interruptible()?;
    let bench = Bench { session: &session, store: &store, reaper: None, stop: &stop };
    let kept = derny_judge::keep(bench, name, force)?;
    if global.quiet == 0 {
        output::note(&format!("the best candidate of session {name} is {}", kept.best.label));
    }
    Ok(Outcome::Done)
}

fn status(global: &Global, name: Option<&str>, format: JudgeFormat) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.existing_store()?;
    let names = match name {
        Some(name) => vec![name.to_owned()],
        None => derny_judge::names(&store)?,
    };
    let sessions: Vec<Session> =
        names.iter().map(|name| Session::named(&session, &store, name)).collect::<Result<_>>()?;
    let states: Vec<_> = sessions.iter().map(Session::state).collect();
    let mut out = Destination::stdout();
    match format {
        JudgeFormat::Json => out.write_as(Form::Json, &report::json::answer(&states))?,
        JudgeFormat::Metric => {
            out.write(&states.iter().map(report::judgement::session_metric).collect::<String>())?
        }
        JudgeFormat::Text if states.is_empty() => {
            output::note("there are no sessions yet; `derny judge --session NAME` starts one");
        }
        JudgeFormat::Text => {
            let style = output::style(global, &std::io::stdout(), false);
            out.write(
                &states.iter().map(|state| report::judgement::session(state, &style)).collect::<String>(),
            )?;
        }
    }
    Ok(Outcome::Done)
}

fn verify(global: &Global, word: &str) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.existing_store()?;
    let verified = derny_judge::verify(&store, word)?;
    verified.notes.iter().for_each(|note| output::note(note));
    verified.wrong.iter().for_each(|wrong| output::note(&format!("error: {wrong}")));
    if !verified.wrong.is_empty() {
        return Ok(Outcome::Failed);
    }
    Destination::stdout().write(&format!("the receipt of run {} is correct\n", verified.run))?;
    Ok(Outcome::Done)
}

/// How the sides are measured.
struct How<'a> {
    select: &'a Selection,
    passed: &'a PassedArgs,
    settings: &'a SettingArgs,
    figures: &'a FigureArgs,
    margin: Option<String>,
}

impl How<'_> {
    /// Returns the function that measures sides. With `--metric-from`, it measures commands that print
    /// figures, as `derny run --metric-from` does. Otherwise it measures benchmarks, as `derny run` does.
    fn measure<'a>(&'a self, global: &'a Global, bench: Bench<'a>) -> Box<Measure<'a>> {
        Box::new(move |request: &mut Request<'_>| {
            let options = self.options(request).checked(bench)?;
            let mut listener = Listener::new(global, None).without_failures();
            match self.figures.metric_from.is_empty() {
                true => benchmarks(bench, &options, request, &mut listener),
                false => self.commands(global, bench, &options, request, &mut listener),
            }
        })
    }

    fn commands(
        &self,
        global: &Global,
        bench: Bench<'_>,
        options: &RunOptions,
        request: &mut Request<'_>,
        listener: &mut Listener<'_>,
    ) -> Result<Measured> {
        let judged = whole::figures(self.figures, true)?;
        let told = &mut output::told(global);
        let Places { all, locks } = places::places(bench.session, bench.stop, &request.variants, told)?;
        let placed = |(variant, folder): &(Variant, PathBuf)| Variant {
            directory: Some(folder.display().to_string()),
            ..variant.clone()
        };
        let variants: Vec<Variant> = all.iter().map(placed).collect();
        let command = &self.select.command;
        let sides: Vec<Side> = all
            .into_iter()
            .map(|(side, folder)| sides::side(side, folder, command))
            .collect::<Result<_>>()?;
        if request.is_trial && !sides::work(global, bench, &sides, &judged)? {
            return Ok(Measured::Early(Outcome::Failed));
        }
        let files = project_files(&bench.session.project.root, command);
        if !(request.before)(&Built { catalogue: None, files, variants: &variants })? {
            return Ok(Measured::Stopped);
        }
        drop(locks);
        let run = (options, &Occasion::default());
        match sides::measure_sides((global, true), bench, (&sides, &judged), run, listener)? {
            whole::Measured::Concluded(concluded) => Ok(Measured::Done(concluded)),
            whole::Measured::Failed(why) => Err(why.into()),
            whole::Measured::Early(outcome) => Ok(Measured::Early(outcome)),
        }
    }

    fn options(&self, request: &Request<'_>) -> RunOptions {
        let mut stated: derny_workbench::config::options::Stated = self.settings.into();
        stated.values.push(("confidence", request.confidence.to_string()));
        if self.figures.metric_from.is_empty() {
            stated.values.push(("witness", "yes".to_owned()));
        }
        RunOptions {
            select: self.passed.on(self.select),
            stated,
            mode: Mode { quick: self.settings.quick, ..Mode::default() },
            variants: request.variants.clone(),
            margin: self.margin.clone(),
            judged: request.variants.len() > 1,
            ..RunOptions::default()
        }
    }
}

fn benchmarks(
    bench: Bench<'_>,
    options: &RunOptions,
    request: &mut Request<'_>,
    listener: &mut Listener<'_>,
) -> Result<Measured> {
    let tell = &mut |news: News<'_>| listener.hear(news);
    let planned = match pipeline::plan(bench, options, &Occasion::default(), tell)? {
        Ready::Planned(planned) => planned,
        Ready::Early(outcome) => return Ok(Measured::Early(outcome)),
    };
    let variants = &planned.header.variants;
    if !(request.before)(&Built { catalogue: Some(&planned.catalogue), files: Vec::new(), variants })? {
        return Ok(Measured::Stopped);
    }
    Ok(Measured::Done(Box::new(pipeline::run(bench, options, *planned, tell)?)))
}

/// Returns the words of a command that name files of the project.
fn project_files(root: &Path, command: &[String]) -> Vec<String> {
    let own = |word: &String| {
        let word = word.strip_prefix("./").unwrap_or(word);
        (root.join(word).is_file() && Path::new(word).is_relative()).then(|| word.to_owned())
    };
    command.iter().filter_map(own).collect()
}
