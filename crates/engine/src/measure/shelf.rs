//! The spill buffer for process values of cases that are not being measured: packed in memory up to a limit,
//! then in an unnamed file. So the memory of a run does not grow with the turns of all its cases.

use crate::launch::folder::{PrivateFolder, unnamed_file};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// Default number of bytes kept in memory: enough for a typical suite.
const IN_MEMORY: u64 = 4 << 20;

/// A buffer of bytes that are written once.
#[derive(Debug)]
pub struct Shelf(Mutex<Place>);

/// The location of bytes in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    at: u64,
    length: usize,
}

#[derive(Debug)]
struct Place {
    /// The first bytes.
    memory: Vec<u8>,
    /// Maximum size of `memory`.
    most: u64,
    /// The file for the following bytes.
    file: Option<(File, PrivateFolder)>,
    /// Length of the file.
    length: u64,
    /// The file could not be created or written, so nothing more is accepted.
    is_full: bool,
}

impl Default for Shelf {
    fn default() -> Self {
        Shelf::within(IN_MEMORY)
    }
}

impl Shelf {
    /// Returns a buffer that keeps at most this many bytes in memory.
    pub fn within(most: u64) -> Shelf {
        let (memory, file, length, is_full) = (Vec::new(), None, 0, false);
        Shelf(Mutex::new(Place { memory, most, file, length, is_full }))
    }

    /// Adds bytes. Returns `None` if there is no space; the caller then keeps them.
    pub fn put(&self, bytes: &[u8]) -> Option<Spot> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let length = bytes.len();
        let held = place.memory.len() as u64;
        if place.length == 0 && held + length as u64 <= place.most {
            place.memory.extend_from_slice(bytes);
            return Some(Spot { at: held, length });
        }
        if place.is_full {
            return None;
        }
        // Once the file is used, later bytes never go to memory, so that a single offset locates them.
        place.most = held;
        let at = held + place.length;
        let written = place.write(bytes);
        place.is_full = written.is_err();
        written.ok().map(|()| Spot { at, length })
    }

    /// Returns the bytes at a location.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn get(&self, spot: Spot) -> io::Result<Vec<u8>> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let held = place.memory.len() as u64;
        if spot.at < held {
            let at = spot.at as usize;
            return Ok(place.memory[at..at + spot.length].to_vec());
        }
        let mut bytes = vec![0; spot.length];
        if let Some((file, _)) = &mut place.file {
            file.seek(SeekFrom::Start(spot.at - held))?;
            file.read_exact(&mut bytes)?;
        }
        Ok(bytes)
    }
}

impl Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some((file, _)) => file,
            none => &mut none.insert(unnamed_file()?).0,
        };
        // Seek to the end of complete data: a write that failed halfway is overwritten.
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
        let shelf = Shelf::within(10);
        let all: Vec<Vec<u8>> = (0..6).map(|k| vec![k; 4 + usize::from(k % 2)]).collect();
        let spots: Vec<Spot> = all.iter().filter_map(|bytes| shelf.put(bytes)).collect();
        assert_eq!(spots.len(), 6);
        for (spot, bytes) in spots.iter().zip(&all).rev() {
            assert_eq!(&shelf.get(*spot).unwrap(), bytes);
        }
        let place = shelf.0.lock().unwrap();
        assert_eq!((place.memory.len(), place.length), (9, 18));
    }

    #[test]
    fn a_full_disk_leaves_bytes_with_the_caller() {
        let shelf = Shelf::within(4);
        let spot = shelf.put(b"here").unwrap();
        shelf.0.lock().unwrap().is_full = true;
        assert_eq!(shelf.put(b"more"), None);
        assert_eq!(shelf.get(spot).unwrap(), b"here");
    }
}
