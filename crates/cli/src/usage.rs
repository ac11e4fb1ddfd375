//! What the command line gets wrong, in the form of all errors: what, where and what to try.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use derny_engine::discover::pattern;
use std::fmt::Write;

/// Words that Derny does not accept, although an earlier version or hyperfine has them: the verb, the words,
/// and what to type.
const REMOVED: &[(&str, &[&str], &str)] = &[
    ("list", &["--plan"], "`derny run --dry-run`"),
    (
        "report",
        &["-f", "--format"],
        "without it: a report is a page. `derny show -f json`, `derny compare -f markdown` and `derny plot` write other forms",
    ),
    ("export", &["--format json"], "`derny show -f json`"),
    (
        "try",
        &["-m", "--min-runs"],
        "without it: Derny measures until there is a verdict, or --budget 10s for more time",
    ),
    ("try", &["-r", "--runs"], "-M NUM, for at most so many runs: Derny ends where the verdict is clear"),
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
pub fn message(error: &Error, words: &[String]) -> Option<String> {
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
    let (what, known, remedy) = match error.kind() {
        ErrorKind::InvalidSubcommand => unknown_verb(&cli, &text(ContextKind::InvalidSubcommand)?),
        ErrorKind::UnknownArgument => {
            let option = text(ContextKind::InvalidArg)?;
            let (what, known, near) = unknown_option(verb.unwrap_or(&cli), &named, &option);
            (what, known, instead(verb, &option).or(near))
        }
        ErrorKind::InvalidValue if text(ContextKind::InvalidValue).is_some_and(|value| !value.is_empty()) => {
            let (option, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
            let valid = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(valid)) => valid.clone(),
                _ => Vec::new(),
            };
            let name = option.split([' ', '[']).next().unwrap_or(&option);
            let (what, known, near) = unknown_value(name, &value, &valid);
            let near = near.map(|near| match name.starts_with("--") {
                true if option.contains("[=") => format!("{name}={near}"),
                true => format!("{name} {near}"),
                false => format!("`{named} {near}`"),
            });
            (what, known, instead(verb, &format!("{name} {value}")).or(near))
        }
        _ => (first_line(error), String::new(), None),
    };
    let remedy = remedy.unwrap_or_else(|| format!("`{named} --help` shows what it takes"));
    let mut message = format!("error: {what}");
    if verb.is_some() {
        let _ = write!(message, "\n  where  {named}");
    }
    if !known.is_empty() {
        let _ = write!(message, "\n  known  {known}");
    }
    let _ = write!(message, "\n  try    {remedy}");
    Some(message)
}

/// What is wrong, what is known instead, and what to try.
type Parts = (String, String, Option<String>);

/// Returns what took the place of a removed word.
fn instead(verb: Option<&Command>, word: &str) -> Option<String> {
    let removed =
        REMOVED.iter().find(|(of, old, _)| Some(*of) == verb.map(Command::get_name) && old.contains(&word));
    removed.map(|(_, _, now)| (*now).to_string())
}

fn unknown_verb(cli: &Command, verb: &str) -> Parts {
    let verbs: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
    let near = pattern::closest(verb, verbs.into_iter());
    let remedy = match near.first() {
        Some(near) => format!("`derny {near}`"),
        None => "`derny help` lists every command".to_string(),
    };
    (format!("there is no command `{verb}`"), String::new(), Some(remedy))
}

fn unknown_option(verb: &Command, named: &str, option: &str) -> Parts {
    let dashes = option.chars().take_while(|c| *c == '-').count();
    let what = format!("there is no option `{option}`");
    if dashes == 0 {
        return (format!("`{option}` is a word too many"), String::new(), None);
    }
    let options: Vec<String> =
        verb.get_arguments().filter_map(|arg| arg.get_long().map(str::to_string)).collect();
    let near = pattern::closest(&option[dashes..], options.iter().map(String::as_str));
    let remedy = match near.first() {
        Some(near) => format!("`--{near}`"),
        None => format!("`{named} --help` lists every option; words for the program stand after `--`"),
    };
    (what, String::new(), Some(remedy))
}

fn unknown_value(name: &str, value: &str, valid: &[String]) -> Parts {
    let near = pattern::closest(value, valid.iter().map(String::as_str));
    let near = near.first().or(valid.first()).cloned();
    (format!("`{value}` is not a value of {name}"), valid.join(", "), near)
}

/// The first line of the parser's own message.
fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_string()
}
