//! The two streams of a conversation as FIFOs: a program finds them by their paths, also behind wrappers that hand on no
//! descriptors.
//!
//! The engine opens its ends before the launch: the replies to read without blocking, the commands to read and write. So a
//! harness never waits in `open`, and still sees the end of its commands when the engine dies.

use crate::launch::folder::{PrivateFolder, named};
use crate::launch::reaper::Reaper;
use crate::os;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// The engine's ends, and the folder with the FIFOs until the harness has opened them.
#[derive(Debug)]
pub struct Fifos {
    folder: Option<PrivateFolder>,
    commands: Option<File>,
    /// Where replies come from.
    pub replies: File,
}

/// A program's ends: the paths, and descriptors where it may open no paths.
#[derive(Debug)]
pub struct HarnessEnds {
    /// Where it reads commands.
    pub commands: PathBuf,
    /// Where it writes replies.
    pub replies: PathBuf,
    /// Both once more, opened.
    pub open: Option<[File; 2]>,
}

impl Fifos {
    /// Makes and opens both. `open` says whether the harness needs descriptors.
    ///
    /// # Errors
    /// The system has no FIFOs there, or no room; the message has the path.
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

    /// The harness has both open: the folder goes. The commands are opened anew without a reading end, so that writing
    /// fails once the harness has closed them.
    pub fn forget_paths(&mut self) {
        let Some(folder) = self.folder.take() else { return };
        let anew = os::open_without_waiting(&folder.path().join("commands"), true);
        if let Ok(file) = anew.and_then(|file| os::set_blocking(&file).map(|()| file)) {
            self.commands = Some(file);
        }
    }

    /// Where commands go.
    pub fn commands(&self) -> Option<&File> {
        self.commands.as_ref()
    }

    /// Writes to the commands. A broken pipe means that the harness is gone or has closed its end.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.commands {
            Some(commands) => commands.write_all(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Ends the commands: the harness sees end-of-file.
    pub fn end(&mut self) {
        self.commands = None;
    }

    /// Appends what has come to `buffer`, by way of `scratch`. False where nothing had.
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
