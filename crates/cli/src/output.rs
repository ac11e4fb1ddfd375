//! Where text goes and how it may look: results to standard output or a file, everything else to standard error.

use crate::args::{Global, When};
use anyhow::{Context, Result};
use derny_report::Style;
use derny_workbench::notice::{Notice, Weight};
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
        match File::create(&beside) {
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

    /// Writes and flushes.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.write_bytes(text.as_bytes())
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

/// Where the new file is written first.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
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
        let file = File::create(&beside)?;
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

/// A line on standard error; a closed one is no reason to stop.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
