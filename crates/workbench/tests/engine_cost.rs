//! Checks that the cost of the engine itself does not grow unnoticed.
//!
//! The test measures a fixed comparison of the scripted harness several times. Its times are made up, so
//! the counts (processes, turns, exchanges) are the same on every machine. CPU time per exchange is divided
//! by that of a loop in the same program. The loop sends a line of numbers through `cat` and reads it back.
//! Both use the tenth percentile, so load on the machine does not matter.
//!
//! `engine_cost.toml` contains the figures of the last renewal. The test fails if one of them has grown by
//! half.

#![cfg(target_os = "linux")]

use crate::project::{Project, concluded};
use derny_model::{Accounting, Event, Phase, WorkCounts};
use derny_workbench::config::options::{Selection, Stated};
use derny_workbench::pipeline::{News, RunOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// Number of runs per attempt.
const RUNS: usize = 3;
/// Number of consecutive exchanges whose CPU time is read together.
const SPAN: u32 = 8;
/// Number of spans of the loop to measure next to each run.
const SPANS: u32 = 50;
/// Maximum ratio of a figure to that in the file.
const MOST: f64 = 1.5;
/// Number of attempts. A busy machine may spoil some of them.
const TRIES: usize = 4;
/// Environment variable that makes the test rewrite the file.
const RENEW: &str = "DERNY_RENEW_COSTS";

/// Returns options for two cases with two sides, and at most eight pairs of twelve rounds. Turns take no
/// time, so time ends nothing early.
fn options() -> RunOptions {
    let harness = derny_testkit::program::fake_harness().to_str().unwrap();
    let values =
        [("budget", "600s"), ("processes", "8"), ("rounds", "12"), ("precision", "0.0001%"), ("pin", "none")];
    let command = || vec![harness.to_owned(), "--made-up".to_owned()];
    RunOptions {
        select: Selection {
            patterns: vec!["steady".into(), "fake/sized".into()],
            command: command(),
            ..Selection::default()
        },
        stated: Stated { values: values.map(|(key, value)| (key, value.into())).into(), ..Stated::default() },
        variants: ["old", "new"].map(|name| format!("{name}={harness} --made-up --noise=0.1")).into(),
        stats: true,
        ..RunOptions::default()
    }
}

/// Returns the CPU time of this thread in ns, up to its last sleep.
fn cpu_ns() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_ascii_whitespace().next().unwrap().parse().unwrap()
}

/// Returns how the run spent its time, and the CPU time per measured turn of every span.
fn measured() -> (Accounting, Vec<f64>) {
    let project = Project::new();
    let (mut begin, mut count, mut spans) = (None, 0, Vec::new());
    let ended = project.run(&options(), &mut |news| {
        match news {
            News::Event(Event::Turn(turn)) if turn.phase == Phase::Measured => count += 1,
            // Progress events arrive between rounds and do not interrupt a span.
            News::Event(Event::Progress(_)) => return Ok(()),
            _ => (begin, count) = (None, 0),
        }
        if count % SPAN == 1 {
            let now = cpu_ns();
            spans.extend(begin.map(|begin: f64| (now - begin) / f64::from(SPAN)));
            begin = Some(now);
        }
        Ok(())
    });
    let stats = concluded(ended.unwrap()).document.stats.unwrap();
    (*stats, spans)
}

/// Returns the tenth percentile.
fn low(mut spans: Vec<f64>) -> f64 {
    spans.sort_by(f64::total_cmp);
    spans[spans.len() / 10]
}

/// A `cat` process, with the ends of its pipes.
struct Echo(std::process::Child, ChildStdin, BufReader<ChildStdout>);

impl Echo {
    fn new() -> Echo {
        let mut cat = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (cat.stdin.take().unwrap(), BufReader::new(cat.stdout.take().unwrap()));
        Echo(cat, to, from)
    }

    fn trip(&mut self) -> u64 {
        let numbers: Vec<String> = (0..64).map(|n| (20_000 + n).to_string()).collect();
        writeln!(self.1, "{}", numbers.join(" ")).unwrap();
        let mut line = String::new();
        self.2.read_line(&mut line).unwrap();
        line.split_ascii_whitespace().map(|word| word.parse::<u64>().unwrap()).sum()
    }

    /// Measures [`SPANS`] spans of round trips. Returns the CPU time per round trip of each.
    fn spans(&mut self) -> Vec<f64> {
        let span = |_| {
            let begin = cpu_ns();
            (0..SPAN).for_each(|_| assert!(self.trip() > 0));
            (cpu_ns() - begin) / f64::from(SPAN)
        };
        (0..SPANS).map(span).collect()
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the figures by name, in the order of the file. A count may vary by a warm-up turn between runs,
/// so the smallest one is used.
fn figures() -> Vec<(&'static str, f64)> {
    let mut echo = Echo::new();
    let (mut exchanges, mut trips, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        trips.extend(echo.spans());
        let (stats, spans) = measured();
        exchanges.extend(spans);
        counts.push(stats.counts);
    }
    let least = |of: fn(&WorkCounts) -> u32| counts.iter().map(of).min().map_or(0.0, f64::from);
    let ratio = low(exchanges) / low(trips);
    vec![
        ("processes", least(|counts| counts.processes)),
        ("waves", least(|counts| counts.waves)),
        ("rounds", least(|counts| counts.rounds)),
        ("measured-turns", least(|counts| counts.measured_turns)),
        ("warm-up-turns", least(|counts| counts.warm_up_turns)),
        ("exchanges", least(|counts| counts.exchanges)),
        ("cpu-of-an-exchange", (ratio * 100.0).round() / 100.0),
    ]
}

/// Returns the figures that are more than half above those in the file.
fn grown(kept: &toml::Table) -> Vec<String> {
    let grown = |(name, now): (&str, f64)| {
        let kept = &kept[name];
        let before = kept.as_float().or_else(|| Some(kept.as_integer()? as f64)).unwrap();
        (now > MOST * before).then(|| format!("{name} is {now} and was {before}"))
    };
    figures().into_iter().filter_map(grown).collect()
}

#[test]
fn neither_its_steps_nor_its_cpu_time_have_grown_by_half() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine_cost.toml");
    let text = std::fs::read_to_string(path).unwrap();
    if std::env::var_os(RENEW).is_some() {
        let head = text.lines().take_while(|line| line.starts_with('#')).map(str::to_owned);
        let rows = figures().into_iter().map(|(name, value)| format!("{name} = {value}"));
        return std::fs::write(path, head.chain(rows).collect::<Vec<_>>().join("\n") + "\n").unwrap();
    }
    let kept: toml::Table = text.parse().unwrap();
    // A figure that has really grown has grown in every attempt.
    let mut tries = (0..TRIES).map(|_| grown(&kept));
    let all = tries.try_fold(Vec::new(), |_, grown| if grown.is_empty() { None } else { Some(grown) });
    if let Some(grown) = all {
        panic!(
            "the engine costs more: {}\n  where  {path}\n  try    `derny run --stats` before and after; where it is meant, {RENEW}=1",
            grown.join("; ")
        );
    }
}
