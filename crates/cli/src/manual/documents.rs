//! Tests that every `derny` command in the documents and in messages is valid. Sessions and `console` blocks
//! are also executed (`tests/sessions.rs`).

use super::reference::words;
use crate::args::Cli;
use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use std::path::{Path, PathBuf};

/// Adds the files below a folder whose names end with `end` to `found`. Skips notes, dependencies and build
/// folders.
fn below(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() && !["notes", "node_modules", "target", "_build", "deps"].contains(&name.as_str()) {
            below(&entry, end, found);
        } else if name.ends_with(end) {
            found.push(entry);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the README, all documents except the notes, the pages of SDKs and lessons, and the skill
/// for agents.
fn pages() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    ["docs", "sdk", "examples", "plugin"]
        .iter()
        .for_each(|folder| below(&root().join(folder), ".md", &mut found));
    found
}

/// Returns the commands in backquotes in a source file, except those in line comments.
fn messages(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    quoted.filter(|part| part.starts_with("derny ")).map(String::from).collect()
}

/// Returns the commands in code blocks and inline code. Text after two spaces or `#` is an explanation.
fn commands(text: &str) -> Vec<String> {
    let (mut found, mut fenced) = (Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            found.push(line.trim().trim_start_matches("$ ").to_string());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(String::from));
        }
    }
    let typed = |line: &String| {
        let line = line.split("  ").next().unwrap_or_default();
        let line = line.split(" # ").next().unwrap_or_default();
        let parts = line.split("&&").flat_map(|part| part.split(" | ")).map(str::trim);
        parts.filter(|part| part.starts_with("derny ")).map(String::from).collect::<Vec<_>>()
    };
    found.iter().flat_map(typed).collect()
}

/// Returns true if the text is a pattern for commands, or continues on the next line.
fn is_pattern(typed: &str) -> bool {
    typed.contains(['…', '<', '[', '{', '\\']) || typed.contains("...")
}

/// Returns why a command is not valid, or `None` if it is. Inline code may omit required arguments, or
/// contain a word in capitals as a placeholder.
fn refused(typed: &str) -> Option<String> {
    let parts = words(typed);
    if let [_, verb, topic @ ..] = &parts[..]
        && verb == "help"
        && super::topic(topic, None).is_some()
    {
        return None;
    }
    let error = Cli::try_parse_from(parts).err()?;
    let of = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let value = of(ContextKind::InvalidValue) + &of(ContextKind::InvalidSubcommand);
    let placeholder = value.chars().all(|c| c.is_uppercase());
    let slips = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand, ErrorKind::InvalidValue];
    let capitals = !value.is_empty() || error.kind() == ErrorKind::InvalidValue;
    let is_wrong = slips.contains(&error.kind()) && !(capitals && placeholder);
    is_wrong.then(|| error.to_string().lines().next().unwrap_or_default().to_owned())
}

/// Checks the commands that `of` finds in these files. Returns their number.
fn check(files: &[PathBuf], of: fn(&str) -> Vec<String>) -> usize {
    let (mut seen, mut wrong) = (0, Vec::new());
    for file in files {
        for typed in of(&std::fs::read_to_string(file).unwrap()).iter().filter(|typed| !is_pattern(typed)) {
            seen += 1;
            wrong.extend(refused(typed).map(|why| format!("{}: {typed}\n    {why}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    seen
}

#[test]
fn every_command_of_the_manual_and_the_documents_can_be_typed() {
    let seen = check(&pages(), commands);
    assert!(seen > 150, "{seen} commands");
}

#[test]
fn every_command_that_a_message_names_can_be_typed() {
    let mut sources = Vec::new();
    for package in std::fs::read_dir(root().join("crates")).unwrap() {
        below(&package.unwrap().path().join("src"), ".rs", &mut sources);
    }
    let seen = check(&sources, messages);
    assert!(seen > 80, "{seen} commands");
}

#[test]
fn commands_are_found_in_code_only() {
    let text = "Type `derny run`, not derny show.\n\n    derny list  every case\n\n```console\n$ derny run x && derny show\nderny: no\n```\n";
    assert_eq!(commands(text), ["derny run", "derny list", "derny run x", "derny show"]);
}
