//! What a program says to a person.

use std::io::{self, Write};

/// If standard error is closed, nobody is there to read it.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "derny: {line}");
}
