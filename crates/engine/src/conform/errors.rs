//! Checks that exceptions are reported completely, and that the process survives them.

use super::job::Checked;
use super::lab::{Behaviour, Lab};
use super::peer::{Peer, unexpected};
use derny_protocol::{Answer, Command, MAX_DETAIL};

pub const CASES: &[Behaviour] = &[Behaviour {
    name: "exceptions-are-told",
    title: "An exception is reported with class, message and stack, ten times in one process",
    needs: &[],
    tries: 1,
    act: exceptions,
}];

fn exceptions(lab: &Lab<'_>) -> Checked {
    let (mut peer, _) = lab.start()?;
    for _ in 0..10 {
        match peer.try_open("conform/throw", &[("at", "setup")])? {
            Answer::Opened { .. } => return Err("a set-up that throws was answered with `opened`".to_owned()),
            answer => is_whole("open", &answer)?,
        }
        peer.open("conform/throw", &[("at", "call")])?;
        let answer = peer.try_measure(3, 2, None)?;
        is_whole("measure", &answer)?;
        peer.close()?;
        peer.open("conform/throw", &[("at", "teardown")])?;
        let answer = peer.ask(&Command::Close)?;
        is_whole("close", &answer)?;
    }
    still_works(&mut peer)?;
    peer.quit()
}

/// Checks that the message contains both the class and the message of the exception, and that the
/// detail has an acceptable length.
fn is_whole(verb: &str, answer: &Answer) -> Checked {
    let Answer::Failed { message, detail, fatal } = answer else { return Err(unexpected(verb, answer)) };
    let detail = detail.as_deref().unwrap_or_default().trim();
    if *fatal {
        return Err(format!("an exception in `{verb}` was reported as fatal"));
    }
    if message.split_whitespace().count() < 2 {
        return Err(format!("the message `{message}` does not name both class and message of the exception"));
    }
    if detail.is_empty() {
        return Err(format!("the error of `{verb}` has no stack trace in its detail"));
    }
    if detail.len() > MAX_DETAIL {
        return Err(format!("the detail has {} bytes, more than {MAX_DETAIL}", detail.len()));
    }
    Ok(())
}

fn still_works(peer: &mut Peer<'_>) -> Checked {
    peer.open("conform/empty", &[])?;
    peer.measure(10, 2)?;
    peer.close()
}
