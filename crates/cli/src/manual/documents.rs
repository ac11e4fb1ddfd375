//! Tests that every `derny` command in the documents is valid. Sessions and `console` blocks are also
//! executed (`tests/sessions.rs`).

use super::reference::words;
use crate::args::Cli;
use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use std::path::{Path, PathBuf};

/// Returns the README, all documents except the notes, and the pages of SDKs and lessons.
fn pages() -> Vec<PathBuf> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if entry.is_dir()
                && !["notes", "node_modules", "target", "_build", "deps"].contains(&name.as_str())
            {
                below(&entry, found);
            } else if name.ends_with(".md") {
                found.push(entry);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md")];
    ["docs", "sdk", "examples"].iter().for_each(|folder| below(&root.join(folder), &mut found));
    found
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

#[test]
fn every_command_of_the_manual_and_the_documents_can_be_typed() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for page in pages() {
        for typed in commands(&std::fs::read_to_string(&page).unwrap()) {
            // The line is a pattern of commands, or continues on the next line.
            if typed.contains(['…', '<', '[', '{', '\\']) || typed.contains("...") {
                continue;
            }
            seen += 1;
            let parts = words(&typed);
            if let [_, verb, topic @ ..] = &parts[..]
                && verb == "help"
                && super::topic(topic, None).is_some()
            {
                continue;
            }
            let Err(error) = Cli::try_parse_from(parts) else { continue };
            let of = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
            let value = of(ContextKind::InvalidValue) + &of(ContextKind::InvalidSubcommand);
            // Inline code may omit required arguments, or contain a word in capitals as a placeholder.
            let placeholder = value.chars().all(|c| c.is_uppercase());
            let slips = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand, ErrorKind::InvalidValue];
            let capitals = !value.is_empty() || error.kind() == ErrorKind::InvalidValue;
            if slips.contains(&error.kind()) && !(capitals && placeholder) {
                let why = error.to_string();
                wrong.push(format!(
                    "{}: {typed}\n    {}",
                    page.display(),
                    why.lines().next().unwrap_or_default()
                ));
            }
        }
    }
    assert!(seen > 150, "{seen} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn commands_are_found_in_code_only() {
    let text = "Type `derny run`, not derny show.\n\n    derny list  every case\n\n```console\n$ derny run x && derny show\nderny: no\n```\n";
    assert_eq!(commands(text), ["derny run", "derny list", "derny run x", "derny show"]);
}
