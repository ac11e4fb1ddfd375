//! What programs print and say, on its way to standard error as it comes (`-v`), a line at a time: nothing in it steers a terminal or a
//! service that reads the log. All that this crate writes to standard error is written here.

use derny_model::shown;
use std::io::{self, Write};

/// A line longer than this is shown before its end has come.
const LONGEST: usize = 4096;

/// One stream of a program.
#[derive(Debug, Default)]
pub struct Echo(Vec<u8>);

impl Echo {
    /// Takes the bytes that came, and shows the lines that they end.
    pub fn push(&mut self, chunk: &[u8]) {
        for &byte in chunk {
            if byte == b'\n' {
                self.flush();
            } else {
                self.0.push(byte);
                // Between two signs.
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

/// Shows one line. A closed standard error is no reason to stop.
pub fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", shown::visible(text));
}
