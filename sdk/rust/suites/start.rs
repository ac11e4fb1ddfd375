//! Messages of a program for a user.

use std::io::{self, Write};

/// Prints a line. A closed standard error is ignored.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "derny: {line}");
}
