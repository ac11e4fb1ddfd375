//! Compressed files, which some tools write by themselves.

use crate::ReadError;
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// How a compressed file begins.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// More than this is not taken from a compressed file: a small one can hold any amount.
const MOST: u64 = 1 << 28;

/// The content of a file that may be compressed with gzip; of another the file as it is.
///
/// # Errors
/// It is damaged or cut, or it holds more than 256 MB.
pub fn inflated(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadError> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut content = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(MOST + 1).read_to_end(&mut content);
    read.map_err(|error| ReadError::whole(format!("it is a damaged gzip file: {error}")))?;
    if content.len() as u64 > MOST {
        return Err(ReadError::whole("the gzip file holds more than 256 MB"));
    }
    Ok(Cow::Owned(content))
}
