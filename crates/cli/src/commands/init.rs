//! `derny init`: derny.toml and a first benchmark for the languages found. Nothing is ever overwritten.

use crate::args::{Global, InitArgs};
use crate::output;
use crate::session;
use anyhow::{Context, Result, anyhow};
use derny_engine::discover::pattern;
use derny_engine::discover::project::FILE;
use derny_engine::discover::sdk::{Convention, Init, Sdk};
use derny_workbench::Outcome;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// What derny.toml begins as: every line that has an effect is one that people will want to change. The words in capitals
/// give way to those of a language.
const TEXT: &str = r#"# Settings of Derny. `derny config` shows every key, its value and where it came from.

[defaults]
# budget = "10s"       # wall time per case
# precision = "1%"     # stop a case when its interval is within this share
# processes = 40       # the most processes per case

# Benchmark files are found by their names; a suite says more about some of them:
# [suite.NAME]
# harness = "HARNESS"
# files = ["FILES"]
# params.size = [10, 1000]

# Another way to launch the same cases, for `derny run -x base=COMMAND -x NAME`:
# [variant.NAME]
# command = "COMMAND --flag"
"#;

/// That text, with a convention of the language that was found. A program that is built has no other command to be launched by.
fn text(example: Option<&Convention>) -> String {
    let Some(convention) = example else { return TEXT.to_owned() };
    let files = convention.files.first().map_or("FILES", String::as_str);
    let text = TEXT.replace("HARNESS", &convention.name).replace("FILES", files);
    match convention.command.iter().any(|word| word == "{runtime}") {
        true => text.replace("COMMAND", &convention.runtime),
        false => text,
    }
}

/// Writes what is not there.
pub fn init(global: &Global, args: &InitArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let root = match &session.project.file {
        Some(file) => file.parent().unwrap_or(Path::new(".")).to_path_buf(),
        None => std::env::current_dir().context("the working directory is gone")?,
    };
    let sdks = session.sdks.all();
    let say = |text: String| {
        if global.quiet == 0 {
            output::note(&text);
        }
    };
    let chosen = chosen(sdks, &args.languages, &root)?;
    let example = chosen.first().and_then(|(sdk, _)| sdk.harness.first());
    say(write(&root, FILE, &text(example))?);
    for (_, init) in &chosen {
        say(write(&root, &init.file, &init.text)?);
    }
    let names: Vec<&str> =
        sdks.iter().filter(|sdk| sdk.init.is_some()).map(|sdk| sdk.name.as_str()).collect();
    match chosen.is_empty() {
        true => {
            say(format!("no language recognised here\n  try    `derny init LANGUAGE`: {}", names.join(", ")))
        }
        false => say("measure with `derny run`".to_string()),
    }
    Ok(Outcome::Done)
}

/// The languages named, else those whose files are there.
fn chosen<'a>(sdks: &'a [Sdk], named: &[String], root: &Path) -> Result<Vec<(&'a Sdk, &'a Init)>> {
    let all = || sdks.iter().filter_map(|sdk| Some((sdk, sdk.init.as_ref()?)));
    if named.is_empty() {
        let used = |init: &Init| init.detect.iter().any(|file| root.join(file).exists());
        return Ok(all().filter(|(_, init)| used(init)).collect());
    }
    let find = |name: &String| {
        let is = |sdk: &Sdk| sdk.name.eq_ignore_ascii_case(name) || sdk.title.eq_ignore_ascii_case(name);
        all().find(|(sdk, _)| is(sdk)).ok_or_else(|| {
            let names: Vec<&str> = all().map(|(sdk, _)| sdk.name.as_str()).collect();
            let near = pattern::closest(name, names.iter().copied());
            let hint = near.first().map_or(String::new(), |near| format!("\n  try    `derny init {near}`"));
            anyhow!("there is no language `{name}`\n  known  {}{hint}", names.join(", "))
        })
    };
    named.iter().map(find).collect()
}

/// Creates a file; one that exists is left as it is. What was done, in words.
fn write(root: &Path, name: &str, text: &str) -> Result<String> {
    let path = root.join(name);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            Ok(format!("wrote  {name}"))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Ok(format!("kept   {name}, which was there"))
        }
        Err(error) => Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
}
