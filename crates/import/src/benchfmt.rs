//! Reads Go's benchmark format, which `go test -bench` and other tools print. Lines contain results,
//! configuration (`key: value`, valid until changed), units, or other output.
//!
//! Each line counts as a process, as in benchstat, because the file does not say which lines share a process.

mod cases;
mod failures;
mod line;
mod reader;
mod test2json;
mod units;

use crate::{Foreign, Input, ReadError};
pub(crate) use cases::NO_PACKAGE;
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

fn printed(bytes: &[u8]) -> Result<Foreign, ReadError> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        match text(line) {
            Some(line) => reader.take(number, line),
            None if line.starts_with(PREFIX.as_bytes()) => {
                return Err(ReadError::at(number, "the result is not UTF-8 text"));
            }
            None => {}
        }
    }
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
    Ok(cases::foreign(reader))
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &str> {
    bytes.split(|byte| *byte == b'\n').filter_map(text)
}

fn text(line: &[u8]) -> Option<&str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    std::str::from_utf8(line).ok()
}
