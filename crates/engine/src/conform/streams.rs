//! Checks that the output of a body stays out of the protocol's streams, and that the process ends when
//! its streams are closed.

use super::job::Checked;
use super::lab::{Behaviour, Lab};

pub const CASES: &[Behaviour] = &[
    Behaviour {
        name: "print-stays-off-the-wire",
        title: "Output of a body goes to the program's own output, not into the stream of replies",
        needs: &[],
        tries: 1,
        act: print,
    },
    Behaviour {
        name: "end-of-file-ends",
        title: "A harness exits when its engine is gone, with or without an open case",
        needs: &[],
        tries: 1,
        act: end_of_file,
    },
];

fn print(lab: &Lab<'_>) -> Checked {
    let (mut peer, _) = lab.open("conform/print", &[])?;
    for _ in 0..2 {
        let turn = peer.measure(10, 5)?;
        let times = turn.times.map_or(0, |times| times.len());
        if times != 5 {
            return Err(format!("the answer for 5 batches contained {times} times"));
        }
    }
    peer.close()?;
    peer.open("conform/empty", &[])?;
    peer.measure(1, 1)?;
    peer.close()?;
    peer.quit()?;
    let (out, error) = peer.printed();
    let least = |line: &str| 100 * line.len() as u64;
    if out < least("times 1 2 3") || error < least("error message=printed fatal=1") {
        return Err(format!(
            "output is missing: 100 calls produced only {out} bytes on standard output and {error} on standard error"
        ));
    }
    Ok(())
}

fn end_of_file(lab: &Lab<'_>) -> Checked {
    let (peer, _) = lab.start()?;
    if !peer.abandon() {
        return Err("the process continued after the end of its commands".to_owned());
    }
    let asynchronous = lab.has_case("conform/async").then_some("conform/async");
    for benchmark in ["conform/empty"].into_iter().chain(asynchronous) {
        let (mut peer, _) = lab.open(benchmark, &[])?;
        peer.measure(10, 2)?;
        if !peer.abandon() {
            return Err(format!(
                "with {benchmark} open, the process continued after the end of its commands"
            ));
        }
    }
    Ok(())
}
