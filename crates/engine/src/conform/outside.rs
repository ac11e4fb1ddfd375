//! Checks the harness's process as the system reports it: its identity, memory and idleness.

use super::job::Checked;
use super::lab::{Behaviour, Lab};
use super::peer::Peer;
use crate::observe::memory::Resident;
use std::path::Path;
use std::time::{Duration, Instant};

pub const CASES: &[Behaviour] = &[
    Behaviour {
        name: "hello-names-a-process",
        title: "The first line names an existing process and thread",
        needs: &["linux"],
        tries: 1,
        act: who,
    },
    Behaviour {
        name: "memory-is-flat",
        title: "Resident memory does not grow from 10,000 to 100,000 batches",
        needs: &["linux"],
        tries: 1,
        act: memory,
    },
    Behaviour {
        name: "waiting-costs-nothing",
        title: "A harness that waits for a command uses no processor time",
        needs: &["linux"],
        tries: 1,
        act: waiting,
    },
];

fn who(lab: &Lab<'_>) -> Checked {
    let (mut peer, hello) = lab.start()?;
    let process = format!("/proc/{}", hello.pid);
    if !Path::new(&process).exists() {
        return Err(format!("there is no process {}", hello.pid));
    }
    if let Some(thread) = hello.thread
        && !Path::new(&format!("{process}/task/{thread}")).exists()
    {
        return Err(format!("process {} has no thread {thread}", hello.pid));
    }
    peer.quit()
}

/// Batches in one turn, number of turns for the process to settle, and number of turns between two
/// readings of its memory.
const TURN: (u32, u32, u32) = (1_000, 10, 90);
/// Growth of memory that does not count as a leak: a share of the earlier size, plus a number of bytes.
const GROWTH: (f64, u64) = (0.01, 1 << 20);
/// Number of intervals of 90,000 batches to observe. A leak grows in each of them, but a heap that
/// settles stops growing.
const STRETCHES: u32 = 3;

fn memory(lab: &Lab<'_>) -> Checked {
    let (mut peer, hello) = lab.open("conform/empty", &[])?;
    let take = |turns: u32, peer: &mut Peer<'_>| {
        (0..turns).try_for_each(|_| peer.measure(1, TURN.0).map(drop))?;
        Resident::open(hello.pid)
            .and_then(|memory| memory.bytes())
            .ok_or_else(|| format!("the memory of process {} cannot be read", hello.pid))
    };
    let mut before = take(TURN.1, &mut peer)?;
    let mut grown = 0;
    for _ in 0..STRETCHES {
        let after = take(TURN.2, &mut peer)?;
        grown = after.saturating_sub(before);
        if grown <= (before as f64 * GROWTH.0) as u64 + GROWTH.1 {
            peer.close()?;
            return peer.quit();
        }
        before = after;
    }
    let (batches, kib) = (TURN.0 * TURN.2, grown / 1024);
    Err(format!(
        "the resident memory grew by {kib} KiB in {batches} batches, for the {STRETCHES}rd time in a row"
    ))
}

/// Time for which an idle process is observed, and processor time in ns that the process may use during
/// that time.
const IDLE: (Duration, u64) = (Duration::from_millis(200), 2_000_000);
/// Number of attempts. A runtime may still have work to do after the first commands.
const LOOKS: u32 = 5;

fn waiting(lab: &Lab<'_>) -> Checked {
    let asynchronous = lab.has_case("conform/async").then_some("conform/async");
    for benchmark in ["conform/empty"].into_iter().chain(asynchronous) {
        let (mut peer, hello) = lab.open(benchmark, &[])?;
        peer.measure(10, 2)?;
        let mut used = 0;
        let is_idle = (0..LOOKS).any(|_| {
            let (before, start) = (processor_ns(hello.pid), Instant::now());
            std::thread::sleep(IDLE.0);
            used = processor_ns(hello.pid).saturating_sub(before);
            // The machine may wake this thread late, so the allowance grows with the elapsed time.
            u128::from(used) * IDLE.0.as_nanos() <= u128::from(IDLE.1) * start.elapsed().as_nanos()
        });
        if !is_idle {
            let (us, ms) = (used / 1000, IDLE.0.as_millis());
            return Err(format!("waiting for {ms} ms with {benchmark} open took {us} µs of processor time"));
        }
        peer.close()?;
        peer.quit()?;
    }
    Ok(())
}

/// Returns the current total processor time of all threads of a process, in ns.
fn processor_ns(pid: u32) -> u64 {
    let of = |path: std::path::PathBuf| -> Option<u64> {
        std::fs::read_to_string(path.join("schedstat")).ok()?.split(' ').next()?.parse().ok()
    };
    // A thread that ends before its file is read counts as zero. If the process has ended, the next command
    // fails.
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| of(task.path())).sum()
}
