//! Errors of the command line, in the form of all errors: what, where and what to try.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use derny_engine::discover::pattern;
use derny_model::{Problem, problem};

/// Words that Derny does not accept, although an earlier version or hyperfine has them: the verb, the words,
/// and what to type.
const REMOVED: &[(&str, &[&str], &str)] = &[
    ("list", &["--plan"], "`derny run --dry-run`"),
    (
        "report",
        &["-f", "--format"],
        "without it: a report is a page. `derny show -f json`, `derny compare -f markdown` and `derny plot` write other formats",
    ),
    ("export", &["--format json"], "`derny show -f json`"),
    (
        "try",
        &["-m", "--min-runs"],
        "without it: Derny measures until there is a verdict, or --budget 10s for more time",
    ),
    ("try", &["-r", "--runs"], "-M NUM, for at most NUM runs: Derny stops when the verdict is clear"),
    (
        "try",
        &["--sort"],
        "without it: rows keep the order of the commands, and the last lines begin with the fastest",
    ),
    ("try", &["-u", "--time-unit"], "without it: Derny chooses units. `-f json` has nanoseconds"),
    ("try", &["--export-asciidoc", "--export-orgmode"], "--export-markdown FILE, or `-f markdown`"),
];

/// Returns the message for an error of the parser, or `None` if it is not an error but a request such as
/// `--help`.
pub fn message(error: &Error, words: &[String]) -> Option<Problem> {
    if !error.use_stderr() {
        return None;
    }
    let cli = Cli::command();
    let verb = words.iter().skip(1).find_map(|word| cli.find_subcommand(word));
    let named = verb.map_or("derny".to_string(), |verb| format!("derny {}", verb.get_name()));
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let problem = match error.kind() {
        ErrorKind::InvalidSubcommand => unknown_verb(&cli, &text(ContextKind::InvalidSubcommand)?),
        ErrorKind::UnknownArgument => {
            let option = text(ContextKind::InvalidArg)?;
            let problem = unknown_option(verb.unwrap_or(&cli), &named, &option);
            match instead(verb, &option) {
                Some(now) => problem.remedy(now),
                None => problem,
            }
        }
        ErrorKind::InvalidValue if text(ContextKind::InvalidValue).is_some_and(|value| !value.is_empty()) => {
            let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let valid = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(valid)) => valid.clone(),
                _ => Vec::new(),
            };
            let name = option.split([' ', '[']).next().unwrap_or(&option);
            let remedy = instead(verb, &format!("{name} {value}")).map(str::to_string);
            let near = |near: String| match name.starts_with("--") {
                true if option.contains("[=") => format!("{name}={near}"),
                true => format!("{name} {near}"),
                false => format!("`{named} {near}`"),
            };
            let remedy = remedy.or_else(|| nearest(&value, &valid).map(near)).unwrap_or_default();
            problem!("`{value}` is not a value of {name}").known(valid.join(", ")).remedy(remedy)
        }
        _ => Problem::new(first_line(error)),
    };
    let problem = match problem.remedy.is_empty() {
        true => problem.remedy(format_args!("`{named} --help` shows its values")),
        false => problem,
    };
    Some(problem.place(verb.map_or(String::new(), |_| named)))
}

/// Returns what took the place of a removed word.
fn instead(verb: Option<&Command>, word: &str) -> Option<&'static str> {
    let removed =
        REMOVED.iter().find(|(of, old, _)| Some(*of) == verb.map(Command::get_name) && old.contains(&word));
    removed.map(|(_, _, now)| *now)
}

fn unknown_verb(cli: &Command, verb: &str) -> Problem {
    let verbs: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
    let near = pattern::closest(verb, verbs.into_iter());
    let remedy = match near.first() {
        Some(near) => format!("`derny {near}`"),
        None => "`derny help` lists every command".to_string(),
    };
    problem!("there is no command `{verb}`").remedy(remedy)
}

fn unknown_option(verb: &Command, named: &str, option: &str) -> Problem {
    let dashes = option.chars().take_while(|c| *c == '-').count();
    if dashes == 0 {
        return problem!("`{option}` is a word too many");
    }
    let options: Vec<String> =
        verb.get_arguments().filter_map(|arg| arg.get_long().map(str::to_string)).collect();
    let near = pattern::closest(&option[dashes..], options.iter().map(String::as_str));
    let remedy = match near.first() {
        Some(near) => format!("`--{near}`"),
        None => format!("`{named} --help` lists every option; arguments for the program go after `--`"),
    };
    problem!("there is no option `{option}`").remedy(remedy)
}

/// Returns the valid value that resembles `value`, or else the first.
fn nearest(value: &str, valid: &[String]) -> Option<String> {
    let near = pattern::closest(value, valid.iter().map(String::as_str));
    near.first().or(valid.first()).cloned()
}

/// The first line of the parser's own message.
fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_string()
}
