//! Messages to a user who has started the program.

use std::io::{self, Write};

/// Prints a line to standard error, ignoring errors such as a closed pipe.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "derny: {line}");
}
