//! Runs the build commands of suites, in the project or in the worktree of a revision, once or once per
//! layout.
//!
//! The contract with a build command: `DERNY_PADDING` is a number, and each number must produce a different
//! layout. 0 is the default layout. The folder to write to replaces `{build}` in the command's words, and is
//! also in the variable `DERNY_BUILD`. This module depends neither on git nor on measurements.

use crate::error::{Doing, Error, Result};
use crate::project::limited;
use derny_engine::discover::Source;
use derny_engine::discover::cache;
use derny_engine::discover::line::FILES;
use derny_engine::hash::Fnv;
use derny_engine::launch::folder::PrivateFolder;
use derny_engine::launch::{environment, orphans};
use derny_engine::observe::machine;
use derny_model::{Problem, Variant, problem};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Number of lines to show from the end of a failed build's output.
const TAIL: usize = 12;

/// One run of a build command.
#[derive(Debug)]
pub struct Task<'a> {
    /// One of the sources that the command builds.
    pub source: &'a Source,
    /// Index of the layout, from 0.
    pub build: u32,
    /// Identifier of the build, equal for all revisions and variants.
    pub id: String,
    /// The files that it builds. Several files can share one command.
    files: Vec<&'a str>,
}

impl Task<'_> {
    /// Returns the name of the marker file that records that the build finished.
    pub fn mark(&self) -> String {
        let mut hash = Fnv::new();
        self.files.iter().for_each(|file| _ = hash.write(file.as_bytes()).write(b"\n"));
        match self.files.is_empty() {
            true => format!("{}-{}", self.build, self.id),
            false => format!("{}-{}-{:08x}", self.build, self.id, hash.finish() as u32),
        }
    }

    /// Returns the words of the build command, filled in for a variant.
    fn words(&self, variant: &Variant) -> Vec<String> {
        let root = self.source.root_for(variant);
        let expand = |word: String| match word.as_str() {
            FILES => self.files.iter().map(|file| root.join(file).display().to_string()).collect(),
            _ => vec![word],
        };
        self.source.build_words(variant, self.build).into_iter().flat_map(expand).collect()
    }
}

/// Returns the builds of these sources, each command once. A source that is built in place is built only for
/// the first layout.
pub fn tasks(sources: &[Source], builds: u32) -> Vec<Task<'_>> {
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for build in 0..builds.max(1) {
        for source in sources.iter().filter(|source| !source.build.is_empty()) {
            let id = id(source);
            let file = source.file.as_deref().filter(|_| source.is_built_with_others());
            match tasks.iter_mut().find(|task| task.build == build && task.id == id) {
                Some(task) => task.files.extend(file),
                None if build == 0 || source.is_built_apart() => {
                    tasks.push(Task { source, build, id, files: file.into_iter().collect() });
                }
                None => {}
            }
        }
    }
    tasks
}

/// Returns a hash of the build command as written, and of the source's file if the command depends on it.
pub fn id(source: &Source) -> String {
    let mut hash = Fnv::new();
    source.build.iter().chain(&source.build_args).for_each(|word| _ = hash.write(word.as_bytes()));
    if source.build.iter().any(|word| word.contains("{file}") || word.contains("{name}")) {
        hash.write(source.file.clone().unwrap_or_default().as_bytes());
    }
    format!("{:08x}", hash.finish() as u32)
}

/// Prefix of an output line that a successful build prints for the user.
const REMARK: &str = "derny: ";

/// Runs the builds of a variant. Builds that allow it run in parallel. Returns their remarks, in the order
/// of `tasks`. Each build is killed after `limit`. No further build starts once `stop` is set.
pub fn run(
    tasks: &[&Task<'_>],
    variant: &Variant,
    (limit, stop): (Duration, &AtomicBool),
) -> Vec<Result<Vec<String>>> {
    let at_once = |group: &[&Task<'_>]| match group[0].source.build_beside {
        true => machine::at_once().min(group.len()),
        false => 1,
    };
    let beside = |a: &&Task<'_>, b: &&Task<'_>| a.source.build_beside && b.source.build_beside;
    let mut results = Vec::with_capacity(tasks.len());
    for group in tasks.chunk_by(beside) {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some((place, task)) = take(group, &next) {
                done.push((place, run_one(task, variant, (limit, stop))));
            }
            done
        };
        let mut done: Vec<(usize, Result<Vec<String>>)> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..at_once(group)).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = others.into_iter().filter_map(|other| other.join().ok());
            own.into_iter().chain(others.flatten()).collect()
        });
        done.sort_by_key(|(place, _)| *place);
        results.extend(done.into_iter().map(|(_, result)| result));
    }
    results
}

fn take<'a, T>(group: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    group.get(place).map(|task| (place, task))
}

/// Runs one build. Returns its remarks: the output lines that begin with `derny: `.
fn run_one(
    task: &Task<'_>,
    variant: &Variant,
    (limit, stop): (Duration, &AtomicBool),
) -> Result<Vec<String>> {
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    let words = task.words(variant);
    one(task.source, variant, task.build, &words, (limit, stop))
}

fn one(
    source: &Source,
    variant: &Variant,
    build: u32,
    words: &[String],
    (limit, stop): (Duration, &AtomicBool),
) -> Result<Vec<String>> {
    let Some((program, args)) = words.split_first() else { return Ok(Vec::new()) };
    let root = source.root_for(variant);
    let line = words.iter().map(|word| typed(word)).collect::<Vec<_>>().join(" ");
    let mut command = environment::program(program);
    crate::project::git::OF_HOOKS.iter().for_each(|name| _ = command.env_remove(name));
    command.args(args).current_dir(&root).env("DERNY_PADDING", build.to_string());
    command.env(orphans::MARK, orphans::KEPT);
    command.envs(source.build_env(variant).into_iter().map(|(name, value)| (name, value)));
    // Builders keep shared files in this folder and rely on Derny to check that it is safe.
    if let Ok(cache) = cache::folder() {
        command.env("DERNY_CACHE", cache);
    }
    if source.is_built_apart() {
        let folder = source.build_folder(variant, build);
        std::fs::create_dir_all(&folder).doing(|| format!("cannot make {}", folder.display()))?;
        command.env("DERNY_BUILD", folder);
    }
    // Both streams go to one file, which keeps their lines in order. A pipe would stay open as long as any
    // daemon that the build started.
    let printed = Printed::new()?;
    command
        .stdin(std::process::Stdio::null())
        .stderr(printed.file.try_clone()?)
        .stdout(printed.file.try_clone()?);
    let mut child = command.process_group(0).spawn().map_err(|error| {
        problem!("suite `{}` cannot be built", source.suite)
            .place(root.display())
            .why(format_args!("cannot start `{line}`: {error}"))
            .remedy("run the command yourself in that folder")
    })?;
    let status = limited::wait(&mut child, limit, stop)?;
    if !status.is_some_and(|status| status.success()) {
        let ended = match status {
            Some(status) => format!("failed with {status}"),
            None => format!("did not end within {} s (the setting `build-timeout`)", limit.as_secs()),
        };
        return Err(failed(source, variant, (&line, &ended), &printed.last_lines(TAIL)).into());
    }
    let lines = printed.lines();
    Ok(lines.iter().filter_map(|line| line.strip_prefix(REMARK)).map(String::from).collect())
}

/// Returns the problem of a build that failed, with the last lines that it printed.
fn failed(source: &Source, variant: &Variant, (line, ended): (&str, &str), tail: &[String]) -> Problem {
    let from = variant
        .revision
        .as_ref()
        .map_or_else(String::new, |hash| format!(" at {}", hash.chars().take(10).collect::<String>()));
    // Users cannot do anything with the command line of an SDK's own builder, so do not show it.
    let (why, again) = match source.is_built_by_sdk() {
        true => (format!("the build {ended}"), "`derny list`".to_owned()),
        false => (format!("`{line}` {ended}"), format!("run `{line}` in that folder")),
    };
    let remedy = match &variant.revision {
        Some(hash) => format!("run `git worktree add FOLDER {hash}`, fix it there, and {again}"),
        None => format!("fix the error, then {again}"),
    };
    problem!("suite `{}` cannot be built{from}", source.suite)
        .place(source.root_for(variant).display())
        .why(format_args!("{why}\n{}", tail.join("\n")))
        .remedy(remedy)
}

/// Returns a word, quoted for a shell if necessary.
fn typed(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Returns the text without terminal colour sequences.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| ('@'..='~').contains(&c)).map_or(part.len(), |at| at + 1);
        plain.push_str(&part[end..]);
    }
    plain
}

/// The file that receives the output of a command. Its folder is removed on drop.
pub(crate) struct Printed {
    folder: PrivateFolder,
    pub(crate) file: File,
}

impl Printed {
    pub(crate) fn new() -> Result<Printed> {
        let folder = PrivateFolder::make(None).doing(|| "cannot store the output of a command".into())?;
        let path = Printed::path(&folder);
        let file = File::create(&path).doing(|| format!("cannot write {}", path.display()))?;
        Ok(Printed { folder, file })
    }

    fn path(folder: &PrivateFolder) -> PathBuf {
        folder.path().join("printed")
    }

    fn lines(&self) -> Vec<String> {
        let bytes = std::fs::read(Printed::path(&self.folder)).unwrap_or_default();
        uncoloured(&String::from_utf8_lossy(&bytes)).lines().map(String::from).collect()
    }

    pub(crate) fn last_lines(&self, count: usize) -> Vec<String> {
        let lines = self.lines();
        lines[lines.len().saturating_sub(count)..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn one_command_builds_many_files_and_its_mark_tells_which() {
        let of = |file: &str, build: &[&str]| Source {
            file: Some(file.into()),
            build: build.iter().map(|word| word.to_string()).collect(),
            command: vec!["{build}/{name}".into()],
            ..derny_engine::discover::command(Path::new("/p"), &["x".into()])
        };
        let together = ["make", "{build}", "--files", "{files}"];
        let sources = [of("a.x", &together), of("b.x", &together), of("c.x", &["make", "{file}"])];
        let tasks = tasks(&sources, 1);
        assert_eq!(tasks.len(), 2);
        let variant = Variant::default();
        assert_eq!(tasks[0].words(&variant)[2..], ["--files", "/p/a.x", "/p/b.x"]);
        assert_eq!(tasks[1].words(&variant), ["make", "/p/c.x"]);
        assert_eq!(tasks[0].id, id(&sources[1]), "what fails, fails for all");
        let fewer = self::tasks(&sources[..1], 1);
        assert_ne!(fewer[0].mark(), tasks[0].mark(), "a worktree that has built one file has not built two");
    }

    #[test]
    fn a_line_can_be_pasted_and_has_no_colours() {
        assert_eq!(typed("{sdk}/x"), "'{sdk}/x'");
        assert_eq!(typed("-noinput"), "-noinput");
        assert_eq!(typed("it's [A]"), "'it'\\''s [A]'");
        assert_eq!(uncoloured("\u{1b}[1m\u{1b}[31m===> no\u{1b}[0m, é\u{1b}["), "===> no, é");
    }
}
