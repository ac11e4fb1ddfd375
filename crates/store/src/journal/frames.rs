//! The journal of a run under way: what its recorder has taken and the database does not hold yet. Its file is mapped, and an
//! event is copied into it: an engine that is killed loses nothing that it was told is taken, the system is asked for nothing
//! (a write of as many bytes takes some ten microseconds, of the few that a turn may cost), and a database transaction is
//! needed only now and then.
//!
//! A frame is its length (4 bytes), its number (8 bytes, growing in each run), its kind (1 byte) and its content:
//! an event as JSON, or a turn's visit (4 bytes) and the turn in the form of [`crate::codec::blob`]. The number is stored last, so
//! that a frame that was cut off has none. What the database holds is not wiped off: it is written over from the file's start,
//! and ends where numbers do not grow. The file is lengthened by zeros in steps: a full disk is found then, and not when a
//! mapped page has no place to go.

use crate::codec::blob::{put_turn, read_turn};
use derny_json::{FromJson, ToJson};
use derny_model::{Event, Turn};
use memmap2::MmapMut;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{Ordering, compiler_fence};

const EVENT: u8 = 0;
const TURN: u8 = 1;
const HEAD: usize = 4 + 8 + 1;
/// Zeros written ahead.
const AHEAD: usize = 128 << 10;

/// The growing end of the file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// The whole file; none where the file system does not map what is written.
    map: Option<MmapMut>,
    /// Bytes of the file.
    room: usize,
    /// Bytes of whole frames.
    length: usize,
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
    /// Of `file`, which is open for reading and writing and whose content is to be cleared before the first event is taken.
    pub fn new(file: File) -> Journal {
        Journal { file, map: None, room: 0, length: 0 }
    }

    /// Takes an event other than a turn. After an error nothing of it is there.
    pub fn take(&mut self, number: u64, event: &Event) -> io::Result<()> {
        self.put(number, EVENT, event.to_json()?.as_bytes())
    }

    /// Takes a turn as [`pack`] has packed it. After an error nothing of it is there.
    pub fn take_turn(&mut self, number: u64, packed: &[u8]) -> io::Result<()> {
        self.put(number, TURN, packed)
    }

    fn put(&mut self, number: u64, kind: u8, content: &[u8]) -> io::Result<()> {
        let length = u32::try_from(content.len()).map_err(io::Error::other)?.to_le_bytes();
        let end = self.length + HEAD + content.len();
        // With a frame there must be room for the end after it.
        if end + HEAD > self.room {
            self.lengthen(end + HEAD)?;
        }
        let Some(map) = &mut self.map else {
            let frame = [&length[..], &number.to_le_bytes(), &[kind], content].concat();
            return self.write(&frame, end);
        };
        let frame = &mut map[self.length..end];
        frame[4..12].fill(0);
        compiler_fence(Ordering::SeqCst);
        frame[..4].copy_from_slice(&length);
        frame[12] = kind;
        frame[HEAD..].copy_from_slice(content);
        compiler_fence(Ordering::SeqCst);
        frame[4..12].copy_from_slice(&number.to_le_bytes());
        self.length = end;
        Ok(())
    }

    fn write(&mut self, frame: &[u8], end: usize) -> io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length as u64)).and(self.file.write_all(frame));
        if written.is_err() {
            // What follows half a frame could not be read.
            self.room = self.length;
            let _ = self.file.set_len(self.length as u64);
        }
        written.map(|()| self.length = end)
    }

    /// Makes the file longer by zeros, at least `least` bytes, and maps it anew.
    fn lengthen(&mut self, least: usize) -> io::Result<()> {
        let zeros = vec![0; (least - self.room).next_multiple_of(AHEAD)];
        self.file.seek(SeekFrom::Start(self.room as u64))?;
        self.file.write_all(&zeros)?;
        self.room += zeros.len();
        self.map = map(&self.file).ok();
        Ok(())
    }

    /// Forgets everything: the database holds it.
    pub fn clear(&mut self) -> io::Result<()> {
        self.length = 0;
        match &mut self.map {
            Some(map) => map[4..12].fill(0),
            None => {
                self.file.set_len(0)?;
                self.room = 0;
            }
        }
        Ok(())
    }
}

/// The whole of a file, shared with whoever else reads it.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: the recorder that holds the file's lock is the only one to write it, and nobody shortens it while it is mapped;
    // it holds plain bytes, and those that others read are checked by them.
    unsafe { MmapMut::map_mut(file) }
}

/// What a turn's frame holds.
pub fn pack(content: &mut Vec<u8>, turn: &Turn) {
    content.extend(turn.visit.to_le_bytes());
    put_turn(content, turn);
}

/// The turn that [`pack`] wrote; none if the bytes are damaged.
pub fn unpack(content: &[u8]) -> Option<Turn> {
    let (visit, turn) = content.split_at_checked(4)?;
    read_turn(u32::from_le_bytes(visit.try_into().ok()?), turn)
}

/// What the journal at `path` holds; nothing if there is none.
pub fn read(path: &Path) -> Frames {
    let mut frames = Frames::default();
    let Ok(bytes) = std::fs::read(path) else { return frames };
    let (mut rest, mut last) = (&bytes[..], 0);
    while let Some((number, kind, content, after)) = split(rest)
        && number > last
    {
        match kind {
            EVENT => {
                let event = str::from_utf8(content).ok().and_then(|text| Event::from_json(text).ok());
                frames.events.extend(event.map(|event| (number, event)));
            }
            TURN => frames.turns.extend(unpack(content)),
            _ => {}
        }
        (rest, last) = (after, number);
    }
    frames
}

fn split(bytes: &[u8]) -> Option<(u64, u8, &[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let length = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
    let (content, after) = rest.split_at_checked(length)?;
    let number = u64::from_le_bytes(head[4..12].try_into().ok()?);
    Some((number, head[12], content, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Random, process, turn};
    use std::path::PathBuf;

    fn journal(dir: &Path) -> (PathBuf, Journal) {
        let path = dir.join("k3fz");
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&path).unwrap();
        (path, Journal::new(file))
    }

    fn take_turns(journal: &mut Journal, first: u64, turns: &[Turn]) {
        for (number, turn) in (first..).zip(turns) {
            let mut packed = Vec::new();
            pack(&mut packed, turn);
            journal.take_turn(number, &packed).unwrap();
        }
    }

    fn turns(count: u32) -> Vec<Turn> {
        let mut random = Random(1);
        (0..count).map(|round| turn(&mut random, 3, round)).collect()
    }

    #[test]
    fn a_frame_that_was_cut_off_hides_none_before_it() {
        let dir = tempfile::tempdir().unwrap();
        let (path, mut journal) = journal(dir.path());
        let turns = turns(5);
        journal.take(1, &process(0)).unwrap();
        take_turns(&mut journal, 2, &turns);
        let whole = std::fs::read(&path).unwrap();
        let frames = read(&path);
        assert_eq!((frames.events, frames.turns), (vec![(1, process(0))], turns.clone()));
        for length in (0..journal.length).rev() {
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
        let (path, mut journal) = journal(dir.path());
        let turns = turns(9);
        take_turns(&mut journal, 1, &turns);
        journal.clear().unwrap();
        let cleared = read(&path);
        assert!(cleared.events.is_empty() && cleared.turns.is_empty());
        // Written over old ones of the same length: these are whole, and yet no part of it.
        take_turns(&mut journal, 10, &turns[..3]);
        assert_eq!(read(&path).turns, turns[..3]);
        journal.take(13, &process(1)).unwrap();
        assert_eq!(read(&path).events, [(13, process(1))]);
        assert!(read(&dir.path().join("none")).events.is_empty());
    }

    #[test]
    fn a_journal_grows_beyond_what_was_written_ahead() {
        let dir = tempfile::tempdir().unwrap();
        let (path, mut journal) = journal(dir.path());
        let turns = turns(3000);
        take_turns(&mut journal, 1, &turns);
        assert!(journal.room > AHEAD && read(&path).turns == turns);
    }

    #[test]
    fn where_nothing_can_be_mapped_it_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let (path, mut journal) = journal(dir.path());
        let turns = turns(6);
        for round in 0..2 {
            for (at, turn) in turns.iter().enumerate() {
                take_turns(&mut journal, 10 * round + at as u64 + 1, std::slice::from_ref(turn));
                journal.map = None;
            }
            assert_eq!(read(&path).turns, turns);
            journal.clear().unwrap();
            assert!(read(&path).turns.is_empty());
        }
    }
}
