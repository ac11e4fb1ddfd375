//! Parses `-x`, and uses `[variant.NAME]` of derny.toml. This module looks up no revisions and builds
//! nothing.
//!
//! The form is `NAME[:BENCHMARK][@REVISION][+KEY=VALUE…][+-FLAG…][+build:FLAG…][=COMMAND]`. A name alone is
//! a variant of derny.toml, `head`, or else a revision.

use crate::error::Result;
use derny_engine::discover::names_side;
use derny_engine::discover::project::{Project, split};
use derny_model::problem;

const FORMS: &str = "use -x NAME=COMMAND, -x NAME@REVISION, -x NAME+KEY=VALUE, -x NAME+-FLAG, -x NAME+build:FLAG or -x NAME:BENCHMARK";

/// Name of the side that is the unmodified working tree.
pub const HEAD: &str = "head";

/// Prefix of an argument for the build, after a `+`.
const BUILD: &str = "build:";

/// A parsed `-x`. None of its names has been looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantSpec {
    /// Name of the variant.
    pub name: String,
    /// Words that replace `{runtime}` in the launch line.
    pub command: Option<Vec<String>>,
    /// Arguments for the runtime, or for the program if there is no runtime.
    pub args: Vec<String>,
    /// Arguments for the build.
    pub build_args: Vec<String>,
    /// Additional environment variables: name and value.
    pub env: Vec<(String, String)>,
    /// Name of the revision to build the variant from.
    pub revision: Option<String>,
    /// Another benchmark of the suite, to measure instead of each case's own.
    pub benchmark: Option<String>,
    /// True if only a name was given. Its revision then has the same name.
    pub is_bare: bool,
}

impl VariantSpec {
    /// Returns a variant that launches the program unchanged.
    pub fn plain(name: &str) -> VariantSpec {
        VariantSpec { name: name.into(), ..VariantSpec::default() }
    }
}

/// Returns the text of `-x` for a commit under the name that a user gave it.
pub fn revision_side(name: &str, commit: &str) -> String {
    let is_hash = name.len() > SHORT && commit.starts_with(name);
    // These characters would begin another part of the text.
    let name = name.replace(['=', '@', '+', ':'], "-");
    format!("{}@{commit}", if is_hash { &name[..SHORT] } else { &name })
}

/// Number of digits of a commit's hash in the name of a side.
const SHORT: usize = 10;

/// Parses benchmarks and texts as variants. Returns first a variant for each benchmark, named after it, and
/// then one for each text.
///
/// `sides` are globs of files. A text that is only a name and matches one of them is the command of its
/// variant.
///
/// # Errors
/// Fails if a text is empty or invalid.
pub fn parse(
    project: &Project,
    (benchmarks, texts): (&[String], &[String]),
    sides: &[String],
) -> Result<Vec<VariantSpec>> {
    let of_benchmark =
        |name: &String| Ok(VariantSpec { benchmark: Some(name.clone()), ..VariantSpec::plain(name) });
    let of_text = |text: &String| one(text, project, sides);
    benchmarks.iter().map(of_benchmark).chain(texts.iter().map(of_text)).collect()
}

fn one(text: &str, project: &Project, sides: &[String]) -> Result<VariantSpec> {
    let end = text.find(['=', '@', '+', ':']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if name.is_empty() {
        return Err(problem!("`-x {text}` has no name").remedy(FORMS).into());
    }
    let mut variant = VariantSpec::plain(name);
    if let Some(table) = project.content.variant.get(name) {
        variant.command = table.command.as_ref().map(|words| words.words());
        variant.revision = table.revision.as_deref().and_then(revision);
        variant.env = table.env.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        variant.args.clone_from(&table.args);
        variant.build_args.clone_from(&table.build_args);
        variant.benchmark.clone_from(&table.benchmark);
    } else if names_side(sides, name) {
        variant.command = Some(vec![name.to_string()]);
    } else if rest.is_empty() && name != HEAD {
        variant.revision = Some(name.to_string());
        variant.is_bare = true;
    }
    while !rest.is_empty() {
        let (sign, tail) = rest.split_at(1);
        let end = match sign {
            "=" => tail.len(),
            "+" => next_addition(tail, true),
            _ => tail.find(['=', '@', ':']).unwrap_or(tail.len()).min(next_addition(tail, false)),
        };
        // A revision contains no colon, except in the prefix `git:`.
        let end = if sign == "@" && tail.starts_with("git:") { 4 + part(&tail[4..]) } else { end };
        let (said, left) = tail.split_at(end);
        match sign {
            "=" => variant.command = Some(split(said)).filter(|words| !words.is_empty()),
            "@" => variant.revision = revision(said),
            ":" => variant.benchmark = Some(said.to_string()).filter(|name| !name.is_empty()),
            _ => add(&mut variant, said).map_err(|why| problem!("`-x {text}`: {why}"))?,
        }
        if let Some(revision) = said.strip_prefix('@').filter(|_| sign == "=") {
            return Err(problem!("`-x {text}`: `@{revision}` is not a program")
                .remedy(format_args!("use -x {name}@{revision} for that revision"))
                .into());
        }
        if said.is_empty() || (sign == "=" && variant.command.is_none()) {
            return Err(problem!("`-x {text}` has nothing after `{sign}`").remedy(FORMS).into());
        }
        rest = left;
    }
    Ok(variant)
}

fn part(tail: &str) -> usize {
    tail.find(['=', '@', ':']).unwrap_or(tail.len()).min(next_addition(tail, false))
}

/// Parses a revision: `git:NAME` or `NAME`. Returns None for `.`, which is the working tree.
fn revision(text: &str) -> Option<String> {
    let name = text.strip_prefix("git:").unwrap_or(text);
    (name != ".").then(|| name.to_string())
}

fn add(variant: &mut VariantSpec, said: &str) -> Result<(), String> {
    if said.starts_with('-') {
        variant.args.push(said.to_string());
        return Ok(());
    }
    if let Some(flag) = said.strip_prefix(BUILD) {
        if flag.is_empty() {
            return Err(format!("`+{BUILD}` has no flag"));
        }
        variant.build_args.push(flag.to_string());
        return Ok(());
    }
    let pair = said.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) = pair.ok_or_else(|| format!("`+{said}` is not +KEY=VALUE, +-FLAG or +build:FLAG"))?;
    variant.env.push((key.to_string(), value.to_string()));
    Ok(())
}

/// Returns the position of the next `+KEY=`, `+-` or `+build:`. Any other plus is part of a value or a name.
/// If the text begins inside the addition of a variable (`inside`), the search starts after its `=`.
fn next_addition(text: &str, inside: bool) -> usize {
    let starts = |at: &usize| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        rest.starts_with('-') || rest.starts_with(BUILD) || (end > 0 && rest[end..].starts_with('='))
    };
    let begun =
        |at: &usize| !inside || text.starts_with('-') || text.starts_with(BUILD) || text[..*at].contains('=');
    text.match_indices('+').map(|(at, _)| at).filter(starts).find(begun).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> VariantSpec {
        one(text, &Project::default(), &[]).unwrap()
    }

    fn env(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    #[test]
    fn the_forms_combine() {
        assert_eq!(parsed("old=./node-a --flag 'a b'").command.unwrap(), ["./node-a", "--flag", "a b"]);
        let both = parsed("new@HEAD~1+NODE_OPTIONS=--no-opt");
        assert_eq!(both.revision.as_deref(), Some("HEAD~1"));
        assert_eq!(both.env, env(&[("NODE_OPTIONS", "--no-opt")]));
        assert_eq!(parsed("x+A=1+2+B=3").env, env(&[("A", "1+2"), ("B", "3")]));
        assert_eq!(parsed("x@git:main").revision.as_deref(), Some("main"));
        assert_eq!(parsed("x@git:main:fast").benchmark.as_deref(), Some("fast"));
        assert_eq!(parsed("x@.").revision, None);
        assert_eq!(parsed("x@v1+2").revision.as_deref(), Some("v1+2"));
        let flags = parsed("x+--no-opt+-O=2+A=--b+--c");
        assert_eq!(flags.args, ["--no-opt", "-O=2", "--c"]);
        assert_eq!(flags.env, env(&[("A", "--b")]));
        let built = parsed("simd@v1+build:--features=a+b+build:-Cx=1+--c+A=1");
        assert_eq!(built.build_args, ["--features=a+b", "-Cx=1"]);
        assert_eq!((built.args, built.env), (vec!["--c".to_string()], env(&[("A", "1")])));
        assert_eq!(parsed("x+build:-tags+build:a").build_args, ["-tags", "a"]);
        let all = parsed("x:sort two@v1+A=1=./node --f=a@b:c+D=1");
        assert_eq!(all.benchmark.as_deref(), Some("sort two"));
        assert_eq!(all.revision.as_deref(), Some("v1"));
        assert_eq!(all.command, None, "a value goes on to the next variable");
        assert_eq!(all.env, env(&[("A", "1=./node --f=a@b:c"), ("D", "1")]));
        let last = parsed("x:fast@v1=./node --f=a@b:c+D=1");
        assert_eq!(last.command.unwrap(), ["./node", "--f=a@b:c+D=1"]);
        assert_eq!((last.benchmark.as_deref(), last.revision.as_deref()), (Some("fast"), Some("v1")));
    }

    #[test]
    fn a_file_is_a_side_by_itself_or_by_a_name() {
        let sides = ["**/*.pkg".to_string()];
        let command = |text: &str| one(text, &Project::default(), &sides).unwrap().command.unwrap();
        assert_eq!(command("old.pkg"), ["old.pkg"]);
        assert_eq!(command("/tmp/old.pkg+A=1"), ["/tmp/old.pkg"]);
        assert_eq!(command("old=run -f dist/old.pkg"), ["run", "-f", "dist/old.pkg"]);
        assert!(parsed("old.pkg").is_bare, "no convention takes it");
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for bad in ["=x", "x=", "x= ", "x+A", "x+=1", "x@", "x:", "x:@v1", ":y", "x+", "x+build:"] {
            assert!(one(bad, &Project::default(), &[]).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_commit_is_a_side_under_its_revision() {
        let commit = "0123456789abcdef";
        let side = |name: &str| {
            let spec = parsed(&revision_side(name, commit));
            assert_eq!(spec.revision.as_deref(), Some(commit));
            spec.name
        };
        assert_eq!(side("origin/main"), "origin/main");
        assert_eq!(side("main@{1}"), "main-{1}");
        assert_eq!(side(commit), "0123456789");
    }

    #[test]
    fn a_name_alone_is_a_revision_except_head() {
        let main = parsed("origin/main");
        assert!(main.is_bare);
        assert_eq!((main.name.as_str(), main.revision.as_deref()), ("origin/main", Some("origin/main")));
        assert_eq!(parsed("head"), VariantSpec::plain("head"));
        assert_eq!(parsed("x@."), VariantSpec::plain("x"));
    }

    #[test]
    fn benchmarks_stand_first_under_their_own_names() {
        let names = ["a=b@c".to_string(), "d:e".to_string()];
        let specs = parse(&Project::default(), (&names, &["f=./x".to_string()]), &[]).unwrap();
        let known: Vec<(&str, Option<&str>)> =
            specs.iter().map(|one| (one.name.as_str(), one.benchmark.as_deref())).collect();
        assert_eq!(known, [("a=b@c", Some("a=b@c")), ("d:e", Some("d:e")), ("f", None)]);
    }
}
