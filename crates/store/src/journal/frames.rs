//! The journal of a run in progress: events that are not yet in the database.
//!
//! The file is memory-mapped, and events are copied into it. A killed engine therefore loses no event that
//! was accepted. Appending an event needs no system call, because a `write` would take about ten microseconds
//! and a turn may cost only a few.
//!
//! A frame consists of a length (4 bytes), a number (8 bytes, increasing within a run), a kind (1 byte) and
//! its content. The content is either an event as JSON, or the visit of a turn (4 bytes) followed by the turn
//! in the encoding of [`crate::codec::blob`]. The number is written last, so a truncated frame has none.
//!
//! Frames that the database has are not erased. New frames overwrite them from the start of the file, and the
//! journal ends where the numbers stop increasing. The file grows by blocks of zeros. A full disk is then
//! detected when the file grows, and not when a mapped page cannot be written.

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
/// The size of the file grows by multiples of this number of bytes.
const AHEAD: usize = 128 << 10;

#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Mapping of the whole file, or `None` if the file system does not support it.
    map: Option<MmapMut>,
    /// Size of the file in bytes.
    room: usize,
    /// Size of all complete frames, in bytes.
    length: usize,
}

#[derive(Debug, Default)]
pub struct Frames {
    /// Events other than turns, with their numbers.
    pub events: Vec<(u64, Event)>,
    /// Turns, in order.
    pub turns: Vec<Turn>,
}

impl Journal {
    /// Creates a journal in `file`, which must be open for reading and writing. The caller must call
    /// [`Journal::clear`] before it adds the first event.
    pub fn new(file: File) -> Journal {
        Journal { file, map: None, room: 0, length: 0 }
    }

    /// Appends an event that is not a turn. If this fails, no part of the event remains.
    pub fn take(&mut self, number: u64, event: &Event) -> io::Result<()> {
        self.put(number, EVENT, event.to_json()?.as_bytes())
    }

    /// Appends a turn that was encoded by [`pack`]. If this fails, no part of the turn remains.
    pub fn take_turn(&mut self, number: u64, packed: &[u8]) -> io::Result<()> {
        self.put(number, TURN, packed)
    }

    fn put(&mut self, number: u64, kind: u8, content: &[u8]) -> io::Result<()> {
        let length = u32::try_from(content.len()).map_err(io::Error::other)?.to_le_bytes();
        let end = self.length + HEAD + content.len();
        // Leave room for the head of the next frame, because a head without a number marks the end.
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
            // A partial frame would hide all later frames.
            self.room = self.length;
            let _ = self.file.set_len(self.length as u64);
        }
        written.map(|()| self.length = end)
    }

    /// Extends the file with zeros to at least `least` bytes, and maps it again.
    fn lengthen(&mut self, least: usize) -> io::Result<()> {
        let zeros = vec![0; (least - self.room).next_multiple_of(AHEAD)];
        self.file.seek(SeekFrom::Start(self.room as u64))?;
        self.file.write_all(&zeros)?;
        self.room += zeros.len();
        self.map = map(&self.file).ok();
        Ok(())
    }

    /// Drops all frames, because they are in the database.
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

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: only the recorder that holds the file's lock writes to it, and no process truncates it while it
    // is mapped. It contains plain bytes, which readers validate.
    unsafe { MmapMut::map_mut(file) }
}

pub fn pack(content: &mut Vec<u8>, turn: &Turn) {
    content.extend(turn.visit.to_le_bytes());
    put_turn(content, turn);
}

/// Decodes the turn that [`pack`] wrote, or returns `None` if the bytes are corrupt.
pub fn unpack(content: &[u8]) -> Option<Turn> {
    let (visit, turn) = content.split_at_checked(4)?;
    read_turn(u32::from_le_bytes(visit.try_into().ok()?), turn)
}

/// Reads the journal at `path`. Returns no frames if the file cannot be read.
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
                // If zeros replace missing bytes, a turn may decode differently, but no turn is added.
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
        // New frames overwrite old ones of the same length. The old frames after them are intact, but no
        // longer part of the journal.
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
