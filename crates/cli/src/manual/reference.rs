//! Reference of all verbs, `docs/reference/commands.md`, and tests of help texts.

use super::examples::{EXAMPLES, of as examples};
use super::{capital, command, form, groups, meaning, verbs};
use crate::args::Cli;
use clap::{Command, CommandFactory, Parser};
use std::path::Path;

fn all() -> String {
    let mut text = String::from(
        "# Commands\n\nThis page is generated. `derny help COMMAND` prints a short form, and `derny dev man \
            COMMAND` a manual page.\n",
    );
    verb(&command(), "", &mut text);
    text
}

fn verb(command: &Command, path: &str, text: &mut String) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let name = format!("derny {path}");
    text.push_str(&format!("\n## {}\n\n{}\n\n", name.trim(), sentence(&about)));
    text.push_str(&format!("```text\n{}\n```\n", usage.trim_start_matches("Usage: ")));
    let longest = examples(path).iter().map(|(typed, _)| typed.chars().count()).max().unwrap_or(0);
    text.push_str("\n```sh\n");
    for (typed, what) in examples(path) {
        text.push_str(&format!("{typed:longest$}  # {what}\n"));
    }
    text.push_str("```\n");
    for (heading, args) in groups(command) {
        text.push_str(&format!("\n**{heading}**\n\n"));
        for arg in args {
            let long = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
            let more = long.split_once("\n\n").map_or("", |(_, more)| more).replace("\n\n", " ");
            let variable =
                arg.get_env().map(|name| format!(" Or `{}` in the environment.", name.to_string_lossy()));
            let own = format!("{}{}", sentence(&meaning(arg)), variable.unwrap_or_default());
            text.push_str(&format!("- `{}`: {own} {more}", form(arg).trim()).trim_end().replace('\n', " "));
            text.push('\n');
            for value in arg.get_possible_values() {
                if let Some(help) = value.get_help() {
                    text.push_str(&format!("  - `{}`: {}\n", value.get_name(), sentence(&help.to_string())));
                }
            }
        }
    }
    for below in verbs(command) {
        verb(below, format!("{path} {}", below.get_name()).trim(), text);
    }
    if let Some(end) = command.get_after_help() {
        let (head, codes) =
            end.to_string().split_once(": ").map(|(a, b)| (a.to_string(), b.to_string())).unwrap();
        text.push_str(&format!("\n## {head}\n\n"));
        codes.split("; ").for_each(|code| {
            let (number, what) = code.split_once(' ').unwrap();
            text.push_str(&format!("- `{number}`: {}\n", sentence(what)));
        });
    }
}

/// Returns the text with a capital letter and a full stop. The full stop comes before a default in
/// brackets.
fn sentence(text: &str) -> String {
    let text = capital(text.trim()).replace(" [default", ". [default").replace(" [default: ", " Default: ");
    let text =
        text.strip_suffix(']').filter(|_| text.contains(" Default: ")).map_or(text.clone(), String::from);
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}

/// Splits a line into words as a shell does, up to a pipe or redirection.
pub(super) fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], None);
    for c in line.chars() {
        match c {
            '\'' | '"' if quoted.is_none() => quoted = Some(c),
            c if quoted == Some(c) => quoted = None,
            ' ' if quoted.is_none() => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.into_iter().take_while(|word| word != "|" && word != ">").collect()
}

fn every(command: &Command, path: &str, visit: &mut impl FnMut(&Command, &str)) {
    visit(command, path);
    for below in verbs(command) {
        every(below, format!("{path} {}", below.get_name()).trim(), visit);
    }
}

/// Checks that the reference is up to date. `DERNY_WRITE_DOCS=1 cargo test -p derny --bins` updates it.
#[test]
fn the_reference_of_commands_in_the_manual_is_up_to_date() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/commands.md");
    if std::env::var_os("DERNY_WRITE_DOCS").is_some() {
        std::fs::write(file, all()).unwrap();
    }
    let committed = std::fs::read_to_string(Path::new(file)).unwrap_or_default();
    assert!(
        committed == all(),
        "docs/reference/commands.md is out of date: run the test with DERNY_WRITE_DOCS=1"
    );
}

#[test]
fn the_manual_has_a_description_of_every_option_and_no_stray_bracket() {
    let text = all();
    assert!(!text.contains("The setting `"), "a setting without its description");
    for option in text.lines().filter(|line| line.trim_start().starts_with("- `")) {
        let about = option.split_once("`: ").unwrap().1;
        assert_eq!(about.matches('[').count(), about.matches(']').count(), "{option}");
        assert!(!about.contains("[default"), "{option}");
    }
}

#[test]
fn every_verb_of_the_manual_has_examples_that_can_be_typed() {
    every(&command(), "", &mut |_, path| {
        assert!(!examples(path).is_empty(), "`derny {path}` has no example");
        for (typed, _) in examples(path) {
            assert!(typed.starts_with(format!("derny {path}").trim()), "{typed}: an example of `{path}`");
            if let Err(error) = Cli::try_parse_from(words(typed)) {
                panic!("{typed}\n{error}");
            }
        }
    });
    assert!(EXAMPLES.iter().all(|(verb, _)| {
        let mut words = verb.split_whitespace();
        let found = words.try_fold(Cli::command(), |at, word| at.find_subcommand(word).cloned());
        found.is_some()
    }));
    assert!(Cli::try_parse_from(words("derny run --nosuch")).is_err());
}
