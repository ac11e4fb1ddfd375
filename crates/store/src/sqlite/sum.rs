//! The sum over the bytes of a part, in the four bytes of the file's head that the format leaves to applications. A byte that was changed
//! on the way may still be a time that somebody could have measured.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Where it stands: `application_id`.
const PLACE: std::ops::Range<usize> = 68..72;
const BLOCK: usize = 1 << 16;

/// Writes the sum into a file that has none yet.
pub fn put(file: &Path) -> io::Result<()> {
    let (sum, _) = of(file)?;
    let mut file = File::options().write(true).open(file)?;
    file.seek(SeekFrom::Start(PLACE.start as u64))?;
    file.write_all(&sum.to_be_bytes())
}

/// Whether the bytes of a file are those that were summed up.
pub fn holds(file: &Path) -> io::Result<bool> {
    of(file).map(|(sum, written)| sum == written)
}

/// The sum of all bytes but its own, and what stands there.
fn of(file: &Path) -> io::Result<(u32, u32)> {
    let mut from = File::open(file)?;
    let mut block = vec![0; BLOCK];
    let (mut sum, mut written) = (0u64, [0; 4]);
    let mut is_first = true;
    loop {
        let read = fill(&mut from, &mut block)?;
        if read == 0 {
            return Ok(((sum ^ (sum >> 32)) as u32, u32::from_be_bytes(written)));
        }
        block[read..].fill(0);
        if std::mem::take(&mut is_first) {
            written.copy_from_slice(&block[PLACE]);
            block[PLACE].fill(0);
        }
        // Each step can be undone, so that no single change is lost.
        for word in block[..read.next_multiple_of(8)].chunks_exact(8) {
            let word = word.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
            sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
}

/// Reads until the block is full or the file is over.
fn fill(from: &mut File, block: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < block.len() {
        match from.read(&mut block[read..])? {
            0 => break,
            more => read += more,
        }
    }
    Ok(read)
}
