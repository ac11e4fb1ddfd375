//! The error of reading a file.

use std::fmt;

/// The reason why a file cannot be read, with the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// Line number from 1. `None` if the format has no lines.
    pub line: Option<usize>,
    /// The reason, in words.
    pub reason: String,
}

impl ReadError {
    /// Creates an error at a line. Lines are numbered from 1.
    pub(crate) fn at(line: usize, reason: impl Into<String>) -> ReadError {
        ReadError { line: Some(line), reason: reason.into() }
    }

    /// Creates an error that concerns the whole file, or that is in a format without lines.
    pub fn whole(reason: impl Into<String>) -> ReadError {
        ReadError { line: None, reason: reason.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for ReadError {}
