//! The two streams of a conversation, as FIFOs. A program finds them by their paths, even behind a
//! wrapper that does not pass descriptors on.
//!
//! The engine opens its ends before the launch: the replies for non-blocking reads, and the commands
//! for both reading and writing. A harness therefore never blocks in `open`, and still reads
//! end-of-file when the engine dies.

use crate::launch::folder::{PrivateFolder, named};
use crate::launch::reaper::Reaper;
use crate::os;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// The engine's ends of the FIFOs. Contains their folder until the harness has opened them.
#[derive(Debug)]
pub struct Fifos {
    folder: Option<PrivateFolder>,
    commands: Option<File>,
    /// The reply stream.
    pub replies: File,
}

/// The program's ends of the FIFOs: paths, and also descriptors for a program that may lack permission
/// to open paths.
#[derive(Debug)]
pub struct HarnessEnds {
    /// Path of the FIFO from which the program reads commands.
    pub commands: PathBuf,
    /// Path of the FIFO to which the program writes replies.
    pub replies: PathBuf,
    /// Both ends as open files, if the program needs descriptors.
    pub open: Option<[File; 2]>,
}

impl Fifos {
    /// Creates and opens both FIFOs. `open` is true if the harness needs descriptors.
    ///
    /// # Errors
    /// Fails if the system cannot create FIFOs in the temporary folder, for example because the disk is
    /// full. The message contains the path.
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

    /// Removes the folder once the harness has opened both FIFOs. Reopens the commands for writing
    /// only, so that writing fails once the harness has closed its end.
    pub fn forget_paths(&mut self) {
        let Some(folder) = self.folder.take() else { return };
        let anew = os::open_without_waiting(&folder.path().join("commands"), true);
        if let Ok(file) = anew.and_then(|file| os::set_blocking(&file).map(|()| file)) {
            self.commands = Some(file);
        }
    }

    /// Returns the command stream, or `None` if it is closed.
    pub fn commands(&self) -> Option<&File> {
        self.commands.as_ref()
    }

    /// Writes to the command stream. A broken pipe means that the harness has ended or closed its end.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.commands {
            Some(commands) => commands.write_all(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Closes the command stream. The harness then reads end-of-file.
    pub fn end(&mut self) {
        self.commands = None;
    }

    /// Appends received bytes to `buffer`, using the read buffer `scratch`. Returns false if no bytes
    /// have arrived.
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
