//! Where the process values of cases wait that are not being measured: packed in memory while they are few, else in a file without a
//! name. So the memory of a run does not grow with the turns of all its cases.

use crate::launch::folder::{PrivateFolder, unnamed_file};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// So many bytes stay in memory: those of a usual suite.
const IN_MEMORY: u64 = 4 << 20;

/// A place for bytes that are written once.
#[derive(Debug)]
pub struct Shelf(Mutex<Place>);

/// Where bytes lie on a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    at: u64,
    length: usize,
}

#[derive(Debug)]
struct Place {
    /// The first bytes of all.
    memory: Vec<u8>,
    /// How many of them there may be.
    most: u64,
    /// Those that follow.
    file: Option<(File, PrivateFolder)>,
    /// Of the file.
    length: u64,
    /// The file could not be made or written: what comes is not taken.
    is_full: bool,
}

impl Default for Shelf {
    fn default() -> Self {
        Shelf::within(IN_MEMORY)
    }
}

impl Shelf {
    /// One that keeps so many bytes in memory.
    pub fn within(most: u64) -> Shelf {
        let (memory, file, length, is_full) = (Vec::new(), None, 0, false);
        Shelf(Mutex::new(Place { memory, most, file, length, is_full }))
    }

    /// Takes bytes; none where there is no room, and they stay with the caller.
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
        // What follows lies in the file, also where it would find room in memory: one number says where.
        place.most = held;
        let at = held + place.length;
        let written = place.write(bytes);
        place.is_full = written.is_err();
        written.ok().map(|()| Spot { at, length })
    }

    /// The bytes that were put there.
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
        // After what is whole: a write that failed half way counts for nothing.
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
