//! Where text goes and how it may look: results to standard output or a file, everything else to standard error.

use crate::args::{Global, When};
use anyhow::{Context, Result};
use derny_model::secrets::without_secrets;
use derny_model::shown::{painted_lines, visible_json, visible_lines};
use derny_report::Style;
use derny_workbench::notice::{Notice, Weight};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The style of a stream.
pub fn style(global: &Global, stream: &impl IsTerminal, is_file: bool) -> Style {
    let terminal = stream.is_terminal() && !is_file;
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let colour = match global.color {
        When::Always => true,
        When::Never => false,
        When::Auto if variable("NO_COLOR").is_some() => false,
        When::Auto if variable("CLICOLOR_FORCE").is_some_and(|v| v != "0") => true,
        When::Auto => terminal && !dumb,
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default();
    let utf8 = locale.to_ascii_lowercase().replace('-', "").contains("utf8");
    Style { width: terminal.then(columns).flatten(), ascii: global.ascii || !utf8, colour }
}

/// The style of standard error.
pub fn error_style(global: &Global) -> Style {
    style(global, &io::stderr(), false)
}

/// Columns of the terminal, or what `COLUMNS` says.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    said.or_else(derny_engine::os::terminal_width)
}

/// The result's destination. Whether a file can be written is tried before anything is measured, so that a bad path fails at
/// once. What was there stays until its successor is complete.
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file of which nothing was written yet.
    Planned(PathBuf),
    /// A file.
    File(File),
}

impl Destination {
    /// Opens it; `-` is standard output.
    pub fn open(path: Option<&Path>) -> Result<Destination> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else { return Ok(Destination::Stdout) };
        let refused =
            || format!("cannot write {}\n  try    a folder that exists and can be written", path.display());
        // A link stays one.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if target.exists() && !target.is_file() {
            return Ok(Destination::File(File::options().write(true).open(&target).with_context(refused)?));
        }
        let beside = beside(&target);
        match exclusive(&beside) {
            Ok(_) => {
                std::fs::remove_file(&beside).with_context(refused)?;
                Ok(Destination::Planned(target))
            }
            // A file that is there may be writable in a folder that is not.
            Err(_) => Ok(Destination::File(File::create(&target).with_context(refused)?)),
        }
    }

    /// Whether it is a file.
    pub fn is_file(&self) -> bool {
        !matches!(self, Destination::Stdout)
    }

    /// Writes text for people, and flushes.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.write_as(Form::People, text)
    }

    /// Writes text in its form. On standard output nothing in it steers a terminal or a service that reads the log.
    pub fn write_as(&mut self, form: Form, text: &str) -> io::Result<()> {
        let text = match (self.is_file(), form) {
            (true, _) | (_, Form::Data) => Cow::Borrowed(text),
            (_, Form::People) => painted_lines(text),
            (_, Form::Json) => visible_json(text),
        };
        self.write_bytes(text.as_bytes())
    }

    /// Writes JSON piece by piece, which has line breaks.
    pub fn write_json_by(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let is_file = self.is_file();
        self.write_by(|to| match is_file {
            true => write(to),
            false => {
                let mut lines = JsonLines { to, begun: Vec::new() };
                write(&mut lines)?;
                lines.pass_on(lines.begun.len())
            }
        })
    }

    /// The same for what is no text.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_by(|to| to.write_all(bytes))
    }

    /// The same for what is written piece by piece.
    pub fn write_by(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        match self {
            Destination::Stdout => flushed(io::stdout().lock(), write),
            Destination::File(file) => flushed(file, write),
            Destination::Planned(path) => {
                *self = Destination::File(create(path, write)?);
                Ok(())
            }
        }
    }
}

/// What text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people, in colours of ours.
    People,
    /// JSON, which has escapes of its own.
    Json,
    /// What programs read: as it is.
    Data,
}

impl Form {
    /// That of a table, of JSON, or of neither.
    pub fn of(is_table: bool, is_json: bool) -> Form {
        match (is_table, is_json) {
            (true, _) => Form::People,
            (_, true) => Form::Json,
            _ => Form::Data,
        }
    }
}

/// JSON on its way to standard output, in which characters that steer a terminal become escapes.
struct JsonLines<'a> {
    to: &'a mut dyn Write,
    /// What came behind the last line break.
    begun: Vec<u8>,
}

impl JsonLines<'_> {
    fn pass_on(&mut self, length: usize) -> io::Result<()> {
        self.to.write_all(visible_json(&String::from_utf8_lossy(&self.begun[..length])).as_bytes())?;
        self.begun.drain(..length);
        Ok(())
    }
}

impl Write for JsonLines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map(|at| self.begun.len() + at + 1);
        self.begun.extend_from_slice(bytes);
        end.map_or(Ok(()), |end| self.pass_on(end))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Where the new file is written first.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

/// Makes a file that is not there. What a killed process left is taken away; a link that another user has put there is not followed.
fn exclusive(path: &Path) -> io::Result<File> {
    let _ = std::fs::remove_file(path);
    File::create_new(path)
}

/// Writes in large pieces, and flushes.
fn flushed(to: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut to = io::BufWriter::with_capacity(1 << 16, to);
    write(&mut to)?;
    to.flush()
}

/// Puts a file of what is written in a place, where it takes the rights of the one that was there. Returns it, for what follows.
fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let beside = beside(path);
    let write = || {
        let file = exclusive(&beside)?;
        flushed(&file, write)?;
        if let Ok(old) = path.metadata() {
            file.set_permissions(old.permissions())?;
        }
        std::fs::rename(&beside, path)?;
        Ok(file)
    };
    write().inspect_err(|_| _ = std::fs::remove_file(&beside))
}

/// Says what the workbench has to say, unless it was asked to be quiet about such.
pub fn notice(global: &Global, notice: &Notice) {
    let said = match notice.weight() {
        Weight::Error | Weight::Note => true,
        Weight::Progress => global.quiet == 0,
    };
    if said {
        note(&notice.to_string());
    }
}

/// Hears notices, and says them.
pub fn told(global: &Global) -> impl FnMut(Notice) {
    move |said| notice(global, &said)
}

/// A line on standard error. Parts of it may be others' words: nothing in it steers a terminal or a service, and no secret is shown. Only
/// the first line begins at the margin, so that no other looks like one of ours. A closed standard error is no reason to stop.
pub fn note(text: &str) {
    let lines = text.split('\n').enumerate().map(|(at, line)| {
        match at == 0 || line.starts_with(' ') || line.is_empty() {
            true => line.to_owned(),
            false => format!("  {line}"),
        }
    });
    let text: Vec<String> = lines.collect();
    let _ = writeln!(io::stderr(), "{}", visible_lines(&without_secrets(&text.join("\n"))));
}

/// The same of text that a report has made, in colours.
pub fn painted(text: &str) {
    let _ = writeln!(io::stderr(), "{}", painted_lines(&without_secrets(text)));
}
