//! The journal of a run under way: what its recorder has taken and the database does not hold yet, in a file that only
//! grows. One write per event, whatever the database does: an engine that is killed loses nothing that it was told is
//! taken, and a database transaction is needed only now and then.
//!
//! A frame is its length (4 bytes), its number (8 bytes, counting from 1 in each run), its kind (1 byte) and its content:
//! an event as JSON, or a turn in the form of [`crate::blob`]. A frame that was cut off is the last one.

use crate::blob::{put_turn, read_turn};
use derny_model::{Event, Turn};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

const EVENT: u8 = 0;
const TURN: u8 = 1;
const HEAD: usize = 4 + 8 + 1;

/// The growing end of the file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    length: u64,
    frame: Vec<u8>,
}

/// What a journal holds, in order.
#[derive(Debug, Default)]
pub struct Frames {
    /// Events other than turns, with their numbers.
    pub events: Vec<(u64, Event)>,
    /// Turns, by their visits.
    pub turns: Vec<Turn>,
}

impl Journal {
    /// Goes on at the end of `file`, which is open for writing.
    pub fn new(file: File) -> io::Result<Journal> {
        let length = file.metadata()?.len();
        Ok(Journal { file, length, frame: Vec::new() })
    }

    /// Takes an event. After an error the file is as it was.
    pub fn take(&mut self, number: u64, event: &Event) -> io::Result<()> {
        let Event::Turn(turn) = event else {
            let json = serde_json::to_vec(event)?;
            return self.put(number, EVENT, |frame| frame.extend(json));
        };
        self.put(number, TURN, |frame| {
            frame.extend(turn.visit.to_le_bytes());
            put_turn(frame, turn);
        })
    }

    fn put(&mut self, number: u64, kind: u8, content: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.frame.clear();
        self.frame.extend([0; 4]);
        self.frame.extend(number.to_le_bytes());
        self.frame.push(kind);
        content(&mut self.frame);
        let length = (self.frame.len() - HEAD) as u32;
        self.frame[..4].copy_from_slice(&length.to_le_bytes());
        if let Err(error) = self.file.write_all(&self.frame) {
            // Half a frame would hide all that follow.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += self.frame.len() as u64;
        Ok(())
    }

    /// Forgets everything: the database holds it.
    pub fn clear(&mut self) -> io::Result<()> {
        if self.length > 0 {
            self.file.set_len(0)?;
            self.length = 0;
        }
        Ok(())
    }
}

/// What the journal at `path` holds; nothing if there is none.
pub fn read(path: &Path) -> Frames {
    let mut frames = Frames::default();
    let Ok(bytes) = std::fs::read(path) else { return frames };
    let mut rest = &bytes[..];
    while let Some((number, kind, content, after)) = split(rest) {
        match kind {
            EVENT => frames.events.extend(serde_json::from_slice(content).ok().map(|event| (number, event))),
            TURN => frames.turns.extend(turn(content)),
            _ => {}
        }
        rest = after;
    }
    frames
}

fn split(bytes: &[u8]) -> Option<(u64, u8, &[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let length = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
    let (content, after) = rest.split_at_checked(length)?;
    Some((u64::from_le_bytes(head[4..12].try_into().ok()?), head[12], content, after))
}

fn turn(content: &[u8]) -> Option<Turn> {
    let (visit, turn) = content.split_at_checked(4)?;
    read_turn(u32::from_le_bytes(visit.try_into().ok()?), turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::scenario::{Random, process, turn};

    #[test]
    fn a_frame_that_was_cut_off_hides_none_before_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("k3fz");
        let file = || File::options().create(true).append(true).open(&path).unwrap();
        let mut journal = Journal::new(file()).unwrap();
        let mut random = Random(1);
        let turns: Vec<Turn> = (0..5).map(|round| turn(&mut random, 3, round)).collect();
        journal.take(1, &process(0)).unwrap();
        for (i, turn) in turns.iter().enumerate() {
            journal.take(i as u64 + 2, &Event::Turn(turn.clone())).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let frames = read(&path);
        assert_eq!((frames.events, frames.turns), (vec![(1, process(0))], turns.clone()));
        for length in (0..whole.len()).rev() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let frames = read(&path);
            assert_eq!(frames.turns, turns[..frames.turns.len()]);
            assert!(frames.turns.len() < turns.len());
        }
    }

    #[test]
    fn what_was_cleared_is_gone_and_the_journal_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("k3fz");
        let file = File::options().create(true).append(true).open(&path).unwrap();
        let mut journal = Journal::new(file).unwrap();
        journal.take(1, &process(0)).unwrap();
        journal.clear().unwrap();
        journal.take(2, &process(1)).unwrap();
        assert_eq!(read(&path).events, [(2, process(1))]);
        assert!(read(&dir.path().join("none")).events.is_empty());
    }
}
