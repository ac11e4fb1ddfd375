//! Runs a vector: sends the lines of the engine and compares those of the harness.

use super::job::Checked;
use super::lab::Lab;
use super::peer::{Peer, cut};
use derny_protocol::vector::{Step, Vector, matches};
use derny_protocol::{Hello, Reply};

pub fn play(lab: &Lab<'_>, vector: &Vector) -> Checked {
    let mut peer = lab.launch()?;
    let (first, hello) = greeting(&mut peer)?;
    let mut steps = vector.steps.as_slice();
    if let (true, [Step::Expect(pattern), rest @ ..]) = (vector.greets(), steps) {
        must_match(pattern, &first, hello.metrics.len())?;
        steps = rest;
    }
    let mut may_skip = false;
    for step in steps {
        match step {
            Step::Send(line) => peer.say(line),
            Step::Any => may_skip = true,
            Step::Expect(pattern) => {
                expect(&mut peer, pattern, hello.metrics.len(), std::mem::take(&mut may_skip))?;
            }
        }
    }
    peer.must_end()
}

fn greeting(peer: &mut Peer<'_>) -> Checked<(String, Hello)> {
    let hello = peer.hello()?;
    Ok((Reply::Hello(hello.clone()).to_string(), hello))
}

fn expect(peer: &mut Peer<'_>, pattern: &str, counters: usize, may_skip: bool) -> Checked {
    loop {
        let line = peer.reply().map_err(|why| format!("{why}; expected `{pattern}`"))?;
        let reply = Reply::parse(&line).map_err(|error| format!("`{}`: {error}", cut(&line)))?;
        let is_passed_over =
            may_skip && matches!(reply, Reply::Case(_)) && !matches(pattern, &line, counters);
        if !is_passed_over {
            return must_match(pattern, &line, counters);
        }
    }
}

fn must_match(pattern: &str, line: &str, counters: usize) -> Checked {
    if matches(pattern, line, counters) {
        return Ok(());
    }
    let declared =
        if pattern.contains("{counters}") { format!(" ({counters} declared)") } else { String::new() };
    Err(format!("expected `{pattern}`{declared}, got `{}`", cut(line)))
}
