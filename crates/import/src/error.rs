//! Why a file could not be read.

use std::fmt;

/// A line and a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1; none where the format has no lines.
    pub line: Option<usize>,
    /// What is wrong there, in words.
    pub reason: String,
}

impl ReadError {
    /// At a line, from 1.
    pub(crate) fn at(line: usize, reason: impl Into<String>) -> ReadError {
        ReadError { line: Some(line), reason: reason.into() }
    }

    /// Of the whole file, or of a format without lines.
    pub(crate) fn whole(reason: impl Into<String>) -> ReadError {
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
