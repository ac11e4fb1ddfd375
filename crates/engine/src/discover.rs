//! Discovery: finds the programs that contain a project's benchmarks.
//!
//! A [`Source`] is a program that can be launched to list its cases. It is a file that matches a convention
//! of an SDK or a suite of `derny.toml`, or a command after `--`. Discovery does not list cases.

use derny_model::{Problem, problem};
pub mod asking;
pub mod build_folders;
pub mod cache;
pub mod carried;
pub mod catalogue;
mod file;
mod folders;
mod foreign;
pub mod glob;
pub mod line;
pub mod listing;
mod names;
pub mod offers;
pub mod partner;
pub mod pattern;
pub mod project;
pub mod recognise;
pub mod runtime;
pub mod sdk;
mod source;
mod suite;
mod together;
pub mod wire;

use crate::discover::file::{drawn, source};
pub use crate::discover::foreign::ForeignFile;
use crate::discover::pattern::Selector;
use crate::discover::project::{HarnessChoice, Project, SuiteTable};
use crate::discover::recognise::{Said, Syntax};
use crate::discover::sdk::{Convention, Sdk, Sdks};
pub use crate::discover::source::Source;
pub use crate::discover::suite::names_side;
use crate::hash::Fnv;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the convention for a command after `--`.
pub const COMMAND: &str = "command";

/// The result of discovery.
#[derive(Debug, Default)]
pub struct Found {
    /// Programs that contain benchmarks, ordered by suite and file.
    pub sources: Vec<Source>,
    /// Benchmark files of other tools, sorted by path. They are never executed.
    pub foreign: Vec<ForeignFile>,
    /// Files that suites of derny.toml name but that do not exist: the suite, and the file or glob.
    pub missing: Vec<(String, String)>,
}

/// Returns the project's sources and its benchmark files of other tools, as far as the selector admits them.
///
/// # Errors
/// Fails if the SDKs cannot be written, or if a suite of `derny.toml` is invalid.
pub fn sources(project: &Project, sdks: &Sdks, selector: &Selector) -> Result<Found, Problem> {
    let unpacked = unpacked(sdks)?;
    let (root, sdks) = (&project.root, sdks.all());
    let files = files_below(root, sdks);
    let named: BTreeSet<String> = selector.named_files(root).map(String::from).collect();
    let Found { sources: mut found, missing, .. } = declared_sources(project, sdks, &unpacked, &files)?;
    let declared = !found.is_empty() || !project.content.suite.is_empty();
    let claimed: BTreeSet<String> = found.iter().filter_map(|source: &Source| source.file.clone()).collect();
    let of_suites = found.len();
    let mut by_name = of_suites;
    let mut strangers = Vec::new();
    let mut programs: BTreeMap<(&str, &str, String), Vec<&String>> = BTreeMap::new();
    let mut folders = folders::Folders::default();
    for file in files.iter().chain(&named) {
        if claimed.contains(file) || (declared && !named.contains(file)) {
            continue;
        }
        let known = convention_of(root, sdks, file, named.contains(file))
            .filter(|(_, convention)| !convention.only_named || named.contains(file));
        if known.is_none_or(|(_, convention)| convention.contains.is_empty())
            && let Some(tool) = foreign::tool(root, sdks, file, named.contains(file), &files)
        {
            let (tool, hint) = (tool.tool.clone(), tool.hint.clone());
            strangers.push(ForeignFile { file: file.clone(), tool, hint });
            continue;
        }
        if let Some((sdk, convention)) = known.filter(|(_, convention)| !convention.together.is_empty()) {
            let whole = together::folder(root, convention, file);
            programs.entry((sdk.name.as_str(), convention.name.as_str(), whole)).or_default().push(file);
        } else if let Some((sdk, convention)) = known.filter(|(_, convention)| convention.folder) {
            folders.add(&sdk.name, convention, file);
        } else if let Some((sdk, convention)) = known {
            let suite = convention.suite.clone().unwrap_or_else(|| suite_name(convention, file));
            found.push(source(root, &unpacked.join(&sdk.name), convention, suite, Some(file), &files));
            if convention.suite.is_some() {
                let last = found.len() - 1;
                found.swap(by_name, last);
                by_name += 1;
            }
        }
    }
    for ((sdk, convention, folder), files) in programs {
        let convention = sdks.iter().flat_map(|sdk| &sdk.harness).find(|known| known.name == convention);
        let Some(convention) = convention else { continue };
        found.push(together::source(root, &unpacked.join(sdk), convention, &folder, &files));
    }
    found.extend(folders.sources(root, &unpacked));
    name_several(&mut found[of_suites..by_name]);
    tell_apart(&mut found[by_name..]);
    let mut found = Found { sources: found, foreign: strangers, missing };
    keep_admitted(&mut found, selector, root);
    Ok(found)
}

/// Returns the sources that the suites of `derny.toml` define, and the missing files that they name.
fn declared_sources(
    project: &Project,
    sdks: &[Sdk],
    unpacked: &Path,
    files: &[String],
) -> Result<Found, Problem> {
    let mut found = Found::default();
    for (suite, table) in &project.content.suite {
        let own = suite_sources(project, sdks, unpacked, suite, table, files)?;
        // If one glob of a suite matches, the others may match nothing.
        let is_there =
            |file: &String| project.root.join(file).is_file() || (glob::is_glob(file) && !own.is_empty());
        let lost = table.files.iter().filter(|file| !is_there(file));
        found.missing.extend(lost.map(|file| (suite.clone(), file.clone())));
        found.sources.extend(own);
    }
    Ok(found)
}

/// Removes all sources and files that the selector does not admit, and sorts the rest.
fn keep_admitted(found: &mut Found, selector: &Selector, root: &Path) {
    let Found { sources, foreign, .. } = found;
    let own = |source: &Source| source.file.iter().chain(&source.covers).cloned().collect::<Vec<String>>();
    let mut all: Vec<String> = sources.iter().flat_map(own).collect();
    all.extend(foreign.iter().map(|stranger| stranger.file.clone()));
    let admits = |file: &String| selector.admits(root, &all, file);
    foreign.retain(|stranger| admits(&stranger.file));
    foreign.sort();
    foreign.dedup();
    sources.retain(|source| source.file.is_none() || source.file.iter().chain(&source.covers).any(admits));
    together::narrow(sources, admits);
    folders::narrow(sources, selector, root);
    sources.sort_by(|a, b| (&a.suite, &a.file).cmp(&(&b.suite, &b.file)));
    sources.dedup_by(|a, b| a.file.is_some() && a.file == b.file && a.suite == b.suite);
}

/// Returns the [`Source`] for a command after `--`. Its suite is named after the first existing file among
/// the arguments, or else after the program.
pub fn command(root: &Path, words: &[String]) -> Source {
    let file = words.iter().skip(1).find(|word| root.join(word).is_file()).cloned();
    let stem = |path: &str| {
        let name = Path::new(path).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        without_hash(name.split('.').next().unwrap_or(&name)).to_string()
    };
    let suite = stem(file.as_ref().or(words.first()).map_or("command", |word| word));
    let mut hash = Fnv::new();
    words.iter().for_each(|word| _ = hash.write(word.as_bytes()));
    hash.write(&file.as_ref().and_then(|file| fs::read(root.join(file)).ok()).unwrap_or_default());
    Source {
        suite,
        harness: COMMAND.to_string(),
        file,
        command: words.to_vec(),
        root: root.to_path_buf(),
        hash: format!("{:016x}", hash.finish()),
        ..Source::default()
    }
}

/// Returns the [`Source`] for a command. If the command names a file that matches a convention, the source
/// gets the convention's `env_per_block`, `tells_package` and `code_path`.
pub fn known_command(root: &Path, sdks: &[Sdk], words: &[String]) -> Source {
    let source = command(root, words);
    let known = source.file.as_ref().and_then(|file| convention_of(root, sdks, file, false));
    let Some((_, convention)) = known else { return source };
    Source {
        env_per_block: drawn(convention),
        tells_package: convention.tells_package.clone(),
        code_path: convention.code_path.clone(),
        ..source
    }
}

/// Removes the `-` and 16 hexadecimal digits that some build tools append to the name of a program, so that
/// the name of the suite is stable.
fn without_hash(name: &str) -> &str {
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    name.rsplit_once('-')
        .filter(|(begin, end)| !begin.is_empty() && is_hash(end))
        .map_or(name, |(begin, _)| begin)
}

fn suite_sources(
    project: &Project,
    sdks: &[Sdk],
    unpacked: &Path,
    suite: &str,
    table: &SuiteTable,
    files: &[String],
) -> Result<Vec<Source>, Problem> {
    let (sdk, convention) = suite_convention(sdks, unpacked, suite, &table.harness)?;
    let convention = &*convention;
    let mut found = Vec::new();
    // A file that is named without a glob is a benchmark even in a folder that discovery skips.
    let is_whole =
        |file: &&String| !glob::is_glob(file) && !files.contains(file) && project.root.join(file).is_file();
    let whole: Vec<String> = table.files.iter().filter(is_whole).cloned().collect();
    let files = &[files, &whole].concat()[..];
    let hit = |file: &&String| {
        table.files.iter().any(|glob| glob::matches(glob, file))
            && !convention.exclude.iter().any(|glob| glob::matches(glob, file))
    };
    if table.files.is_empty() {
        found.push(source(&project.root, &sdk, convention, suite.to_string(), None, files));
    }
    let is_one = !convention.together.is_empty();
    if is_one && files.iter().any(|file| hit(&file)) {
        let files: Vec<&String> = files.iter().filter(hit).collect();
        let one = together::source(&project.root, &sdk, convention, "", &files);
        found.push(Source { suite: suite.to_string(), file: None, ..one });
    }
    let mut by_folder = folders::Folders::default();
    for file in files.iter().filter(hit).filter(|_| !is_one) {
        match convention.folder {
            true => by_folder.add(suite, convention, file),
            false => {
                found.push(source(&project.root, &sdk, convention, suite.to_string(), Some(file), files))
            }
        }
    }
    found.extend(by_folder.of_suite(&project.root, &sdk, suite));
    for source in &mut found {
        configure(source, table)
            .map_err(|error| error.within(format_args!("suite `{suite}` of derny.toml")))?;
    }
    Ok(found)
}

fn suite_convention<'a>(
    sdks: &'a [Sdk],
    unpacked: &Path,
    suite: &str,
    harness: &HarnessChoice,
) -> Result<(PathBuf, Cow<'a, Convention>), Problem> {
    match harness {
        HarnessChoice::Named(name) => {
            let conventions = || sdks.iter().flat_map(|sdk| sdk.harness.iter().map(move |c| (sdk, c)));
            let (sdk, convention) = conventions().find(|(_, c)| c.name == *name).ok_or_else(|| {
                let known: Vec<&str> = conventions().map(|(_, c)| c.name.as_str()).collect();
                let near = pattern::closest(name, known.iter().copied());
                let of_sdk = sdks.iter().find(|sdk| sdk.name == *name).and_then(|sdk| sdk.harness.first());
                let near = of_sdk.map(|convention| &convention.name).or(near.first());
                let remedy = match near {
                    Some(near) => format!("use `{near}`"),
                    None => "use harness = { command = \"…\" } for a program of your own".to_owned(),
                };
                problem!("there is no harness `{name}`")
                    .place(format_args!("[suite.{suite}] of derny.toml"))
                    .known(known.join(", "))
                    .remedy(remedy)
            })?;
            Ok((unpacked.join(&sdk.name), Cow::Borrowed(convention)))
        }
        HarnessChoice::Table { command, runtime } => {
            let own = Convention {
                name: COMMAND.to_string(),
                runtime: runtime.clone().unwrap_or_default(),
                command: command.words(),
                ..Convention::default()
            };
            Ok((unpacked.to_path_buf(), Cow::Owned(own)))
        }
    }
}

/// Applies the settings of a suite to one of its sources.
///
/// Fails if the source's command has no placeholder for the suite's arguments.
fn configure(source: &mut Source, table: &SuiteTable) -> Result<(), Problem> {
    if let Some(build) = &table.build {
        (source.build, source.build_beside) = (build.words(), false);
        // A suite's own build command that contains `{build}` must write everything to that folder.
        source.build_whole = true;
    }
    source.take_args(table)?;
    // If a variable is set more than once, its last value applies.
    source.env.extend(table.env.iter().map(|(k, v)| (k.clone(), v.clone())));
    if let Some(directory) = &table.directory {
        source.directory = PathBuf::from(directory);
    }
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    source.params = table.params.iter().map(|(k, v)| (k.clone(), v.iter().map(text).collect())).collect();
    Ok(())
}

fn convention_of<'a>(
    root: &Path,
    sdks: &'a [Sdk],
    file: &str,
    named: bool,
) -> Option<(&'a Sdk, &'a Convention)> {
    let all = || sdks.iter().flat_map(|sdk| sdk.harness.iter().map(move |convention| (sdk, convention)));
    let hit = |convention: &Convention| {
        convention.marker.as_ref().is_none_or(|marker| root.join(marker).is_file())
            && convention.files.iter().any(|glob| glob::matches(glob, file))
            && !convention.exclude.iter().any(|glob| glob::matches(glob, file))
    };
    let text = OnceCell::new();
    let read = || String::from_utf8_lossy(&fs::read(root.join(file)).unwrap_or_default()).into_owned();
    // Each SDK has its own syntax, so cache the tokens by SDK.
    let said: RefCell<BTreeMap<&str, Said<'_>>> = RefCell::default();
    let contains = |sdk: &'a Sdk, convention: &Convention| {
        if convention.contains.is_empty() && convention.unless.is_empty() {
            return true;
        }
        let text: &String = text.get_or_init(read);
        let mut all = said.borrow_mut();
        let said = all.entry(&sdk.name).or_insert_with(|| Said::new(text, Syntax::of(&sdk.syntax, file)));
        convention.is_meant_by(said)
    };
    // If the user names a file, its extension is enough to match a convention without a marker.
    let extension = |path: &str| Path::new(path).extension().map(|e| e.to_owned());
    let like = |convention: &Convention| {
        let same = |glob: &String| extension(glob) == extension(file);
        named && extension(file).is_some() && convention.marker.is_none() && convention.files.iter().any(same)
    };
    let hits = all().find(|(sdk, convention)| hit(convention) && contains(sdk, convention));
    hits.or_else(|| all().find(|(sdk, convention)| like(convention) && contains(sdk, convention)))
}

/// Returns the name of the suite for a file: its path without the text that follows the last `*` of its glob.
/// For example, `bench/url.bench.js` under `**/*.bench.js` is the suite `bench/url`. If that text is the
/// complete file name, only the extension is removed: `Bench.hs` under `**/*Bench.hs` is `Bench`.
fn suite_name(convention: &Convention, file: &str) -> String {
    let ends = convention.files.iter().filter_map(|glob| glob.rsplit('*').next());
    let end = ends.filter(|end| file.ends_with(end)).max_by_key(|end| end.len());
    let plain = Path::new(file).with_extension("").display().to_string();
    let short = end.and_then(|end| file.strip_suffix(end));
    let name = short.filter(|name| !name.is_empty() && !name.ends_with('/')).map_or(plain, String::from);
    // Remove the source folder: `part/src/test/java/shop/Streams` becomes `part/shop/Streams`.
    let folders = || convention.sources.iter().map(|folder| format!("/{folder}/"));
    let rooted = format!("/{name}");
    let short =
        folders().find(|folder| rooted.contains(folder)).map(|folder| rooted.replacen(&folder, "/", 1));
    short.map_or(name, |short| short.trim_start_matches('/').to_string())
}

/// Names suites after their files if several files use a convention with a fixed suite name.
fn name_several(sources: &mut [Source]) {
    let mut files: BTreeMap<String, BTreeSet<Option<String>>> = BTreeMap::new();
    for source in sources.iter() {
        files.entry(source.harness.clone()).or_default().insert(source.file.clone());
    }
    let is_one = |source: &Source| source.sides.is_empty() || files[&source.harness].len() == 1;
    for source in sources.iter_mut().filter(|source| !is_one(source)) {
        let plain = |file: &String| Path::new(file).with_extension("").display().to_string();
        source.suite = source.file.as_ref().map_or_else(|| source.suite.clone(), plain);
    }
}

/// Returns the [`Source`] for a file that a variant names, or `None` if the file's convention does not
/// allow variants to name files.
///
/// # Errors
/// Fails if the SDKs cannot be written.
pub fn of_side(project: &Project, sdks: &Sdks, file: &str) -> Result<Option<Source>, Problem> {
    let unpacked = unpacked(sdks)?;
    let known =
        convention_of(&project.root, sdks.all(), file, true).filter(|(_, convention)| convention.sides);
    Ok(known.map(|(sdk, convention)| {
        let suite = convention.suite.clone().unwrap_or_else(|| suite_name(convention, file));
        source(&project.root, &unpacked.join(&sdk.name), convention, suite, Some(&file.to_string()), &[])
    }))
}

fn unpacked(sdks: &Sdks) -> Result<PathBuf, Problem> {
    sdks.unpack().map_err(|why| {
        Problem::new("cannot write the SDKs that this binary contains")
            .place("the cache folder")
            .why(why)
            .remedy("set DERNY_CACHE to a folder that only you can write")
    })
}

/// Appends the file extension to the names of suites that would otherwise have the same name, such as those
/// of `hello.mjs` and `hello.exs` in one folder.
fn tell_apart(sources: &mut [Source]) {
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources.iter() {
        files.entry(source.suite.clone()).or_default().extend(source.file.clone());
    }
    for source in sources.iter_mut().filter(|source| files[&source.suite].len() > 1) {
        let extension = source.file.as_deref().and_then(|file| Path::new(file).extension()?.to_str());
        source.suite.extend(extension.map(|extension| format!(".{extension}")));
    }
}

const SKIPPED: [&str; 7] = ["node_modules", "target", "dist", "_build", "deps", "__pycache__", "vendor"];

/// Returns the relative paths of all files below a folder, sorted. Skips hidden folders, build folders, git
/// submodules, and folders with third-party code.
fn files_below(root: &Path, sdks: &[Sdk]) -> Vec<String> {
    let (mut files, mut folders) = (Vec::new(), vec![String::new()]);
    let submodules = submodules(root);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    let is_skipped = name.starts_with('.')
                        || SKIPPED.contains(&name.as_str())
                        || submodules.contains(&path)
                        || build_folders::is_marked(&root.join(&path), sdks);
                    if !is_skipped {
                        folders.push(path);
                    }
                }
                Ok(_) => files.push(path),
                Err(_) => {}
            }
        }
    }
    files.sort();
    files
}

/// Returns the folders of git submodules, which are other projects.
fn submodules(root: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(root.join(".gitmodules")).unwrap_or_default();
    let path = |line: &str| {
        Some(line.trim().strip_prefix("path")?.trim_start().strip_prefix('=')?.trim().to_owned())
    };
    text.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_suites_of_their_own() {
        let of = |suite: &str, file: &str| Source {
            suite: suite.into(),
            file: Some(file.into()),
            ..command(Path::new("/"), &["x".into()])
        };
        let mut sources = [
            of("a/hello", "a/hello.bench.mjs"),
            of("a/hello", "a/hello_bench.exs"),
            of("b/hello", "b/hello_bench.exs"),
            of("c/same", "c/same.bench.mjs"),
            of("c/same", "c/same.bench.mjs"),
        ];
        tell_apart(&mut sources);
        let suites = sources.map(|source| source.suite);
        assert_eq!(suites, ["a/hello.mjs", "a/hello.exs", "b/hello", "c/same", "c/same"]);
    }

    #[test]
    fn no_suite_is_without_a_name() {
        let sdks = Sdks::carried();
        let all = || sdks.all().iter().flat_map(|sdk| &sdk.harness);
        let haskell =
            all().find(|convention| convention.files.iter().any(|glob| glob == "**/*Bench.hs")).unwrap();
        assert_eq!(suite_name(haskell, "Bench.hs"), "Bench");
        assert_eq!(suite_name(haskell, "a/Bench.hs"), "a/Bench");
        assert_eq!(suite_name(haskell, "a/MapBench.hs"), "a/Map");
        let java =
            all().find(|convention| convention.sources.contains(&"src/test/java".to_string())).unwrap();
        assert_eq!(suite_name(java, "src/test/java/shop/StreamsBench.java"), "shop/Streams");
        assert_eq!(suite_name(java, "part/src/test/java/ABenchmark.java"), "part/A");
        assert_eq!(suite_name(java, "bench/FirstBench.java"), "bench/First");
    }

    #[test]
    fn a_suite_is_not_named_after_a_build() {
        let suite = |program: &str| command(Path::new("/"), &[program.to_string()]).suite;
        assert_eq!(suite("target/release/deps/first-bd9b26dae8904aba"), "first");
        for plain in ["first-bench", "bd9b26dae8904aba", "first-bd9b26dae8904abz", "first-BD9B26DAE8904ABA"] {
            assert_eq!(suite(plain), plain);
        }
    }
}
