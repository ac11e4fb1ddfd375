//! Help screens that belong to no single command: the first one, all commands by group, and the settings.

use super::{capital, fill, form, meaning, section, verbs};
use crate::args::{EXIT_CODES, group_of};
use clap::Command;
use derny_workbench::config::settings::KEYS;

/// Commands for everyday use, each with the question that it answers.
const EVERY_DAY: &[(&str, &str)] = &[
    ("derny diff main", "is my change slower than main?"),
    ("derny run parse", "measure the cases of parse; `-x main -x head` compares"),
    ("derny try './old' './new'", "compare two commands"),
    ("derny show", "show the last result again, with its verdicts"),
    ("derny compare main last", "compare runs, baselines, files of other tools"),
    ("derny report --open", "open the last result as a page"),
    ("derny history", "show times over commits"),
    ("derny list", "list what can be measured"),
    ("derny init", "write a first benchmark; with `--ci github`, a workflow too"),
    ("derny doctor", "check whether this machine is fit to measure"),
];

pub fn first(width: usize) -> String {
    let mut text = "Did my change make this faster or slower, and can I trust the answer?\n".to_owned();
    let rows = EVERY_DAY.iter().map(|(typed, answers)| (*typed, capital(answers)));
    section(&mut text, "Examples", width, rows);
    let more = "`derny help COMMAND` explains a command. `derny help all` lists all commands and global \
        options, `derny help settings` all settings.";
    text.push_str(&format!("\n{}\n\n{}\n", fill(more, 0, width), fill(EXIT_CODES, 0, width)));
    text
}

/// Returns every command by group, and the global options.
pub fn all(command: &Command, width: usize) -> String {
    let mut groups: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for verb in verbs(command) {
        let group = group_of(verb.get_name());
        let mut rows = Vec::new();
        listed(verb, "", &mut rows);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, all)) => all.extend(rows),
            None => groups.push((group, rows)),
        }
    }
    let mut text = "All commands. `derny help COMMAND` explains one.\n".to_owned();
    let longest = groups.iter().flat_map(|(_, rows)| rows).map(|(name, _)| name.len()).max().unwrap_or(0);
    for (group, rows) in &groups {
        let padded: Vec<(String, String)> =
            rows.iter().map(|(name, about)| (format!("{name:longest$}"), about.clone())).collect();
        section(&mut text, group, width, padded.iter().map(|(name, about)| (name.as_str(), about.clone())));
    }
    let globals: Vec<(String, String)> = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .map(|arg| (form(arg), meaning(arg)))
        .collect();
    section(
        &mut text,
        "Options of every command",
        width,
        globals.iter().map(|(form, about)| (form.as_str(), about.clone())),
    );
    text
}

/// Adds a command, or its subcommands if it requires one.
fn listed(verb: &Command, path: &str, rows: &mut Vec<(String, String)>) {
    let name = format!("{path} {}", verb.get_name()).trim_start().to_owned();
    let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
    if !verb.is_subcommand_required_set() {
        rows.push((name.clone(), about));
    }
    verbs(verb).for_each(|below| listed(below, &name, rows));
}

/// Returns every setting with its default.
pub fn settings(width: usize) -> String {
    let head = "Settings of a measurement: `--set KEY=VALUE`, a key at the top of derny.toml, or DERNY_KEY in the \
        environment. `derny config` shows where each value comes from.";
    let mut text = format!("{}\n", fill(head, 0, width));
    let about = |about: &str, default: &str| format!("{} [default: {default}]", capital(about));
    section(&mut text, "Settings", width, KEYS.iter().map(|key| (key.name, about(key.about, key.default))));
    text
}
