//! `derny-simulate`: applies each rule to comparisons whose truth is known.
//!
//!     derny-simulate single [RUNS]   one case in every scene
//!     derny-simulate many [RUNS]     families of cases, and gates
//!     derny-simulate shapes [RUNS]   suites with five distributions of process offsets
//!     derny-simulate days [RUNS]     runs on different days
//!     derny-simulate precise [RUNS]  runs without variants, with a target precision
//!     derny-simulate fleet [RUNS]    cases measured on several machines
//!     derny-simulate jmh FOLDER      published JMH benchmarks, resampled

mod days;
mod fleets;
mod jmh;
mod parallel;
mod precise;
mod rows;
mod scenes;
mod shapes;

use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "usage: derny-simulate single|many|shapes|days|precise|fleet [RUNS], or jmh FOLDER";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runs = || words.get(1).map_or(Ok(1000), |word| word.parse().map_err(|_| USAGE.to_owned()));
    let lines = match words.iter().map(String::as_str).collect::<Vec<&str>>()[..] {
        ["jmh", folder] => jmh::table(folder.as_ref()),
        ["single", ..] => runs().map(scenes::single),
        ["many", ..] => runs().map(scenes::many),
        ["shapes", ..] => runs().map(shapes::table),
        ["days", ..] => runs().map(days::table),
        ["fleet", ..] => runs().map(fleets::table),
        ["precise", ..] => runs().map(precise::table),
        _ => Err(USAGE.to_owned()),
    };
    match lines {
        Ok(lines) => {
            // Ignore errors of standard output.
            let _ = writeln!(std::io::stdout(), "{}", lines.join("\n"));
            ExitCode::SUCCESS
        }
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "derny-simulate: {message}");
            ExitCode::from(2)
        }
    }
}
