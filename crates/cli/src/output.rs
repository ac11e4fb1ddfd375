//! Destinations and styles of output. Results go to standard output or a file, everything else to standard
//! error.

use crate::args::{Format, Global, When};
use derny_model::problem;
use derny_model::secrets::without_secrets;
use derny_model::shown::{painted_lines, visible_json, visible_lines};
use derny_report::Style;
use derny_workbench::notice::{Notice, Weight};
use derny_workbench::{Error, Result};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Returns the extension of a file, in lower case.
pub fn ending(path: Option<&Path>) -> Option<String> {
    Some(path?.extension()?.to_str()?.to_lowercase())
}

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

pub fn error_style(global: &Global) -> Style {
    style(global, &io::stderr(), false)
}

/// Returns the width in `COLUMNS`, or else the width of the terminal, if there is one.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    said.or_else(derny_engine::os::terminal_width)
}

/// Destination of a result. It is opened before anything is measured, so that an unwritable path fails early.
/// An existing file stays unchanged until its replacement is complete. A file is reported on standard error
/// when the destination is dropped.
pub struct Destination {
    to: To,
    /// Path of the file to report once it is written.
    reported: Option<PathBuf>,
    is_written: bool,
}

enum To {
    Stdout,
    /// A file that has not been written yet.
    Planned(PathBuf),
    File(File),
}

impl Destination {
    pub fn stdout() -> Destination {
        Destination { to: To::Stdout, reported: None, is_written: false }
    }

    /// Opens a destination, or standard output for `-`. A file is reported, unless `--quiet` is given or it
    /// is a device or a pipe.
    pub fn open(global: &Global, path: Option<&Path>) -> Result<Destination> {
        let mut opened = Destination::unreported(path)?;
        if global.quiet == 0 && !matches!(opened.to, To::Stdout) {
            opened.reported = path.filter(|path| !path.exists() || path.is_file()).map(Path::to_owned);
        }
        Ok(opened)
    }

    /// Opens a destination that the caller reports itself.
    pub fn unreported(path: Option<&Path>) -> Result<Destination> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Destination::stdout());
        };
        Ok(Destination { to: To::open(path)?, reported: None, is_written: false })
    }

    /// Fails if standard output is the destination and a terminal. `what` is the content that a terminal
    /// cannot show.
    pub fn not_to_terminal(&self, what: &str, remedy: &str) -> Result<()> {
        match self.is_file() || !io::stdout().is_terminal() {
            true => Ok(()),
            false => Err(problem!("{what} is not written to a terminal").remedy(remedy).into()),
        }
    }

    pub fn is_file(&self) -> bool {
        !matches!(self.to, To::Stdout)
    }

    /// Writes text for users, and flushes.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.write_as(Form::People, text)
    }

    /// Writes text. On standard output, escapes control sequences that affect a terminal or a CI log, as the
    /// kind of text requires.
    pub fn write_as(&mut self, form: Form, text: &str) -> io::Result<()> {
        let is_file = self.is_file();
        self.write_by(|to| {
            let text = match (is_file, form) {
                (true, _) | (_, Form::Data) => Cow::Borrowed(text),
                (_, Form::People) => painted_lines(text),
                (_, Form::Json) => visible_json(text),
            };
            to.write_all(text.as_bytes())
        })
    }

    /// Writes JSON piece by piece. On standard output, collects the pieces of each line to escape it as a
    /// whole.
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

    pub fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_by(|to| to.write_all(bytes))
    }

    /// Writes data piece by piece, without escaping anything.
    pub fn write_by(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let done = match &mut self.to {
            To::Stdout => flushed(io::stdout().lock(), write),
            To::File(file) => flushed(file, write),
            To::Planned(path) => create(path, write).map(|file| self.to = To::File(file)),
        };
        self.is_written = done.is_ok();
        done
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        if let Some(path) = self.reported.as_ref().filter(|_| self.is_written) {
            note(&format!("wrote {}", path.display()));
        }
    }
}

impl To {
    fn open(path: &Path) -> Result<To> {
        let refused = |cause: io::Error| Error::File {
            problem: problem!("cannot write {}: {cause}", path.display()).remedy(match path.is_dir() {
                true => "name a file in it",
                false => "name a folder that exists and is writable",
            }),
            cause,
        };
        // Write to the target of a symbolic link, so that the link is preserved.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if target.exists() && !target.is_file() {
            return Ok(To::File(File::options().write(true).open(&target).map_err(refused)?));
        }
        let beside = beside(&target);
        match exclusive(&beside) {
            Ok(_) => {
                std::fs::remove_file(&beside).map_err(refused)?;
                Ok(To::Planned(target))
            }
            // An existing file may be writable even if its folder is not.
            Err(_) => Ok(To::File(File::create(&target).map_err(refused)?)),
        }
    }
}

/// Kind of text, which determines how control characters are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text for users, which may contain Derny's own colours.
    People,
    /// JSON, in which escapes follow JSON's syntax.
    Json,
    /// Data for programs, which is written unchanged.
    Data,
}

impl From<Format> for Form {
    fn from(format: Format) -> Form {
        match format {
            Format::Table | Format::Plain => Form::People,
            Format::Json => Form::Json,
            _ => Form::Data,
        }
    }
}

/// Writes JSON to standard output, escaping control characters that affect terminals.
struct JsonLines<'a> {
    to: &'a mut dyn Write,
    /// Bytes since the last line break.
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

/// Returns the path of the temporary file that later replaces `path`.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

/// Creates a new file. First removes the file that a killed process may have left. Does not follow a link
/// that another user may have created.
fn exclusive(path: &Path) -> io::Result<File> {
    let _ = std::fs::remove_file(path);
    File::create_new(path)
}

/// Writes through a large buffer, then flushes.
fn flushed(to: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut to = io::BufWriter::with_capacity(1 << 16, to);
    write(&mut to)?;
    to.flush()
}

/// Writes a temporary file and renames it to `path`, with the permissions of the file that it replaces.
/// Returns the file for further writes.
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

/// Prints a notice unless `--quiet` suppresses it.
pub fn notice(global: &Global, notice: &Notice) {
    let said = match notice.weight() {
        Weight::Error | Weight::Note => true,
        Weight::Progress => global.quiet == 0,
    };
    if said {
        note(&notice.to_string());
    }
}

/// Returns a callback that prints notices.
pub fn told(global: &Global) -> impl FnMut(Notice) {
    move |said| notice(global, &said)
}

/// Prints text to standard error. It may contain foreign text, so control sequences are escaped and secrets
/// are masked. All lines except the first are indented, so that foreign text cannot imitate a message of
/// Derny. Errors, such as a closed standard error, are ignored.
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

/// Prints text of a report to standard error, with colours.
pub fn painted(text: &str) {
    let _ = writeln!(io::stderr(), "{}", painted_lines(&without_secrets(text)));
}
