//! `derny-fake-harness`: a harness that speaks the protocol correctly, and misbehaves where its arguments say so.
//!
//! It stands in for the harnesses of all languages in the tests of the engine, and it is the reference that
//! `derny conform` is tested with: with `--conform` it has the benchmarks that every conformance program has, and each of
//! its faults breaks a rule that some case must notice. `--help` lists the arguments.

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
    // Nothing is left to do if standard error is closed.
    let _ = writeln!(std::io::stderr(), "derny-fake-harness: {message}");
    ExitCode::from(2)
}
