//! What the command line gets wrong, in the form of all errors: what, where and what to try.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use derny_engine::discover::pattern;
use std::fmt::Write;

/// What earlier command lines had: the verb, the word, and what to type now.
const REMOVED: &[(&str, &str, &str)] = &[
    ("list", "--plan", "`derny run --dry-run`"),
    ("report", "-f", PAGE),
    ("report", "--format", PAGE),
    ("export", "--format json", "`derny show -f json`"),
];
/// What writes the forms that a report had.
const PAGE: &str = "without it: a report is a page. `derny show -f json`, `derny compare -f markdown` and `derny plot` write other forms";

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
            let name = option.split(' ').next().unwrap_or(&option);
            let (what, known, near) = unknown_value(name, &value, &valid);
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
        REMOVED.iter().find(|(of, old, _)| Some(*of) == verb.map(Command::get_name) && *old == word);
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
    let remedy = near.first().or(valid.first()).map(|near| format!("{name} {near}"));
    (format!("`{value}` is not a value of {name}"), valid.join(", "), remedy)
}

/// The first line of the parser's own message.
fn first_line(error: &Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &str) -> String {
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        let error = Cli::command().try_get_matches_from(&words).unwrap_err();
        message(&error, &words).unwrap()
    }

    #[test]
    fn the_nearest_is_named() {
        assert_eq!(said("derny rnu"), "error: there is no command `rnu`\n  try    `derny run`");
        assert_eq!(
            said("derny zzz"),
            "error: there is no command `zzz`\n  try    `derny help` lists every command"
        );
        let option = said("derny run --bugdet 3s");
        assert_eq!(option, "error: there is no option `--bugdet`\n  where  derny run\n  try    `--budget`");
        let value = said("derny run --fail-on wrose");
        assert!(
            value.starts_with("error: `wrose` is not a value of --fail-on\n  where  derny run\n"),
            "{value}"
        );
        assert!(value.ends_with("\n  known  worse, unclear\n  try    --fail-on worse"), "{value}");
    }

    #[test]
    fn a_removed_word_names_what_to_type_now() {
        assert_eq!(
            said("derny list --plan --total 5m"),
            "error: there is no option `--plan`\n  where  derny list\n  try    `derny run --dry-run`"
        );
        assert!(said("derny report -f md").contains("try    without it: a report is a page"));
        assert!(said("derny export -f json").ends_with("try    `derny show -f json`"));
    }

    #[test]
    fn other_errors_have_the_same_form() {
        let lacks = said("derny run --budget");
        assert!(lacks.starts_with("error: a value is required for"), "{lacks}");
        assert!(
            lacks.ends_with("\n  where  derny run\n  try    `derny run --help` shows what it takes"),
            "{lacks}"
        );
    }
}
