//! `derny-fake-harness`: a harness that speaks the protocol correctly and misbehaves as its arguments say.
//!
//! It replaces the harnesses of all languages in the tests of the engine, and is the reference for testing
//! `derny dev conform`. With `--conform` it has the benchmarks of every conformance program, and each of its
//! faults breaks a rule that some check must detect. `--help` lists the arguments.

mod args;
mod body;
mod catalogue;
mod counters;
mod fault;
mod made_up;
mod misdeed;
mod number;
mod session;
mod wire;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let settings = match args::Settings::parse(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => return say(&message),
    };
    match wire::open() {
        Ok((commands, replies)) => session::Session::new(settings, commands, replies).run(),
        Err(message) => say(&message),
    }
}

fn say(message: &str) -> ExitCode {
    // Errors are ignored, because standard error may be closed.
    let _ = writeln!(std::io::stderr(), "derny-fake-harness: {message}");
    ExitCode::from(2)
}
