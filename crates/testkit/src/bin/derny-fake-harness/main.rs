//! `derny-fake-harness`: a harness that follows the protocol, with faults that its arguments request.
//!
//! It replaces the harnesses of all languages in the tests of the engine, and is the reference for testing
//! `derny dev conform`. With `--conform` it has the benchmarks of every conformance program. Each fault
//! breaks a rule that a check must detect. `--help` lists the arguments.

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
    // Ignore errors, because standard error may be closed.
    let _ = writeln!(std::io::stderr(), "derny-fake-harness: {message}");
    ExitCode::from(2)
}
