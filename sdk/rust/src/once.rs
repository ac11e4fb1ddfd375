//! Runs each benchmark once for `cargo test --benches`, without an engine and without timing. The output has
//! the format of the standard test harness, which other tools parse.

use crate::panics::catch;
use crate::params::Params;
use crate::registry::Suite;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs one case of each benchmark whose name contains one of the words, or of all benchmarks if there are no
/// words. With `--exact`, a word must be the whole name. With `--list`, only prints the names.
pub fn run(define: impl FnOnce(&mut Suite), args: &[String]) -> ExitCode {
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let words: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).collect();
    let mut suite = Suite::default();
    if let Err(failure) = catch(|| define(&mut suite)) {
        say(&format!("the benchmarks could not be defined: {}\n", failure.message));
        return ExitCode::from(101);
    }
    let names: Vec<String> = suite.benchmarks().map(|benchmark| benchmark.spec().name.clone()).collect();
    let chosen = |name: &String| match has("--exact") {
        _ if has("--ignored") => false,
        true => words.is_empty() || words.contains(&name.as_str()),
        false => words.is_empty() || words.iter().any(|word| name.contains(word)),
    };
    let chosen: Vec<usize> = (0..names.len()).filter(|&i| chosen(&names[i])).collect();
    if has("--list") {
        chosen.iter().for_each(|&i| say(&format!("{}: benchmark\n", names[i])));
        return ExitCode::SUCCESS;
    }
    say(&format!("\nrunning {} benchmarks once each, without measuring\n", chosen.len()));
    let (mut passed, mut failed, mut ignored) = (0, 0, 0);
    for &i in &chosen {
        match works(&mut suite, i) {
            Ok(None) => {
                passed += 1;
                say(&format!("test {} ... ok\n", names[i]));
            }
            Ok(Some(reason)) => {
                ignored += 1;
                say(&format!("test {} ... ignored, {reason}\n", names[i]));
            }
            Err(why) => {
                failed += 1;
                say(&format!("test {} ... FAILED\n{why}\n", names[i]));
            }
        }
    }
    let (word, code) = if failed == 0 { ("ok", 0) } else { ("FAILED", 101) };
    let left = names.len() - chosen.len();
    say(&format!(
        "\ntest result: {word}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {left} filtered out\n\n"
    ));
    ExitCode::from(code)
}

fn works(suite: &mut Suite, position: usize) -> Result<Option<String>, String> {
    let benchmark = suite.benchmark(position);
    let whole = |failure: crate::panics::Failure| {
        format!("{}\n{}", failure.message, failure.detail.unwrap_or_default())
    };
    let params: Option<Params> = catch(|| benchmark.spec().cases(&[]).into_iter().next()).map_err(whole)?;
    let Some(params) = params else {
        return Ok(Some("its filter excludes all combinations of parameters".to_owned()));
    };
    catch(|| {
        if let Some(reason) = benchmark.spec().skip.as_ref().and_then(|skip| skip(&params)) {
            return Some(reason);
        }
        benchmark.open(&params);
        benchmark.check();
        benchmark.close();
        None
    })
    .map_err(whole)
}

/// Prints to standard output. Ignores errors such as a closed pipe.
fn say(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}
