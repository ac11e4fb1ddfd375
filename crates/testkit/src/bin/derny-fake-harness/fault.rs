//! The faults, and the points at which they occur.

use crate::number::number;

#[derive(Debug, Clone, PartialEq)]
pub enum What {
    Exit(i32),
    Signal(String),
    Hang,
    Throw,
    Fatal,
    Garbage,
    HalfLine { then_exit: bool },
    LongLine,
    Say(String),
    WrongReply,
    Twice,
    Skip,
    Future,
    FloodStdout(u64),
    FloodStderr(u64),
    Leak(usize),
    SpawnChild(u64),
    DoubleFork(u64),
    LieTimes,
    LieOps,
    LieCounters,
    LieClock,
    LieCalls,
    TimedSetup,
    FullOverhead,
    WirePrint,
    IgnoreQuit,
    FailOnSecondRun,
    BusyWait,
}

#[derive(Debug, Clone, PartialEq)]
pub struct InjectedFault {
    pub what: What,
    /// The verb of a command, or `hello`.
    point: String,
    /// Number of the occurrence at which the fault triggers, from 1. `None` for every occurrence.
    only: Option<u32>,
    seen: u32,
}

const POINTS: [&str; 11] =
    ["hello", "list", "expand", "open", "check", "measure", "overhead", "collect", "settle", "close", "quit"];

impl InjectedFault {
    /// Parses `WHAT[:ARG][@POINT[:N]]`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (what, place) = text.split_once('@').map_or((text, None), |(what, place)| (what, Some(place)));
        let (name, arg) = what.split_once(':').unwrap_or((what, ""));
        let what = kind(name, arg)?;
        let (point, only) = match place.unwrap_or_else(|| usual_point(name)).split_once(':') {
            Some((point, only)) => (point, Some(number("--fault", only)?)),
            None => (place.unwrap_or_else(|| usual_point(name)), None),
        };
        if !POINTS.contains(&point) {
            return Err(format!("--fault={text}: the points are {}", POINTS.join(" ")));
        }
        Ok(Self { what, point: point.to_owned(), only, seen: 0 })
    }

    pub fn strikes(&mut self, point: &str) -> bool {
        if self.point != point {
            return false;
        }
        self.seen += 1;
        self.only.is_none_or(|only| only == self.seen)
    }
}

fn usual_point(name: &str) -> &'static str {
    match name {
        "cannot-hello" | "exit-at-hello" | "future" | "busy-wait" => "hello",
        "ignore-quit" => "quit",
        "full-overhead" => "overhead",
        "spawn-child" | "double-fork" | "skip" => "open",
        _ => "measure",
    }
}

fn kind(name: &str, arg: &str) -> Result<What, String> {
    Ok(match name {
        "exit" => What::Exit(number("exit", arg)?),
        "exit-at-hello" => What::Exit(3),
        "signal" => What::Signal(arg.to_owned()),
        "hang" => What::Hang,
        "throw" => What::Throw,
        "fatal" | "cannot-hello" => What::Fatal,
        "garbage" => What::Garbage,
        "half-line" => What::HalfLine { then_exit: false },
        "half-line-exit" => What::HalfLine { then_exit: true },
        "long-line" => What::LongLine,
        "say" => What::Say(arg.to_owned()),
        "wrong-reply" => What::WrongReply,
        "twice" => What::Twice,
        "skip" => What::Skip,
        "future" => What::Future,
        "flood-stdout" => What::FloodStdout(number("flood-stdout", arg)?),
        "flood-stderr" => What::FloodStderr(number("flood-stderr", arg)?),
        "leak" => What::Leak(number("leak", arg)?),
        "spawn-child" if arg.is_empty() => What::SpawnChild(60),
        "spawn-child" => What::SpawnChild(number("spawn-child", arg)?),
        "double-fork" => What::DoubleFork(number("double-fork", arg)?),
        "lie-times" => What::LieTimes,
        "lie-ops" => What::LieOps,
        "lie-counters" => What::LieCounters,
        "lie-clock" => What::LieClock,
        "lie-calls" => What::LieCalls,
        "timed-setup" => What::TimedSetup,
        "full-overhead" => What::FullOverhead,
        "wire-print" => What::WirePrint,
        "ignore-quit" => What::IgnoreQuit,
        "fail-on-second-run" => What::FailOnSecondRun,
        "busy-wait" => What::BusyWait,
        _ => return Err(format!("unknown fault {name}")),
    })
}
