//! A buffer for the process values of cases that are not being measured. Bytes stay in memory up to a
//! limit, and later bytes go to an unnamed file. The memory of a run therefore does not grow with the
//! turns of all its cases.

use crate::launch::folder::{PrivateFolder, unnamed_file};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// Default limit of the bytes in memory, which is enough for a typical suite.
const IN_MEMORY: u64 = 4 << 20;

/// A buffer of bytes that are written once.
#[derive(Debug)]
pub struct SpillBuffer(Mutex<Contents>);

/// A location of bytes in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    at: u64,
    length: usize,
}

#[derive(Debug)]
struct Contents {
    /// The bytes that were added first.
    memory: Vec<u8>,
    /// Maximum size of `memory`.
    most: u64,
    /// The file for the bytes that did not fit into memory.
    file: Option<(File, PrivateFolder)>,
    /// Length of the file.
    length: u64,
    /// True if the file could not be created or written, so that no more bytes are accepted.
    is_full: bool,
}

impl Default for SpillBuffer {
    fn default() -> Self {
        SpillBuffer::within(IN_MEMORY)
    }
}

impl SpillBuffer {
    /// Returns a buffer that keeps at most `most` bytes in memory.
    pub fn within(most: u64) -> SpillBuffer {
        let (memory, file, length, is_full) = (Vec::new(), None, 0, false);
        SpillBuffer(Mutex::new(Contents { memory, most, file, length, is_full }))
    }

    /// Adds bytes. Returns `None` if there is no space. The caller must then keep the bytes.
    pub fn put(&self, bytes: &[u8]) -> Option<Location> {
        let mut contents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let length = bytes.len();
        let held = contents.memory.len() as u64;
        if contents.length == 0 && held + length as u64 <= contents.most {
            contents.memory.extend_from_slice(bytes);
            return Some(Location { at: held, length });
        }
        if contents.is_full {
            return None;
        }
        // Once the file is used, later bytes never go to memory. One offset then identifies a location.
        contents.most = held;
        let at = held + contents.length;
        let written = contents.write(bytes);
        contents.is_full = written.is_err();
        written.ok().map(|()| Location { at, length })
    }

    /// Returns the bytes at a location.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn get(&self, location: Location) -> io::Result<Vec<u8>> {
        let mut contents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let held = contents.memory.len() as u64;
        if location.at < held {
            let at = location.at as usize;
            return Ok(contents.memory[at..at + location.length].to_vec());
        }
        let mut bytes = vec![0; location.length];
        if let Some((file, _)) = &mut contents.file {
            file.seek(SeekFrom::Start(location.at - held))?;
            file.read_exact(&mut bytes)?;
        }
        Ok(bytes)
    }
}

impl Contents {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some((file, _)) => file,
            none => &mut none.insert(unnamed_file()?).0,
        };
        // A failed write may have left part of its data. Seek to the end of the complete data to
        // overwrite it.
        file.seek(SeekFrom::Start(self.length))?;
        file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_comes_back_from_memory_and_from_the_file() {
        let buffer = SpillBuffer::within(10);
        let all: Vec<Vec<u8>> = (0..6).map(|k| vec![k; 4 + usize::from(k % 2)]).collect();
        let locations: Vec<Location> = all.iter().filter_map(|bytes| buffer.put(bytes)).collect();
        assert_eq!(locations.len(), 6);
        for (location, bytes) in locations.iter().zip(&all).rev() {
            assert_eq!(&buffer.get(*location).unwrap(), bytes);
        }
        let contents = buffer.0.lock().unwrap();
        assert_eq!((contents.memory.len(), contents.length), (9, 18));
    }

    #[test]
    fn a_full_disk_leaves_bytes_with_the_caller() {
        let buffer = SpillBuffer::within(4);
        let location = buffer.put(b"here").unwrap();
        buffer.0.lock().unwrap().is_full = true;
        assert_eq!(buffer.put(b"more"), None);
        assert_eq!(buffer.get(location).unwrap(), b"here");
    }
}
