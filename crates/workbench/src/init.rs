//! Writes the files of `derny init`: derny.toml, a first benchmark for each language, and a CI workflow.
//! Never overwrites a file, but adds entries to `.gitignore` and to files of build tools. The data of each
//! language is in its `sdk.toml`.

use derny_model::{Problem, problem};
mod manifest;
mod step;
mod workflow;

use crate::config::options::Selection;
use crate::error::Result;
use crate::init::step::{create, replace};
use crate::project::session::Session;
use derny_engine::discover::glob;
use derny_engine::discover::pattern;
use derny_engine::discover::project::FILE;
use derny_engine::discover::recognise::{Said, Syntax};
use derny_engine::discover::sdk::{Convention, Copied, Init, Sdk};
use std::fs;
use std::path::Path;

pub use step::Step;
pub use workflow::Service;

/// Initial text of derny.toml. It contains the settings that users are most likely to change. The words in
/// capitals are placeholders for data of a language.
const TEXT: &str = r#"# Settings of Derny. `derny config` shows every key, its value and where it came from.

# budget = "10s"       # wall time per case
# precision = "1%"     # stop a case when its interval is within this share
# processes = 40       # maximum number of processes per case

# Benchmark files are found by their names; a suite configures some of them:
# [suite.NAME]
# harness = "HARNESS"
# files = ["FILES"]
# params.size = [10, 1000]

# Another way to launch the same cases, for `derny run -x head -x NAME`:
# [variant.NAME]
# command = "COMMAND --flag"
"#;

/// The result of `derny init`.
#[derive(Debug, Clone, Default)]
pub struct Begun {
    /// The changes, in the order in which they were made.
    pub steps: Vec<Step>,
    /// Languages for which a first benchmark was written.
    pub languages: Vec<String>,
}

/// Writes the files that do not exist yet, for `languages` and the CI service `ci`. Without languages, writes
/// those for the languages that the project uses.
///
/// # Errors
/// Fails if no SDK supports a language, if a file cannot be written, or if benchmarks cannot be added to the
/// file of a build tool.
pub fn init(session: &Session, languages: &[String], ci: Option<Service>) -> Result<Begun> {
    let file = session.project.file.as_deref();
    let root = file.and_then(Path::parent).unwrap_or(&session.place.directory);
    let suites = if languages.is_empty() { suites(session) } else { Vec::new() };
    let mut chosen = chosen(session.sdks.all(), languages, root)?;
    chosen.extend(measured(session.sdks.all(), &suites, root, &chosen));
    let example = chosen.first().and_then(|(sdk, init)| convention(sdk, init));
    let mut begun = Begun::default();
    let (found, chosen): (Vec<_>, Vec<_>) = chosen
        .into_iter()
        .map(|choice| (choice, suite_of(choice.0, &suites)))
        .partition(|(_, suite)| suite.is_some());
    let chosen: Vec<Choice<'_>> = chosen.into_iter().map(|(choice, _)| choice).collect();
    // Check everything that can fail before writing the first file.
    for (_, init) in &chosen {
        if let Some(manifest) = &init.manifest {
            begun.steps.extend(manifest::extend(root, manifest)?);
        }
    }
    begun.steps.push(create(root, FILE, text(example).as_bytes())?);
    for (sdk, init) in &chosen {
        begun.steps.push(create(root, &init.file, init.text.trim_start_matches('\n').as_bytes())?);
        for (name, text) in &init.also {
            begun.steps.push(create(root, name, text.trim_start_matches('\n').as_bytes())?);
        }
        if let Some(copy) = &init.copy {
            begun.steps.push(copied(session, root, sdk, copy)?);
        }
        begun.languages.push(init.names.first().cloned().unwrap_or_default());
    }
    begun.steps.extend(found.iter().filter_map(|(_, suite)| suite.clone()).map(Step::Found));
    begun.languages.extend(found.iter().filter_map(|((_, init), _)| init.names.first().cloned()));
    begun.steps.push(ignore(root)?);
    if let Some(service) = ci {
        let found = found.iter().map(|((_, init), _)| &init.ci);
        let needs: Vec<_> = chosen.iter().map(|(_, init)| &init.ci).chain(found).collect();
        begun.steps.extend(workflow::write(root, service, &needs)?);
    }
    Ok(begun)
}

/// Returns the names of the harnesses whose benchmarks the project already has.
fn suites(session: &Session) -> Vec<String> {
    let found = session.sources(&Selection::default(), &[], &mut |_| ());
    found.map_or(Vec::new(), |(sources, _)| sources.into_iter().map(|source| source.harness).collect())
}

/// Returns the languages of the benchmarks that the project already has, except those in `chosen`. `suites`
/// are the harnesses of these benchmarks.
fn measured<'a>(sdks: &'a [Sdk], suites: &[String], root: &Path, chosen: &[Choice<'a>]) -> Vec<Choice<'a>> {
    let is_new = |sdk: &&Sdk| !chosen.iter().any(|(own, _)| own.name == sdk.name);
    let found = sdks.iter().filter(is_new).filter(|sdk| suite_of(sdk, suites).is_some());
    let first = |sdk: &'a Sdk| sdk.init.iter().find(|init| is_meant(init, root)).or(sdk.init.first());
    found.filter_map(|sdk| Some((sdk, first(sdk)?))).collect()
}

/// Returns the first harness in `suites` that belongs to the SDK.
fn suite_of(sdk: &Sdk, suites: &[String]) -> Option<String> {
    suites.iter().find(|suite| sdk.harness.iter().any(|own| own.name == **suite)).cloned()
}

/// Returns the names of the supported languages.
pub fn names(sdks: &[Sdk]) -> Vec<&str> {
    let mut names: Vec<&str> = all(sdks).filter_map(|(_, init)| Some(init.names.first()?.as_str())).collect();
    names.dedup();
    names
}

type Choice<'a> = (&'a Sdk, &'a Init);

fn all(sdks: &[Sdk]) -> impl Iterator<Item = Choice<'_>> {
    sdks.iter().flat_map(|sdk| sdk.init.iter().map(move |init| (sdk, init)))
}

/// Returns true if the project seems to use a language, because one of the language's typical files exists.
pub fn is_used(init: &Init, root: &Path) -> bool {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    init.detect.iter().any(|wanted| names.iter().any(|name| glob::matches(wanted, name)))
}

/// Returns true if this kind of benchmark fits the project: one of its files contains the required text, or
/// none is required.
fn is_meant(init: &Init, root: &Path) -> bool {
    init.only.as_ref().is_none_or(|only| {
        let says = |file: &String| {
            fs::read_to_string(root.join(file)).is_ok_and(|text| text.contains(&only.contains))
        };
        only.among.iter().any(says)
    })
}

/// Returns the named languages. Without a name, returns the languages whose typical files exist.
fn chosen<'a>(sdks: &'a [Sdk], named: &[String], root: &Path) -> Result<Vec<Choice<'a>>> {
    if named.is_empty() {
        // If an SDK has several languages, such as JavaScript and TypeScript, take the first that fits.
        let fits = |init: &&Init| is_used(init, root) && is_meant(init, root);
        let used = |sdk: &'a Sdk| sdk.init.iter().find(fits).map(|init| (sdk, init));
        return Ok(sdks.iter().filter_map(used).collect());
    }
    let mut chosen: Vec<Choice<'a>> = Vec::new();
    for name in named {
        let found = find(sdks, name, root).ok_or_else(|| unknown(sdks, name))?;
        if !chosen.iter().any(|(_, init)| init.file == found.1.file) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}

/// Finds a language by name. The name of an SDK with several languages selects the one that the project uses,
/// or else the first. None if the name is unknown.
fn find<'a>(sdks: &'a [Sdk], name: &str, root: &Path) -> Option<Choice<'a>> {
    let is = |own: &String| own.eq_ignore_ascii_case(name);
    let all = || all(sdks).filter(|(_, init)| is_meant(init, root));
    let of_sdk = || all().filter(|(sdk, _)| is(&sdk.name));
    all()
        .find(|(_, init)| init.names.iter().any(is))
        .or_else(|| of_sdk().find(|(_, init)| is_used(init, root)))
        .or_else(|| of_sdk().next())
}

fn unknown(sdks: &[Sdk], name: &str) -> Problem {
    let every = all(sdks).flat_map(|(_, init)| init.names.iter().map(String::as_str));
    let lower = name.to_lowercase();
    let near = pattern::closest(&lower, every.filter(|own| own.len().abs_diff(name.len()) <= 2));
    // Suggest only a close match: names of different languages can be similar too.
    let is_slip = |near: &&String| pattern::edits(&lower, near) < lower.chars().count().div_ceil(3);
    let hint = match near.iter().find(is_slip) {
        Some(near) => format!("run `derny init {near}`"),
        None => "choose one of these, or write your own harness: see `derny dev protocol`".to_string(),
    };
    problem!("there is no language `{name}`").known(names(sdks).join(", ")).remedy(hint)
}

/// Returns the convention that launches the first benchmark of a language.
fn convention<'a>(sdk: &'a Sdk, init: &Init) -> Option<&'a Convention> {
    let said = Said::new(&init.text, Syntax::of(&sdk.syntax, &init.file));
    let hit = |convention: &&Convention| {
        convention.files.iter().any(|glob| glob::matches(glob, &init.file)) && convention.is_meant_by(&said)
    };
    sdk.harness.iter().filter(hit).find(|convention| convention.marker.is_none())
}

/// Returns the text of derny.toml with the data of a convention filled in. Compiled programs have no launch
/// command, so their COMMAND stays a placeholder.
fn text(example: Option<&Convention>) -> String {
    let Some(convention) = example else { return TEXT.to_owned() };
    let files = convention.files.first().map_or("FILES", String::as_str);
    let text = TEXT.replace("HARNESS", &convention.name).replace("FILES", files);
    match convention.command.iter().any(|word| word == "{runtime}") {
        true => text.replace("COMMAND", &convention.runtime),
        false => text,
    }
}

/// Copies files of the SDK into the project. A folder that exists belongs to the user and is not changed.
fn copied(session: &Session, root: &Path, sdk: &Sdk, copy: &Copied) -> Result<Step> {
    if root.join(&copy.to).exists() {
        return Ok(Step::Kept(copy.to.clone()));
    }
    let same = copy.files.iter().map(|name| (name, name));
    for (name, source) in same.chain(&copy.renamed) {
        let bytes = session.sdks.file(&sdk.name, source);
        let bytes =
            bytes.ok_or_else(|| problem!("the SDK `{}` does not contain the file {source}", sdk.name))?;
        create(root, &format!("{}/{name}", copy.to), bytes)?;
    }
    Ok(Step::Wrote(copy.to.clone()))
}

/// Adds the store's folder to `.gitignore`.
fn ignore(root: &Path) -> Result<Step> {
    let (name, line) = (".gitignore", ".derny/");
    let path = root.join(name);
    let Ok(text) = fs::read_to_string(&path) else { return create(root, name, b".derny/\n") };
    let is = |one: &str| one.trim().trim_start_matches('/').trim_end_matches('/') == ".derny";
    if text.lines().any(is) {
        return Ok(Step::Kept(name.to_string()));
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    replace(&path, &format!("{text}{gap}{line}\n"))?;
    Ok(Step::Added(name.to_string(), line.to_string()))
}
