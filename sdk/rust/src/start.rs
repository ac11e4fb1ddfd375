//! Entry point of a program that the engine, a user or `cargo test` has started.

use crate::registry::Suite;
use crate::wire::Streams;
use crate::{once, session};
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs the benchmarks that `define` defines. [`main!`](crate::main) expands to a call of this function.
/// `package` is the folder of their package, which is needed to locate source files.
pub fn run(package: Option<&str>, define: impl FnOnce(&mut Suite)) -> ExitCode {
    let result = match Streams::from_env() {
        Ok(Some(streams)) => session::speak(streams, define, package).map(|()| ExitCode::SUCCESS),
        Ok(None) => by_a_person(define),
        Err(why) => Err(why),
    };
    result.unwrap_or_else(|why| {
        complain(&why);
        ExitCode::from(2)
    })
}

/// Prints a line to standard error. Ignores errors such as a closed pipe.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "derny-bench: {line}");
}

fn by_a_person(define: impl FnOnce(&mut Suite)) -> Result<ExitCode, String> {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    if has("--list") || has("--test") || (!has("--bench") && is_started_as_a_test()) {
        let words: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        return Ok(once::run(define, &words));
    }
    let program =
        env::current_exe().map_err(|why| format!("cannot determine the path of this program: {why}"))?;
    // All other arguments are for the engine, as in `cargo bench --bench first -- --quick sort`.
    let words = args.iter().filter(|arg| *arg != "--bench");
    let named = env::var_os("DERNY_BIN").filter(|name| !name.is_empty());
    let engine = named.clone().unwrap_or_else(|| OsString::from("derny"));
    let mut command = Command::new(&engine);
    command.arg("run").args(words).arg("--").arg(program);
    replace(&mut command).map_err(|why| match (why.kind(), named) {
        (io::ErrorKind::NotFound, None) => {
            "the engine is not installed: put the `derny` binary on the PATH, or set DERNY_BIN to its path; \
                with `--test`, each benchmark runs once without it"
                .to_owned()
        }
        _ => format!("cannot start {}: {why}", engine.to_string_lossy()),
    })
}

/// Returns true if `cargo test` started the program. `cargo run` sets the same variables, but only tests and
/// benchmarks are in the folder `deps`. Unlike both, `cargo bench` passes `--bench`.
fn is_started_as_a_test() -> bool {
    let path = env::current_exe().unwrap_or_default();
    let is_in_deps = path.parent().and_then(Path::file_name) == Some(OsStr::new("deps"));
    is_in_deps && env::var_os("CARGO_MANIFEST_DIR").is_some()
}

/// Replaces this process with the engine, which then handles signals and sets the exit status.
#[cfg(unix)]
fn replace(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn replace(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().unwrap_or(2);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(2)))
}
