//! Reads result files and folders of other tools from the disk.

use derny_engine::hash::Fnv;
use derny_engine::measure::now_ms;
use derny_import::{FORMATS, Foreign, Format, Input, Part};
use derny_model::{Problem, problem};
use derny_workbench::Result;
use derny_workbench::results::{input, source};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Maximum depth of the search for files in a folder.
const DEEPEST: usize = 12;

/// Results read from a file of another tool.
pub struct File {
    /// Name, as given on the command line.
    pub name: String,
    /// Time of the last modification, in ms since the epoch.
    pub time_ms: i64,
    pub format: &'static Format,
    pub foreign: Foreign,
    /// Suites of its cases in the project, which replace the suites in the file.
    pub suites: Vec<String>,
    /// Hash of the file's bytes.
    hash: Fnv,
}

impl File {
    /// Returns a hash of the contents and of `way`, the options that they were read with.
    pub fn hash(&self, way: &[&str]) -> String {
        let mut hash = self.hash.clone();
        way.iter().for_each(|word| {
            hash.write(word.as_bytes());
        });
        format!("{:016x}", hash.finish())
    }
}

/// Returns the paths to import, each of which becomes a run: `word` itself, or the files in it if it is a
/// folder. A folder that some format reads as a whole is a single run.
pub fn files(word: &str, format: Option<&str>) -> Vec<Result<PathBuf>> {
    let path = Path::new(word);
    if !path.is_dir() || whole(path, format).is_some() {
        return vec![Ok(path.to_owned())];
    }
    let mut found = Vec::new();
    walk(path, 0, &mut |file| found.push(file.to_owned()));
    found.retain(|file| format.is_some() || is_one(&file.to_string_lossy()));
    if found.is_empty() {
        return vec![Err(nothing(word).into())];
    }
    found.into_iter().map(Ok).collect()
}

/// Returns true if an argument is the path of another tool's file, or of a folder that some format reads as a
/// whole.
pub fn is_one(word: &str) -> bool {
    let path = Path::new(word);
    if path.is_dir() {
        // Without a slash, an argument may be a pattern that happens to equal the name of a large folder.
        return word.contains(['/', '\\']) && whole(path, None).is_some();
    }
    if !path.is_file() {
        return false;
    }
    let Ok(bytes) = input::read(path) else { return false };
    let Ok(content) = derny_import::inflated(&bytes) else { return false };
    let own = || source::is_file(word) && source::read(word).is_ok();
    derny_import::guess(&Input { bytes: &content, name: word, parts: &[] }).is_some() && !own()
}

/// Returns the format that reads the whole folder as one result, or `None` if no format does.
fn whole(folder: &Path, named: Option<&str>) -> Option<&'static Format> {
    let mut formats = FORMATS.iter().filter(|format| named.is_none_or(|name| name == format.name));
    let mut paths = Vec::new();
    walk(folder, 0, &mut |file| paths.push(relative(folder, file)));
    formats.find(|format| {
        format.folder.is_some_and(|wanted| paths.iter().filter(|path| wanted(path)).count() > 1)
    })
}

/// The contents of a file in the format of another tool.
pub struct Opened {
    /// Name, as given on the command line.
    pub name: String,
    /// Time of the last modification, in ms since the epoch.
    pub time_ms: i64,
    pub format: &'static Format,
    base: String,
    bytes: Vec<u8>,
    parts: Vec<Part>,
}

impl Opened {
    /// Returns the contents for an importer.
    pub fn input(&self) -> Input<'_> {
        Input { bytes: &self.bytes, name: &self.base, parts: &self.parts }
    }

    /// Returns the error for contents that cannot be read.
    pub fn unreadable(&self, error: &derny_import::ReadError) -> Problem {
        unreadable(problem!("{} cannot be imported as {}", self.name, self.format.name), error)
            .remedy("use another --format, or create the file again")
    }

    /// Returns the error for contents without results.
    pub fn empty(&self) -> Problem {
        problem!("{} contains no results", self.name)
            .place(format_args!("read as {}", self.format.name))
            .remedy("use another --format")
    }
}

/// Returns the contents of a file, a folder or standard input.
pub fn open(path: &Path, format: Option<&str>) -> Result<Opened> {
    opened(path, format)?.ok_or_else(|| {
        problem!("the format of {} is not recognised", path.display())
            .known(names())
            .remedy("use --format NAME, or `derny show FILE` for a file that Derny wrote")
            .into()
    })
}

/// Returns the contents like [`open`], or `None` if no format is recognised.
pub fn opened(path: &Path, format: Option<&str>) -> Result<Option<Opened>> {
    let name = path.to_string_lossy().into_owned();
    let mut time_ms = now_ms();
    let (mut bytes, mut parts) = (Vec::new(), Vec::new());
    let mut format = format.and_then(derny_import::format);
    if name == "-" {
        bytes = input::read(path)?;
    } else {
        if path.is_dir() {
            format = whole(path, format.map(|format| format.name));
            parts = within(path, format.and_then(|format| format.folder))?;
        } else {
            bytes = content(path)?;
        }
        let changed = fs::metadata(path).and_then(|data| data.modified()).ok();
        let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        time_ms = since.map_or(time_ms, |since| since.as_millis() as i64);
    }
    let damaged = |error: derny_import::ReadError| {
        unreadable(problem!("{name} cannot be imported"), &error)
            .remedy("create the file again with the tool that wrote it")
    };
    if let std::borrow::Cow::Owned(inflated) = derny_import::inflated(&bytes).map_err(damaged)? {
        bytes = inflated;
    }
    let base = path.file_name().map_or(name.clone(), |base| base.to_string_lossy().into_owned());
    let base = base.strip_suffix(".gz").unwrap_or(&base).to_owned();
    let format = format.or_else(|| derny_import::guess(&Input { bytes: &bytes, name: &base, parts: &parts }));
    let Some(format) = format else { return Ok(None) };
    parts.extend(format.beside.iter().filter_map(|wanted| beside(path, wanted)));
    Ok(Some(Opened { name, time_ms, format, base, bytes, parts }))
}

/// Opens and parses a file, a folder or standard input. Fails if it contains no results.
pub fn read(path: &Path, format: Option<&str>) -> Result<File> {
    let opened = open(path, format)?;
    let foreign = (opened.format.read)(&opened.input()).map_err(|error| opened.unreadable(&error))?;
    if foreign.cases().is_empty() {
        return Err(opened.empty().into());
    }
    let mut hash = Fnv::new();
    hash.write(&opened.bytes);
    for part in &opened.parts {
        hash.write(part.path.as_bytes()).write(&part.bytes);
    }
    let Opened { name, time_ms, format, .. } = opened;
    Ok(File { name, time_ms, format, foreign, suites: Vec::new(), hash })
}

/// Returns the files of a folder that may belong to a history: all files, or the folder itself if a format
/// reads it as a whole. Returns any other path unchanged.
pub fn candidates(path: &Path, format: Option<&str>) -> Vec<PathBuf> {
    if !path.is_dir() || whole(path, format).is_some() {
        return vec![path.to_owned()];
    }
    let mut found = Vec::new();
    walk(path, 0, &mut |file| found.push(file.to_owned()));
    found
}

/// Returns the error for a folder without files of other tools.
pub fn nothing(folder: &str) -> Problem {
    problem!("{folder} contains no file in a format that Derny can import").known(names())
}

fn names() -> String {
    FORMATS.map(|format| format.name).join(", ")
}

fn unreadable(problem: Problem, error: &derny_import::ReadError) -> Problem {
    let place = error.line.map_or("the whole file".to_owned(), |line| format!("line {line}"));
    problem.place(place).why(&error.reason)
}

fn content(path: &Path) -> Result<Vec<u8>> {
    Ok(input::read(path).map_err(|why| Problem::new(why).remedy("name a file that can be read"))?)
}

/// Returns the files of a folder for whose paths `wanted` returns true. Fails if the format reads no folders.
fn within(folder: &Path, wanted: Option<fn(&str) -> bool>) -> Result<Vec<Part>> {
    let mut found = Vec::new();
    walk(folder, 0, &mut |file| found.push(file.to_owned()));
    let wanted = wanted.ok_or_else(|| {
        problem!("{} is a folder", folder.display()).remedy("name the files in it, or omit --format")
    })?;
    let mut parts = Vec::new();
    for file in found {
        let path = relative(folder, &file);
        if wanted(&path) {
            parts.push(Part { path, bytes: content(&file)? });
        }
    }
    Ok(parts)
}

/// Returns the file `wanted` from the folder of the file `path`, or from the parent of that folder. `None` if
/// there is none.
fn beside(path: &Path, wanted: &str) -> Option<Part> {
    let folder = path.parent()?;
    let places = [folder.to_owned(), folder.join("..")];
    let bytes = places.into_iter().find_map(|place| fs::read(place.join(wanted)).ok())?;
    Some(Part { path: wanted.to_owned(), bytes })
}

fn relative(folder: &Path, file: &Path) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file);
    let words = path.components().map(|part| part.as_os_str().to_string_lossy());
    words.collect::<Vec<_>>().join("/")
}

/// Calls `on_file` for all files below a folder, sorted by name. Does not follow links to folders, which may
/// form cycles.
fn walk(folder: &Path, depth: usize, on_file: &mut dyn FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEEPEST => walk(&entry.path(), depth + 1, on_file),
            Ok(kind) if kind.is_file() => on_file(&entry.path()),
            _ => {}
        }
    }
}
