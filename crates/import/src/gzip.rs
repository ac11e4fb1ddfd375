//! Compressed files, which some tools write by default.

use crate::ReadError;
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Maximum size of the content in bytes. A small compressed file can expand to any size.
const MOST: u64 = 1 << 28;

/// Returns the content of a gzip file, or the bytes of any other file unchanged.
///
/// # Errors
///
/// Fails if the file is corrupt or truncated, or if it contains more than 256 MB.
pub fn inflated(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadError> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut content = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(MOST + 1).read_to_end(&mut content);
    read.map_err(|error| ReadError::whole(format!("damaged gzip file: {error}")))?;
    if content.len() as u64 > MOST {
        return Err(ReadError::whole("the gzip file contains more than 256 MB"));
    }
    Ok(Cow::Owned(content))
}
