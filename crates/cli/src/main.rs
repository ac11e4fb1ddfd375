//! Binary `derny`: parses arguments, connects the stages and returns the exit code. The logic is in the
//! crates that it depends on.
//!
//! 1. `args` describes the command line, and clap parses it.
//! 2. `commands` has one file per verb, which uses `session` to open the project and the store.
//! 3. `options` converts the arguments to the workbench's options.
//! 4. `news` sends the events of the run to `progress` and to the event stream.
//! 5. `results` prints runs and comparisons, which the report crate formats.
//! 6. `output` writes the text to standard output or to a file.
//! 7. `exit` converts the outcome to a status.

mod args;
mod commands;
mod doctor;
mod exit;
mod explain;
mod extension;
mod foreign_file;
mod live_names;
mod manual;
mod news;
mod options;
mod output;
mod progress;
mod results;
mod schema;
mod session;
mod usage;

use args::{Cli, DevVerb, FleetVerb, HistoryVerb, PlotVerb, RunsVerb, Verb};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use derny_workbench::{Outcome, Result};
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == derny_engine::launch::reaper::ARGUMENT) {
        derny_engine::launch::reaper::serve(std::io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    if std::env::args_os().nth(1).is_some_and(|word| word == doctor::kernel::ARGUMENT) {
        return served(doctor::kernel::serve());
    }
    if std::env::args_os().nth(1).is_some_and(|word| word == derny_command::harness::ARGUMENT) {
        let file = std::env::args_os().nth(2).unwrap_or_default();
        commands::whole::surroundings();
        return served(derny_command::harness::serve(std::path::Path::new(&file)));
    }
    if let [verb, topic @ ..] =
        &std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()[..]
        && verb == "help"
        && let Some(text) = manual::topic(topic, output::columns())
    {
        return served(manual::print(text));
    }
    let asked = ["help", "-h", "--help"];
    let help =
        std::env::args_os().len() < 2 || std::env::args_os().any(|word| asked.iter().any(|ask| word == *ask));
    let command = if help { manual::with_help(output::columns()) } else { Cli::command() };
    let parsed =
        command.try_get_matches().and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (mut cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return misused(&error),
    };
    let done = match extension::settle(&mut cli.verb, &matches) {
        Ok(()) => done(&cli),
        Err(problem) => Err(problem.into()),
    };
    if let Err(error) = &done
        && exit::is_worth_telling(error)
    {
        output::note(&format!("error: {error}"));
    }
    ExitCode::from(exit::status(&done))
}

fn done(cli: &Cli) -> Result<Outcome> {
    let global = &cli.global;
    match &cli.verb {
        Verb::Diff(args) => commands::run::diff(global, args),
        Verb::Run(args) => commands::run::run(global, args),
        Verb::Try(args) => commands::whole::measure(global, args),
        Verb::Judge(args) => commands::judge::judge(global, args),
        Verb::Bisect(args) => commands::bisect::bisect(global, args),
        Verb::Show(args) => commands::show::show(global, args),
        Verb::Compare(args) => commands::compare::compare(global, args),
        Verb::Report(args) => commands::report::report(global, args),
        Verb::Plot(args) => match &args.verb {
            Some(PlotVerb::Scaling(args)) => commands::scaling::scaling(global, args),
            None => commands::plot::plot(global, args),
        },
        Verb::History(args) => history(global, args),
        Verb::List(args) => commands::list::list(global, args),
        Verb::Init(args) => commands::init::init(global, args),
        Verb::Doctor(args) => commands::doctor::doctor(global, args),
        Verb::Runs(args) => match &args.verb {
            Some(RunsVerb::Copy(args)) => commands::copy::copy(global, args),
            Some(RunsVerb::Baseline(args)) => commands::baseline::baseline(global, args),
            _ => commands::runs::runs(global, args),
        },
        Verb::Import(args) => commands::import::import(global, args),
        Verb::Export(args) => commands::export::export(global, args),
        Verb::Config(args) => commands::config::config(global, args),
        Verb::Mcp => commands::mcp::mcp(global),
        Verb::Fleet(args) => match &args.verb {
            FleetVerb::Plan(args) => commands::plan::plan(global, args),
            FleetVerb::Shard(args) => commands::shard::shard(global, args),
            FleetVerb::Worker(args) => commands::worker::worker(global, args),
            FleetVerb::Merge(args) => commands::merge::merge(global, args),
            FleetVerb::Generate(args) => commands::generate::generate(global, args),
        },
        Verb::Dev(args) => match &args.verb {
            DevVerb::Explain(args) => commands::explain::explain(global, args),
            DevVerb::Conform(args) => commands::conform::conform(global, args),
            DevVerb::Protocol(args) => commands::protocol::protocol(args),
            DevVerb::Attach(args) => commands::attach::attach(global, args),
            DevVerb::Schema(args) => commands::schema::schema(args),
            DevVerb::Man(args) => commands::man::man(global.quiet > 0, args),
            DevVerb::Completions(args) => commands::completions::completions(args),
        },
    }
}

/// Prints help, or the errors of the command line. Returns the exit code.
fn misused(error: &clap::Error) -> ExitCode {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let mut help = manual::with_help(output::columns());
        if words.len() < 2 {
            return served(help.print_help());
        }
        help.try_get_matches().err().as_ref().unwrap_or(error).exit();
    }
    match usage::message(error, &words) {
        Some(message) => {
            output::note(&format!("error: {message}"));
            ExitCode::from(exit::USAGE)
        }
        None => error.exit(),
    }
}

fn history(global: &args::Global, args: &args::HistoryArgs) -> Result<Outcome> {
    match &args.verb {
        None => commands::history::show(global, &args.show),
        Some(HistoryVerb::Confirm(args)) => commands::confirm::confirm(global, args),
        Some(HistoryVerb::Creep(args)) => commands::creep::creep(global, args),
        Some(HistoryVerb::Import(args)) => commands::history_import::import(global, args),
        Some(HistoryVerb::Mark(args)) => commands::history::mark(global, args),
        Some(HistoryVerb::Site(args)) => commands::history::write_site(global, args),
    }
}

/// Returns the exit code of a call that has served as a harness or printed help.
fn served(done: std::io::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("derny: {error}"));
            ExitCode::from(exit::USAGE)
        }
    }
}
