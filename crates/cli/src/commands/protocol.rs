//! `derny dev protocol`: the engine's lines of a conversation, to be piped into a harness.

use crate::args::{ProtocolArgs, ProtocolVerb, SendArgs};
use crate::output::{Destination, Form};
use derny_model::problem;
use derny_protocol::{Command, MAX_BATCHES};
use derny_workbench::config::units;
use derny_workbench::{Outcome, Result};

pub fn protocol(args: &ProtocolArgs) -> Result<Outcome> {
    let ProtocolVerb::Send(args) = &args.verb;
    let mut text = String::new();
    for command in conversation(args)? {
        text.push_str(&format!("{command}\n"));
    }
    Destination::stdout().write_as(Form::Data, &text)?;
    Ok(Outcome::Done)
}

fn conversation(args: &SendArgs) -> Result<Vec<Command>> {
    if args.iterations == 0 || args.batches == 0 || args.batches > MAX_BATCHES {
        return Err(problem!("a turn needs at least 1 iteration, and 1 to {MAX_BATCHES} batches").into());
    }
    let within_ns = units::duration_ns(&args.within).map_err(|why| problem!("{why}").place("--within"))?;
    let (iterations, batches) = (args.iterations, args.batches);
    let measure = Command::Measure { iterations, batches, within_ns, lead_ns: 0, mode: None, hash: false };
    let mut commands = Vec::new();
    if args.cases.is_empty() {
        commands.push(Command::List { params: Vec::new(), test: false, prepare: None, file: None });
    }
    for case in &args.cases {
        commands.push(open(case)?);
        commands.extend(args.check.then_some(Command::Check));
        commands.extend(args.collect.then_some(Command::Collect));
        commands.extend((0..args.turns).map(|_| measure.clone()));
        commands.extend(args.overhead.then_some(Command::Overhead { iterations, batches }));
        commands.push(Command::Close);
    }
    commands.push(Command::Quit);
    Ok(commands)
}

/// Parses `benchmark key=value key=value`, as printed by `derny list -f plain` without the suite. The name
/// may contain spaces. Parameters start at the first word with an equals sign.
fn open(case: &str) -> Result<Command> {
    let words: Vec<&str> = case.split(' ').collect();
    let first = words.iter().position(|word| word.contains('=')).unwrap_or(words.len());
    let benchmark = words[..first].join(" ");
    if benchmark.is_empty() {
        return Err(problem!("`{case}` has no benchmark name").remedy("write 'benchmark key=value'").into());
    }
    let mut params: Vec<(String, String)> = Vec::new();
    for word in &words[first..] {
        match (word.split_once('='), params.last_mut()) {
            (Some((key, value)), _) if !key.is_empty() => params.push((key.to_string(), value.to_string())),
            (_, Some((_, value))) => value.push_str(&format!(" {word}")),
            _ => return Err(problem!("`{case}`: `{word}` is not key=value").into()),
        }
    }
    Ok(Command::Open { benchmark, params, at: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_keep_their_blanks() {
        let pair = |key: &str, value: &str| (key.to_string(), value.to_string());
        let opened = |text: &str| match open(text).unwrap() {
            Command::Open { benchmark, params, .. } => (benchmark, params),
            other => panic!("{other}"),
        };
        assert_eq!(opened("url/parse"), ("url/parse".into(), vec![]));
        assert_eq!(
            opened("two words n=1 text=a b c"),
            ("two words".into(), vec![pair("n", "1"), pair("text", "a b c")])
        );
        assert_eq!(opened("x n="), ("x".into(), vec![pair("n", "")]));
        assert!(open("n=1").is_err() && open("x =1").is_err());
    }
}
