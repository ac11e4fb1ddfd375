//! Checks that the claims of a harness are true, and that it lists no excluded case.

use super::job::Checked;
use super::lab::{Behaviour, Lab};
use super::peer::unexpected;
use derny_protocol::{Answer, Command, Hello, Turn};

pub const CASES: &[Behaviour] = &[
    Behaviour {
        name: "claims-hold",
        title: "Declared verbs and modes work, and other verbs return `unsupported`",
        needs: &[],
        tries: 1,
        act: verbs_and_modes,
    },
    Behaviour {
        name: "counters-are-read",
        title: "Every declared counter has a value in some turn, and the CPU time matches the work",
        needs: &[],
        tries: 3,
        act: counters,
    },
    Behaviour {
        name: "hashes-tell-results",
        title: "Equal results have equal hashes in every process, and different results different hashes",
        needs: &["check", "hash"],
        tries: 1,
        act: hashes,
    },
    Behaviour {
        name: "list-keeps-to-the-filter",
        title: "Excluded combinations of parameters are not listed, with or without given values",
        needs: &[],
        tries: 1,
        act: filter,
    },
];

fn verbs_and_modes(lab: &Lab<'_>) -> Checked {
    let (mut peer, hello) = lab.open("conform/empty", &[])?;
    let verbs = [
        Command::Overhead { iterations: 10, batches: 2 },
        Command::Collect,
        Command::Settle { bytes: None },
        Command::Check,
    ];
    for command in &verbs {
        let verb = command.verb();
        let is_claimed = hello.can.iter().any(|can| can == verb);
        match (peer.ask(command)?, is_claimed) {
            (Answer::Unsupported { .. }, false) => {}
            (_, false) => return Err(format!("`{verb}` is answered, but `can` does not list it")),
            (answer @ (Answer::Failed { .. } | Answer::Unsupported { .. }), true) => {
                return Err(format!("`can` claims {verb}, but {}", unexpected(verb, &answer)));
            }
            (_, true) => {}
        }
    }
    for mode in &hello.modes {
        match peer.try_measure(10, 2, Some(mode))? {
            Answer::Turn(_) => {}
            other => return Err(format!("mode {mode}: {}", unexpected("measure", &other))),
        }
    }
    peer.close()?;
    peer.quit()
}

/// Number of turns in which each counter must be readable at least once.
const TURNS: u32 = 10;
/// Number of turns to try before a wrong processor time of a busy wait counts as an error. Other programs
/// may occupy the processor during a few turns.
const MANY_TURNS: usize = 200;

fn counters(lab: &Lab<'_>) -> Checked {
    let (mut peer, hello) = lab.open("conform/busy", &[("us", "200")])?;
    let mut turns: Vec<Turn> = (0..TURNS).map(|_| peer.measure(10, 2)).collect::<Checked<_>>()?;
    while cpu_time(&hello, &turns).is_err() && turns.len() < MANY_TURNS {
        turns.push(peer.measure(10, 2)?);
    }
    let processor_time = cpu_time(&hello, &turns);
    // Some counters, such as those of a trace, exist only in modes that do not measure time.
    for mode in hello.modes.iter().skip(1) {
        if let Answer::Turn(turn) = peer.try_measure(10, 2, Some(mode))? {
            turns.push(turn);
        }
    }
    peer.close()?;
    peer.quit()?;
    for (index, metric) in hello.metrics.iter().enumerate() {
        let mut values = turns.iter().filter_map(|turn| turn.counters.get(index).copied().flatten());
        let name = &metric.name;
        match values.clone().find(|value| *value < 0.0) {
            _ if values.next().is_none() => {
                return Err(format!(
                    "the counter {name} is declared, but was `-` in each of {} turns",
                    turns.len()
                ));
            }
            Some(value) => return Err(format!("the counter {name} was {value}: a total cannot be negative")),
            None => {}
        }
    }
    processor_time
}

/// Plausible range of the processor time of the waiting thread, as a share of the duration of the busy wait.
/// The minimum also applies to the thread's process.
const BUSY: (f64, f64) = (0.6, 1.3);
/// Minimum ratio of the process's processor time to that of its waiting thread, over all turns. It is
/// below 1 because the two times are not read at the same moment.
const PROCESS: f64 = 0.9;

/// Checks the processor time of a busy wait. The waiting thread uses the processor all the time, unless
/// other programs take it. Its process uses at least as much.
fn cpu_time(hello: &Hello, turns: &[Turn]) -> Checked {
    let values = |name: &str| -> Option<Vec<f64>> {
        let index = hello.metrics.iter().position(|metric| metric.name == name && metric.unit == "ns")?;
        Some(turns.iter().map(|turn| turn.counters[index].unwrap_or(f64::NAN)).collect())
    };
    let shares = |cpu: &[f64]| -> Vec<f64> {
        let timed = turns.iter().map(|turn| turn.times.iter().flatten().sum::<u64>().max(1) as f64);
        cpu.iter().zip(timed).map(|(cpu, timed)| cpu / timed).collect()
    };
    let wrong = |name, shares: &[f64]| {
        let first = shares.first().unwrap_or(&0.0);
        Err(format!("the counter {name} was {first:.2} times the duration of a busy wait"))
    };
    let (thread, process) = (values("cpu"), values("cpu_process"));
    if let Some(shares) = thread.as_deref().map(shares)
        && !shares.iter().any(|share| (BUSY.0..=BUSY.1).contains(share))
    {
        return wrong("cpu", &shares);
    }
    if let Some(shares) = process.as_deref().map(shares)
        && !shares.iter().any(|share| *share >= BUSY.0)
    {
        return wrong("cpu_process", &shares);
    }
    let sum = |values: Vec<f64>| values.into_iter().filter(|ns| !ns.is_nan()).sum::<f64>();
    if let Some((thread, process)) = thread.map(sum).zip(process.map(sum))
        && process < PROCESS * thread
    {
        let share = process / thread;
        return Err(format!("the counter cpu_process was {share:.2} times cpu, although it includes cpu"));
    }
    Ok(())
}

fn hashes(lab: &Lab<'_>) -> Checked {
    let hash = |text: &str| {
        let (mut peer, _) = lab.open("conform/text", &[("text", text)])?;
        let hash = match peer.ask(&Command::Check)? {
            Answer::Checked { hash: Some(hash) } => Ok(hash),
            other => Err(unexpected("check", &other)),
        };
        peer.close()?;
        peer.quit()?;
        hash
    };
    let (first, again, other) = (hash("abc")?, hash("abc")?, hash("abd")?);
    if first != again {
        return Err(format!("the hash of `abc` was {first} in one process and {again} in another"));
    }
    if first == other {
        return Err(format!("the results `abc` and `abd` have the same hash {first}"));
    }
    Ok(())
}

fn filter(lab: &Lab<'_>) -> Checked {
    let (mut peer, _) = lab.start()?;
    let excluded = [("size".to_owned(), "2".to_owned()), ("kind".to_owned(), "b".to_owned())];
    let given: [&[(&str, &[&str])]; 2] = [&[], &[("size", &["2", "5"]), ("kind", &["b"])]];
    for params in given {
        let cases = peer.list(params, false)?;
        let of_benchmark = || cases.iter().filter(|case| case.benchmark == "conform/params");
        if of_benchmark().next().is_none() {
            return Err("no case of conform/params is listed".to_owned());
        }
        let is_excluded = |param: &(String, String)| excluded.contains(param);
        if of_benchmark().any(|case| case.params.iter().all(is_excluded)) {
            return Err(
                "conform/params p.size=2 p.kind=b is listed, but the benchmark excludes it".to_owned()
            );
        }
    }
    peer.quit()
}
