//! Reads Go's benchmark format, which `go test -bench` and other tools print. Lines contain results,
//! configuration (`key: value`, valid until changed), units, or other output.
//!
//! Each line counts as a process, as in benchstat, because the file does not say which lines share a process.

mod cases;
mod failures;
mod history;
mod line;
mod reader;
mod test2json;
mod units;

use crate::{Foreign, Input, ReadError, TakeResult};
pub(crate) use cases::NO_PACKAGE;
use history::Splitter;
use line::{PREFIX, result, short};
use reader::Reader;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let is_one = |line: &str| {
        line.starts_with(PREFIX) && matches!(result(line), Ok(Some(_))) || failures::is_benchmark(line)
    };
    if !test2json::is_one(input.bytes) {
        return lines(input.bytes).any(is_one);
    }
    test2json::output(input.bytes).is_ok_and(|output| lines(&output).any(is_one))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    if test2json::is_one(input.bytes) {
        // Omit line numbers from the error, because they are not those of the file.
        return printed(&test2json::output(input.bytes)?).map_err(|why| ReadError::whole(why.reason));
    }
    printed(input.bytes)
}

/// Reads the results of each commit and machine.
pub(crate) fn history(input: &Input<'_>, take: TakeResult<'_>) -> Result<(), ReadError> {
    if test2json::is_one(input.bytes) {
        return split(&test2json::output(input.bytes)?, take).map_err(|why| ReadError::whole(why.reason));
    }
    split(input.bytes, take)
}

fn split(bytes: &[u8], take: TakeResult<'_>) -> Result<(), ReadError> {
    let mut splitter = Splitter::default();
    numbered(bytes, |number, line| splitter.take(number, line))?;
    let readers: Vec<Reader<'_>> = splitter.readers().collect();
    readers.iter().try_for_each(|reader| is_complete(reader, bytes))?;
    for reader in readers {
        let mut foreign = cases::foreign(reader);
        history::describe(&mut foreign);
        take(foreign)?;
    }
    Ok(())
}

fn printed(bytes: &[u8]) -> Result<Foreign, ReadError> {
    let mut reader = Reader::default();
    numbered(bytes, |number, line| reader.take(number, line))?;
    is_complete(&reader, bytes)?;
    Ok(cases::foreign(reader))
}

/// Passes each line to `take`, with its number.
fn numbered<'a>(bytes: &'a [u8], mut take: impl FnMut(usize, &'a str)) -> Result<(), ReadError> {
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        match text(line) {
            Some(line) => take(number, line),
            None if line.starts_with(PREFIX.as_bytes()) => {
                return Err(ReadError::at(number, "the result is not UTF-8 text"));
            }
            None => {}
        }
    }
    Ok(())
}

/// Fails if the file was truncated within a result.
fn is_complete(reader: &Reader<'_>, bytes: &[u8]) -> Result<(), ReadError> {
    // If the last line is an incomplete result without a line feed, the file was truncated.
    if let Some((number, line)) = reader.unread.last()
        && bytes.ends_with(line.as_bytes())
        && line.split_ascii_whitespace().count() > 1
    {
        return Err(ReadError::at(
            *number,
            format!("the file is truncated within the result `{}`", short(line)),
        ));
    }
    Ok(())
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &str> {
    bytes.split(|byte| *byte == b'\n').filter_map(text)
}

fn text(line: &[u8]) -> Option<&str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    std::str::from_utf8(line).ok()
}
