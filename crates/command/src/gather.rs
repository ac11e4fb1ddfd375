//! Reads a stream of a running command and keeps its beginning or its end, in bounded memory.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time limit for the rest of a command's output after the command has ended.
const PATIENCE: Duration = Duration::from_millis(100);
/// Interval at which [`Gathering::end`] checks whether the reader has finished.
const LOOK: Duration = Duration::from_micros(100);

/// The thread that reads a stream to its end, and the bytes that it keeps.
#[derive(Debug)]
pub struct Gathering {
    kept: Arc<Mutex<Gathered>>,
    reader: JoinHandle<()>,
}

/// The kept bytes of a stream.
#[derive(Debug, Default)]
pub struct Gathered {
    pub bytes: Vec<u8>,
    /// True if the stream had more bytes.
    pub is_cut: bool,
}

impl Gathering {
    /// Reads a stream, and keeps its first `most` bytes.
    pub fn beginning_of(stream: impl Read + Send + 'static, most: usize) -> Gathering {
        Gathering::begin(stream, move |kept, chunk| {
            let room = most.saturating_sub(kept.bytes.len()).min(chunk.len());
            kept.bytes.extend_from_slice(&chunk[..room]);
            kept.is_cut |= room < chunk.len();
        })
    }

    /// Reads a stream, and keeps at least its last `most` bytes.
    pub fn end_of(stream: impl Read + Send + 'static, most: usize) -> Gathering {
        Gathering::begin(stream, move |kept, chunk| {
            if kept.bytes.len() + chunk.len() > 2 * most {
                kept.bytes.drain(..kept.bytes.len() - most);
                kept.is_cut = true;
            }
            kept.bytes.extend_from_slice(chunk);
        })
    }

    fn begin(
        mut stream: impl Read + Send + 'static,
        mut keep: impl FnMut(&mut Gathered, &[u8]) + Send + 'static,
    ) -> Gathering {
        let kept = Arc::new(Mutex::new(Gathered::default()));
        let keeper = Arc::clone(&kept);
        let reader = std::thread::spawn(move || {
            let mut chunk = [0; 8192];
            loop {
                match stream.read(&mut chunk) {
                    Err(why) if why.kind() == ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => return,
                    Ok(count) => {
                        keep(&mut keeper.lock().unwrap_or_else(PoisonError::into_inner), &chunk[..count]);
                    }
                }
            }
        });
        Gathering { kept, reader }
    }

    /// Returns the kept bytes once the command has ended. Waits at most [`PATIENCE`] for the end of the
    /// stream, because processes that were left behind may keep it open.
    pub fn end(self) -> Gathered {
        let ended = Instant::now();
        while !self.reader.is_finished() && ended.elapsed() < PATIENCE {
            std::thread::sleep(LOOK);
        }
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn memory_is_bounded_and_what_was_cut_is_known() {
        let stream =
            |length: usize| Cursor::new((0..length).map(|at| (at / 1000) as u8).collect::<Vec<u8>>());
        let first = Gathering::beginning_of(stream(30_000), 5000).end();
        assert_eq!((first.bytes.len(), first.bytes.last(), first.is_cut), (5000, Some(&4), true));
        let last = Gathering::end_of(stream(100_000), 20_000).end();
        assert!((20_000..=40_000).contains(&last.bytes.len()) && last.is_cut);
        assert_eq!(last.bytes.last(), Some(&99));
        let all = Gathering::end_of(stream(30_000), 20_000).end();
        assert_eq!((all.bytes.len(), all.is_cut), (30_000, false));
    }
}
