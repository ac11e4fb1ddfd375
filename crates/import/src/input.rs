//! The files to import, and the files that belong to them.

use crate::ReadError;

/// A file to import.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Content of the file. Empty for a folder.
    pub bytes: &'a [u8],
    /// File name without folders. Some formats put the date there.
    pub name: &'a str,
    /// Related files: those of a folder, or those that a format reads in addition to a file.
    pub parts: &'a [Part],
}

/// A related file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Path within the folder, with slashes.
    pub path: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

impl<'a> Input<'a> {
    pub(crate) fn text(&self) -> Result<&'a str, ReadError> {
        std::str::from_utf8(self.bytes).map_err(|error| {
            let line = self.bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            ReadError::at(line, "it is not UTF-8 text")
        })
    }

    /// Returns the text before the first invalid byte, which is enough to recognise a format.
    pub(crate) fn head(&self) -> &'a str {
        let bytes = &self.bytes[..self.bytes.len().min(4096)];
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}
