//! Copies the output of programs to standard error as it arrives (`-v`). Lines are escaped, so that they
//! cannot control a terminal or a service that reads the log. This is the only module of the crate that
//! writes to standard error.

use derny_model::shown;
use std::io::{self, Write};

/// Number of bytes after which an incomplete line is shown.
const LONGEST: usize = 4096;

/// Shows the output of a program on one stream. Contains the bytes of the line that is not yet complete.
#[derive(Debug, Default)]
pub struct Echo(Vec<u8>);

impl Echo {
    /// Appends bytes, and shows the lines that are now complete.
    pub fn push(&mut self, chunk: &[u8]) {
        for &byte in chunk {
            if byte == b'\n' {
                self.flush();
            } else {
                self.0.push(byte);
                // Split the line only after an ASCII byte, which cannot be inside a character.
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

/// Shows a line. A closed standard error is ignored.
pub fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", shown::visible(text));
}
