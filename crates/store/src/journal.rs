//! The journal of a run under way: what its recorder has taken and the database does not hold yet, in a file that only
//! grows. One write per event, whatever the database does: an engine that is killed loses nothing that it was told is
//! taken, and a database transaction is needed only now and then.
//!
//! A frame is its length (4 bytes), its number (8 bytes, counting from 1 in each run), its kind (1 byte) and its content:
//! an event as JSON, or a turn in the form of [`crate::blob`]. A frame that was cut off is the last one. The file is
//! lengthened by zeros in steps, since overwriting is cheaper than appending; a frame numbered 0 is the end.

use crate::blob::{put_turn, read_turn};
use derny_model::{Event, Turn};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

const EVENT: u8 = 0;
const TURN: u8 = 1;
const HEAD: usize = 4 + 8 + 1;
/// Zeros written ahead.
const AHEAD: usize = 128 << 10;

/// The growing end of the file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Bytes of whole frames.
    length: u64,
    /// Bytes of the file.
    room: u64,
    /// Where the file's next write goes.
    at: u64,
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
    /// Of `file`, which is open for writing and whose content is to be cleared before the first event is taken.
    pub fn new(file: File) -> Journal {
        Journal { file, length: 0, room: 0, at: 0, frame: Vec::new() }
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
        let end = self.length + self.frame.len() as u64;
        if end > self.room {
            // With a frame there must be room for the end after it.
            self.frame.resize(self.frame.len() + AHEAD, 0);
        }
        if self.at != self.length {
            self.at = self.file.seek(SeekFrom::Start(self.length))?;
        }
        if let Err(error) = self.file.write_all(&self.frame) {
            // What follows half a frame could not be read.
            (self.room, self.at) = (self.length, u64::MAX);
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.at += self.frame.len() as u64;
        self.room = self.room.max(self.at);
        self.length = end;
        Ok(())
    }

    /// Forgets everything: the database holds it.
    pub fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        (self.length, self.room) = (0, 0);
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
    let number = u64::from_le_bytes(head[4..12].try_into().ok()?);
    (number > 0).then_some((number, head[12], content, after))
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
        let mut journal = Journal::new(File::create(&path).unwrap());
        let mut random = Random(1);
        let turns: Vec<Turn> = (0..5).map(|round| turn(&mut random, 3, round)).collect();
        journal.take(1, &process(0)).unwrap();
        for (i, turn) in turns.iter().enumerate() {
            journal.take(i as u64 + 2, &Event::Turn(turn.clone())).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let frames = read(&path);
        assert_eq!((frames.events, frames.turns), (vec![(1, process(0))], turns.clone()));
        for length in (0..journal.length as usize).rev() {
            for rest in [0, whole.len() - length] {
                let mut cut = whole[..length].to_vec();
                cut.resize(length + rest, 0);
                std::fs::write(&path, &cut).unwrap();
                let frames = read(&path);
                // Zeros in place of bytes that did not arrive may be a turn of another kind, never a turn too many.
                assert!(frames.turns.len() <= turns.len());
                let whole_ones = frames.turns.len().saturating_sub(1);
                assert_eq!(frames.turns[..whole_ones], turns[..whole_ones]);
            }
        }
    }

    #[test]
    fn what_was_cleared_is_gone_and_the_journal_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("k3fz");
        let mut journal = Journal::new(File::create(&path).unwrap());
        journal.take(1, &process(0)).unwrap();
        journal.clear().unwrap();
        journal.take(2, &process(1)).unwrap();
        assert_eq!(read(&path).events, [(2, process(1))]);
        assert!(read(&dir.path().join("none")).events.is_empty());
    }
}
