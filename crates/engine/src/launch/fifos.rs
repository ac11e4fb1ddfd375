//! The two streams of a conversation as FIFOs. A program finds them by their paths, even behind wrappers that
//! do not pass on descriptors.
//!
//! The engine opens its ends before the launch: the replies for non-blocking reads, the commands for reading
//! and writing. So a harness never blocks in `open`, and still sees the end of its commands when the engine
//! dies.

use crate::launch::folder::{PrivateFolder, named};
use crate::launch::reaper::Reaper;
use crate::os;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// The engine's ends, and the folder of the FIFOs until the harness has opened them.
#[derive(Debug)]
pub struct Fifos {
    folder: Option<PrivateFolder>,
    commands: Option<File>,
    /// The stream of replies.
    pub replies: File,
}

/// A program's ends: the paths, and descriptors if it may open no paths.
#[derive(Debug)]
pub struct HarnessEnds {
    /// The FIFO from which it reads commands.
    pub commands: PathBuf,
    /// The FIFO to which it writes replies.
    pub replies: PathBuf,
    /// Both as open files.
    pub open: Option<[File; 2]>,
}

impl Fifos {
    /// Creates and opens both. `open`: the harness needs descriptors.
    ///
    /// # Errors
    /// Fails if the system has no FIFOs there, or no space; the message has the path.
    pub fn make(open: bool, reaper: Option<&Reaper>) -> io::Result<(Fifos, HarnessEnds)> {
        let folder = PrivateFolder::make(reaper)?;
        let [commands, replies] = ["commands", "replies"].map(|name| folder.path().join(name));
        for path in [&commands, &replies] {
            os::make_fifo(path).map_err(|error| named(path, &error))?;
        }
        let own_replies = os::open_without_waiting(&replies, false)?;
        let own_commands = OpenOptions::new().read(true).write(true).open(&commands)?;
        let open = match open {
            true => Some([File::open(&commands)?, OpenOptions::new().write(true).open(&replies)?]),
            false => None,
        };
        let fifos = Fifos { folder: Some(folder), commands: Some(own_commands), replies: own_replies };
        Ok((fifos, HarnessEnds { commands, replies, open }))
    }

    /// Removes the folder after the harness has opened both. Reopens the commands without a reading end, so
    /// that writing fails once the harness has closed them.
    pub fn forget_paths(&mut self) {
        let Some(folder) = self.folder.take() else { return };
        let anew = os::open_without_waiting(&folder.path().join("commands"), true);
        if let Ok(file) = anew.and_then(|file| os::set_blocking(&file).map(|()| file)) {
            self.commands = Some(file);
        }
    }

    /// Returns the stream of commands.
    pub fn commands(&self) -> Option<&File> {
        self.commands.as_ref()
    }

    /// Writes to the commands. A broken pipe means that the harness has ended or has closed its end.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.commands {
            Some(commands) => commands.write_all(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Closes the commands: the harness sees end-of-file.
    pub fn end(&mut self) {
        self.commands = None;
    }

    /// Appends received bytes to `buffer`, using `scratch`. Returns false if there are none.
    pub fn receive(&mut self, scratch: &mut [u8], buffer: &mut Vec<u8>) -> bool {
        match self.replies.read(scratch) {
            Ok(n) if n > 0 => {
                buffer.extend_from_slice(&scratch[..n]);
                true
            }
            _ => false,
        }
    }
}
