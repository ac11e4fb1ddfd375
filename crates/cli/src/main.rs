//! Binary `derny`: parses arguments, connects the stages and returns the exit code. The logic is in the
//! crates below.
//!
//! 1. `args` describes the command line, and clap parses it.
//! 2. `commands` has one file per verb, which opens the project and the store by `session`.
//! 3. `options` converts the arguments to plain options, and the workbench runs with them.
//! 4. `news` sends the events of the run to `progress` and to the event stream.
//! 5. `results` prints a run and `judge` a comparison, as text of the report crate.
//! 6. `output` writes the text to standard output or to a file.
//! 7. `exit` converts the outcome to a status.

mod args;
mod commands;
mod doctor;
mod exit;
mod explain;
mod foreign_file;
mod judge;
mod live_names;
mod manual;
mod news;
mod options;
mod output;
mod progress;
mod results;
mod resume;
mod schema;
mod session;
mod usage;

use args::{Cli, Verb};
use clap::{CommandFactory, FromArgMatches};
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
    let asked = ["help", "-h", "--help"];
    let help =
        std::env::args_os().len() < 2 || std::env::args_os().any(|word| asked.iter().any(|ask| word == *ask));
    let command = if help { manual::with_help(output::columns()) } else { Cli::command() };
    let cli = match command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    let done = match &cli.verb {
        Verb::Run(args) => commands::run::run(&cli.global, args),
        Verb::Diff(args) => commands::run::diff(&cli.global, args),
        Verb::Try(args) => commands::whole::measure(&cli.global, args),
        Verb::List(args) => commands::list::list(&cli.global, args),
        Verb::Compare(args) => commands::compare::compare(&cli.global, args),
        Verb::Gate(args) => commands::gate::gate(&cli.global, args),
        Verb::Plan(args) => commands::plan::plan(&cli.global, args),
        Verb::Shard(args) => commands::shard::shard(&cli.global, args),
        Verb::Worker(args) => commands::worker::worker(&cli.global, args),
        Verb::Merge(args) => commands::merge::merge(&cli.global, args),
        Verb::Generate(args) => commands::generate::generate(args),
        Verb::Show(args) => commands::show::show(&cli.global, args),
        Verb::Plot(args) => commands::plot::plot(&cli.global, args),
        Verb::Scaling(args) => commands::scaling::scaling(&cli.global, args),
        Verb::Report(args) => commands::report::report(&cli.global, args),
        Verb::Runs(args) => commands::runs::runs(&cli.global, args),
        Verb::Baseline(args) => commands::baseline::baseline(&cli.global, args),
        Verb::Store(args) => commands::store::store(&cli.global, args),
        Verb::Export(args) => commands::export::export(&cli.global, args),
        Verb::Import(args) => commands::import::import(&cli.global, args),
        Verb::Doctor(args) => commands::doctor::doctor(&cli.global, args),
        Verb::Explain(args) => commands::explain::explain(&cli.global, args),
        Verb::Config(args) => commands::config::config(&cli.global, args),
        Verb::Schema(args) => commands::schema::schema(args),
        Verb::Attach(args) => commands::attach::attach(&cli.global, args),
        Verb::Init(args) => commands::init::init(&cli.global, args),
        Verb::Conform(args) => commands::conform::conform(&cli.global, args),
        Verb::Protocol(args) => commands::protocol::protocol(args),
        Verb::Completions(args) => commands::completions::completions(args),
        Verb::Man(args) => commands::man::man(cli.global.quiet > 0, args),
    };
    if let Err(error) = &done
        && exit::is_worth_telling(error)
    {
        output::note(&format!("error: {error}"));
    }
    ExitCode::from(exit::status(&done))
}

/// Prints help or a usage error. Returns the exit code.
fn misused(error: &clap::Error) -> ExitCode {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    match usage::message(error, &words) {
        Some(message) => {
            output::note(&format!("error: {message}"));
            ExitCode::from(exit::USAGE)
        }
        None => error.exit(),
    }
}

/// Returns the exit code after this program has served as a harness.
fn served(done: std::io::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("derny: {error}"));
            ExitCode::from(exit::USAGE)
        }
    }
}
