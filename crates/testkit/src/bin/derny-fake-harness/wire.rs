//! The two streams of the protocol. Their paths come from the environment.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};

pub struct Commands {
    reader: BufReader<File>,
}

pub struct Replies {
    file: File,
}

/// Opens both streams. Child processes do not inherit them, because Rust opens files as close-on-exec.
pub fn open() -> Result<(Commands, Replies), String> {
    let path = |name: &str| {
        std::env::var_os(name).ok_or(format!("{name} is not set: only an engine can start this program"))
    };
    let (commands, replies) = (path("DERNY_COMMANDS")?, path("DERNY_REPLIES")?);
    let wrong = |path: &std::ffi::OsString, error| format!("cannot open {}: {error}", path.display());
    // Keep this order. Opening a FIFO blocks until the other side opens it too.
    let replies_file =
        OpenOptions::new().write(true).open(&replies).map_err(|error| wrong(&replies, error))?;
    let commands_file = File::open(&commands).map_err(|error| wrong(&commands, error))?;
    Ok((Commands { reader: BufReader::new(commands_file) }, Replies { file: replies_file }))
}

impl Commands {
    /// Returns the next line without its LF, or `None` if the engine has ended.
    pub fn next(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let limit = derny_protocol::MAX_LINE as u64;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut line).ok()?;
        if read == 0 {
            return None;
        }
        Some(String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned())
    }

    pub fn share(&self) -> std::io::Result<File> {
        self.reader.get_ref().try_clone()
    }
}

impl Replies {
    /// Writes all bytes. Ignores errors, because reading the next command fails if the engine has ended.
    pub fn send(&mut self, bytes: &[u8]) {
        let _ = self.file.write_all(bytes);
    }

    pub fn share(&self) -> std::io::Result<File> {
        self.file.try_clone()
    }
}
