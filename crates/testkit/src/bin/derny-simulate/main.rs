//! `derny-simulate`: the tables of what the rules make of comparisons whose truth is known.
//!
//!     derny-simulate jmh FOLDER    benchmarks that others have measured, resampled

mod jmh;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let lines = match words.iter().map(String::as_str).collect::<Vec<&str>>()[..] {
        ["jmh", folder] => jmh::table(folder.as_ref()),
        _ => Err("usage: derny-simulate jmh FOLDER".to_owned()),
    };
    match lines {
        Ok(lines) => {
            // Whether anybody reads it is not this program's concern.
            let _ = writeln!(std::io::stdout(), "{}", lines.join("\n"));
            ExitCode::SUCCESS
        }
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "derny-simulate: {message}");
            ExitCode::from(2)
        }
    }
}
