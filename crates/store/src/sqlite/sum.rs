//! The checksum (CRC-32) of a part, in the four bytes of the file header that SQLite reserves for
//! applications. Without it, a byte changed in transit may still decode as a plausible time.

use crc32fast::Hasher;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Position of `application_id` in the file.
const PLACE: std::ops::Range<usize> = 68..72;
const BLOCK: usize = 1 << 16;

pub fn put(file: &Path) -> io::Result<()> {
    let (sum, _) = of(file)?;
    let mut file = File::options().write(true).open(file)?;
    file.seek(SeekFrom::Start(PLACE.start as u64))?;
    file.write_all(&sum.to_be_bytes())
}

pub fn holds(file: &Path) -> io::Result<bool> {
    of(file).map(|(sum, written)| sum == written)
}

/// Returns the checksum of all other bytes, and the stored checksum.
fn of(file: &Path) -> io::Result<(u32, u32)> {
    let mut from = File::open(file)?;
    let mut head = [0; PLACE.end];
    from.read_exact(&mut head)?;
    let mut written = [0; 4];
    written.copy_from_slice(&head[PLACE]);
    let mut sum = Hasher::new();
    sum.update(&head[..PLACE.start]);
    let mut block = vec![0; BLOCK];
    loop {
        match from.read(&mut block)? {
            0 => return Ok((sum.finalize(), u32::from_be_bytes(written))),
            read => sum.update(&block[..read]),
        }
    }
}
