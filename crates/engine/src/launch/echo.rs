//! Echo of programs' output to standard error as it arrives (`-v`), line by line, escaped so that it cannot
//! control a terminal or a service that reads the log. This crate writes to standard error only here.

use derny_model::shown;
use std::io::{self, Write};

/// Length above which a line is shown before its end has arrived.
const LONGEST: usize = 4096;

/// One stream of a program.
#[derive(Debug, Default)]
pub struct Echo(Vec<u8>);

impl Echo {
    /// Adds bytes, and shows the lines that they complete.
    pub fn push(&mut self, chunk: &[u8]) {
        for &byte in chunk {
            if byte == b'\n' {
                self.flush();
            } else {
                self.0.push(byte);
                // Never split a character.
                if self.0.len() > LONGEST && byte.is_ascii() {
                    self.flush();
                }
            }
        }
    }

    fn flush(&mut self) {
        line(String::from_utf8_lossy(&self.0).trim_end_matches('\r'));
        self.0.clear();
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            self.flush();
        }
    }
}

/// Shows one line. A closed standard error is not an error.
pub fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", shown::visible(text));
}
