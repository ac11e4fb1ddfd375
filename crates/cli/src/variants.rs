//! Variants from `-x`: `NAME=COMMAND`, `NAME@REV`, `NAME+KEY=VALUE`, and `[variant.NAME]` of derny.toml.

use crate::git;
use anyhow::{Result, bail};
use derny_engine::project::{Project, split};
use derny_model::Variant;
use std::path::Path;

/// The variants of a run, in the order given; a run without any has one, `base`. `control` adds the first once more.
pub fn resolve(project: &Project, texts: &[String], control: bool, store: &Path) -> Result<Vec<Variant>> {
    let mut variants: Vec<Variant> = Vec::new();
    for text in texts {
        variants.push(parse(text, project)?);
    }
    if variants.is_empty() {
        variants.push(plain("base"));
    }
    if control {
        let mut copy = variants[0].clone();
        copy.name = "control".into();
        variants.insert(1, copy);
    }
    for i in 0..variants.len() {
        if variants[..i].iter().any(|other| other.name == variants[i].name) {
            bail!("two variants are called `{}`\n  try    another NAME in -x NAME=COMMAND", variants[i].name);
        }
    }
    for variant in &mut variants {
        if let Some(revision) = variant.revision.clone() {
            let build: Vec<Vec<String>> = project
                .content
                .suite
                .values()
                .filter_map(|suite| suite.build.as_ref().map(|b| b.words()))
                .collect();
            let (directory, hash) =
                git::worktree(&project.root, &store.join("worktrees"), &revision, &build)?;
            variant.directory = Some(directory.display().to_string());
            variant.revision = Some(hash);
        }
    }
    Ok(variants)
}

fn plain(name: &str) -> Variant {
    Variant { name: name.into(), ..Variant::default() }
}

fn parse(text: &str, project: &Project) -> Result<Variant> {
    let end = text.find(['=', '@', '+']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if name.is_empty() {
        bail!("`-x {text}` has no name\n  try    -x NAME=COMMAND, -x NAME@REV or -x NAME+KEY=VALUE");
    }
    let mut variant = plain(name);
    if let Some(table) = project.content.variant.get(name) {
        variant.command = table.command.as_ref().map(|words| words.words());
        variant.revision.clone_from(&table.revision);
        variant.env = table.env.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    } else if rest.is_empty() {
        bail!(
            "`-x {text}` says no way to launch, and derny.toml has no [variant.{text}]\n  try    -x {text}=COMMAND"
        );
    }
    while !rest.is_empty() {
        let (sign, tail) = rest.split_at(1);
        match sign {
            "=" => {
                let words = split(tail);
                if words.is_empty() {
                    bail!("`-x {text}` has an empty command");
                }
                variant.command = Some(words);
                rest = "";
            }
            "@" => {
                let end = tail.find('+').unwrap_or(tail.len());
                let revision = &tail[..end];
                variant.revision = Some(revision.strip_prefix("git:").unwrap_or(revision).to_string());
                rest = &tail[end..];
            }
            _ => {
                let end = next_variable(tail);
                let Some((key, value)) = tail[..end].split_once('=').filter(|(key, _)| !key.is_empty())
                else {
                    bail!("`-x {text}`: `+{tail}` is no +KEY=VALUE");
                };
                variant.env.push((key.to_string(), value.to_string()));
                rest = &tail[end..];
            }
        }
    }
    Ok(variant)
}

/// Where the next `+KEY=` starts: a plus within a value is the value's unless a variable's name follows it.
fn next_variable(text: &str) -> usize {
    let starts = text.match_indices('+').map(|(at, _)| at);
    let is_variable = |at: &usize| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        end > 0 && rest[end..].starts_with('=')
    };
    starts.filter(is_variable).find(|at| text[..*at].contains('=')).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Variant {
        parse(text, &Project::default()).unwrap()
    }

    #[test]
    fn the_three_forms_combine() {
        assert_eq!(parsed("old=./node-a --flag 'a b'").command.unwrap(), ["./node-a", "--flag", "a b"]);
        let both = parsed("new@HEAD~1+NODE_OPTIONS=--no-opt");
        assert_eq!(both.revision.as_deref(), Some("HEAD~1"));
        assert_eq!(both.env, [("NODE_OPTIONS".to_string(), "--no-opt".to_string())]);
        let two = parsed("x+A=1+2+B=3");
        assert_eq!(two.env, [("A".to_string(), "1+2".to_string()), ("B".to_string(), "3".to_string())]);
        assert_eq!(parsed("x@git:main").revision.as_deref(), Some("main"));
        for bad in ["=x", "x", "x=", "x+A", "x+=1"] {
            assert!(parse(bad, &Project::default()).is_err(), "{bad}");
        }
    }
}
