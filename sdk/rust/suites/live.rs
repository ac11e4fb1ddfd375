//! Runs the benchmarks of a framework with the loops of this harness. In a *walk*, the user's code visits one
//! benchmark after the other. Each benchmark calls [`reached`], which runs only the one to open. The loop of
//! that benchmark waits for turns in [`serve`] until the case is closed.
//!
//! To open a case that the walk has already passed, the walk restarts. That requires a `main` of this
//! harness. With a user-defined `main`, each case needs a separate process.

use crate::panics::{catch, Failure};
use crate::turns::{Opened, Order, Turns};
use crate::wire::{Line, Message, Streams};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::panic;
use std::path::Path;
use std::process;

/// Properties of a benchmark that are known before it is called.
#[derive(Debug, Default, Clone)]
pub struct Found {
    pub name: String,
    pub group: Option<String>,
    pub bytes: Option<u64>,
    pub items: Option<u64>,
    pub threads: Option<usize>,
    pub at: Option<(&'static str, u32)>,
}

#[derive(Debug, PartialEq)]
enum Walk {
    /// A command is being answered, or a user started the program.
    Idle,
    /// The cases are being listed. Contains the lines so far.
    Listing(Vec<String>),
    /// The walk is looking for the case with this name.
    Seeking(String),
}

struct Live {
    streams: Streams,
    turns: Turns,
    walk: Walk,
    /// Number of times that each name has occurred in this walk.
    names: BTreeMap<String, usize>,
    /// Remarks for the user. The flag is true if the remark was sent.
    remarks: BTreeMap<String, bool>,
    /// True if `main` belongs to this harness, so that walks can be repeated.
    is_ours: bool,
    /// A panic of code between benchmarks in this walk.
    thrown: Option<Failure>,
    /// True once the open case has reached its loop.
    opened: bool,
    closing: bool,
    quits: bool,
}

thread_local! {
    // Benchmarks are defined and called on the main thread.
    static LIVE: RefCell<Option<Live>> = const { RefCell::new(None) };
}

fn with<T>(f: impl FnOnce(&mut Live) -> T) -> Option<T> {
    // Within a nested loop, the state is already borrowed. Return `None`, so that the loop runs unchanged.
    LIVE.try_with(|live| live.try_borrow_mut().ok().and_then(|mut live| live.as_mut().map(f))).ok().flatten()
}

/// A part of a program: a name, and the function that visits its benchmarks.
pub type Part<'a> = (&'a str, &'a dyn Fn());

pub fn main(parts: &[Part<'_>]) {
    if !begin(true) {
        return alone(parts);
    }
    while let Some(line) = read() {
        answer(&line, parts);
        if with(|live| live.quits).unwrap_or(true) {
            return;
        }
    }
}

/// Runs the parts without an engine. Each loop runs once.
fn alone(parts: &[Part<'_>]) {
    crate::start::complain(
        "this program was built for `derny run`; without it, each benchmark is only called once",
    );
    parts.iter().for_each(|(_, part)| part());
}

/// Begins the conversation. Returns false if no engine started the program.
fn begin(is_ours: bool) -> bool {
    let streams = match Streams::from_env() {
        Ok(Some(streams)) => streams,
        Ok(None) => return false,
        Err(why) => fail(&why),
    };
    let live = Live {
        streams,
        turns: Turns::new(),
        walk: Walk::Idle,
        names: BTreeMap::new(),
        remarks: BTreeMap::new(),
        is_ours,
        thrown: None,
        opened: false,
        closing: false,
        quits: false,
    };
    let hello = live.turns.hello();
    LIVE.with(|cell| *cell.borrow_mut() = Some(live));
    write(hello.unwrap_or_else(|why| fail(&why)));
    true
}

/// Begins the conversation when a user-defined `main` first calls the framework. Answers commands until one
/// of them starts a walk.
pub fn begin_within() {
    if with(|_| ()).is_some() || env::var_os("DERNY_COMMANDS").is_none() || !begin(false) {
        return;
    }
    next_walk();
}

/// Ends the walk when a user-defined `main` calls the framework for the last time.
pub fn end_within() {
    if with(|live| live.is_ours).unwrap_or(true) {
        return;
    }
    finish();
    next_walk();
    // This process cannot walk again, so it ends.
    finish();
    process::exit(0);
}

fn fail(why: &str) -> ! {
    crate::start::complain(why);
    process::exit(2)
}

fn read() -> Option<String> {
    match with(|live| live.streams.read())? {
        Ok(line) => line.filter(|line| Message::verb_of(line) != "quit"),
        Err(why) => fail(&why),
    }
}

fn write(lines: String) {
    if let Some(Err(why)) = with(|live| live.streams.write(lines)) {
        fail(&format!("cannot write replies: {why}"));
    }
}

fn reply(answer: Result<String, Failure>) {
    let line = answer.or_else(|failure| Line::error(&failure.message, failure.detail.as_deref()).finish());
    write(line.unwrap_or_else(|why| fail(&why)));
}

fn refuse(why: &str) {
    reply(Err(Failure::from(why.to_owned())));
}

/// Answers a command while no case is open.
fn answer(line: &str, parts: &[Part<'_>]) {
    if !starts_walk(line) {
        return;
    }
    walk(parts);
    // A case that the walk has passed needs another walk. During that, the engine may request yet another
    // case.
    while with(|live| matches!(live.walk, Walk::Seeking(_))).unwrap_or(false) {
        let sought = with(|live| std::mem::replace(&mut live.opened, false)).unwrap_or_default();
        if !sought {
            break;
        }
        walk(parts);
    }
    finish();
}

/// Begins a walk and returns true, or answers a command that needs none.
fn starts_walk(line: &str) -> bool {
    let verb = Message::verb_of(line);
    let walk = match verb {
        "list" => Ok(Walk::Listing(Vec::new())),
        "open" => Message::parse(line).and_then(|message| message.needed("benchmark")).map(Walk::Seeking),
        "check" | "measure" | "overhead" | "close" => Err(format!("{verb}: no case is open")),
        _ => {
            reply(Line::new("unsupported").field("verb", verb).finish().map_err(Failure::from));
            return false;
        }
    };
    match walk {
        Ok(walk) => with(|live| {
            live.walk = walk;
            live.names.clear();
            live.opened = false;
        })
        .is_some(),
        Err(why) => {
            refuse(&why);
            false
        }
    }
}

/// Reads commands until one starts a walk. Ends the process at the end of the stream.
fn next_walk() {
    loop {
        match read() {
            Some(line) if starts_walk(&line) => return,
            Some(_) => {}
            None => leave(),
        }
    }
}

/// Visits the benchmarks of all parts. A panic outside of benchmarks is reported and ends only its part.
fn walk(parts: &[Part<'_>]) {
    with(|live| {
        live.thrown = None;
        live.names.clear();
    });
    for (name, part) in parts {
        let result = catch(part);
        if with(|live| live.quits).unwrap_or(true) {
            return;
        }
        if let Err(failure) = result {
            failed(name, &failure);
        }
    }
}

fn failed(part: &str, failure: &Failure) {
    let line = Line::new("case").field("benchmark", part).field("error", &failure.message);
    let line = match &failure.detail {
        Some(detail) => line.field("detail", detail.chars().take(2000).collect::<String>()),
        None => line,
    };
    with(|live| match (&mut live.walk, line.finish()) {
        (Walk::Listing(lines), Ok(line)) => lines.push(line),
        // Keep the panic as the reason if a later case is not found.
        _ => live.thrown = Some(failure.clone()),
    });
}

/// Answers the command of a walk that has ended.
fn finish() {
    let Some(walk) = with(|live| std::mem::replace(&mut live.walk, Walk::Idle)) else { return };
    match walk {
        Walk::Idle => {}
        Walk::Seeking(name) => {
            let thrown = with(|live| live.thrown.take()).flatten();
            reply(Err(thrown.unwrap_or_else(|| format!("open: there is no benchmark {name}").into())));
        }
        Walk::Listing(mut lines) => {
            lines.push("end".to_owned());
            write(lines.join("\n"));
        }
    }
}

/// Ends the process from anywhere. If `main` belongs to this harness, unwinds the stack to drop all values of
/// the user's code.
fn leave() -> ! {
    with(|live| live.quits = true);
    if cfg!(panic = "abort") || !with(|live| live.is_ours).unwrap_or(false) {
        process::exit(0);
    }
    panic::resume_unwind(Box::new(()))
}

/// Adds a remark, which is sent to the user once.
pub fn remark(text: &str) {
    with(|live| {
        if !live.remarks.contains_key(text) {
            live.remarks.insert(text.to_owned(), false);
        }
    });
}

/// Sends pending remarks when a case is opened. The engine would not show them earlier.
fn tell_remarks() {
    let left = with(|live| {
        let left: Vec<String> =
            live.remarks.iter().filter(|(_, told)| !**told).map(|(text, _)| text.clone()).collect();
        live.remarks.values_mut().for_each(|told| *told = true);
        left
    });
    for text in left.unwrap_or_default().into_iter().filter(|text| is_new(text)) {
        write(Line::new("log").field("message", text).finish().unwrap_or_default());
    }
}

/// Returns true if no process of this run has sent the remark. Each remark leaves a file in the run's folder.
fn is_new(text: &str) -> bool {
    let Some(folder) = env::var_os("DERNY_SCRATCH") else { return true };
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let mark = Path::new(&folder).join(format!("said-{hash:08x}"));
    let made = OpenOptions::new().write(true).create_new(true).open(mark);
    !matches!(made, Err(why) if why.kind() == ErrorKind::AlreadyExists)
}

/// The ways of handling a benchmark that the walk has reached.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Means {
    Nothing,
    Call,
    Alone,
}

/// Returns a unique name. As in criterion.rs, repeated names get the next free number.
fn unique(names: &mut BTreeMap<String, usize>, name: &str) -> String {
    let mut number = names.get(name).copied().unwrap_or(0) + 1;
    while number > 1 && names.contains_key(&format!("{name} #{number}")) {
        number += 1;
    }
    names.insert(name.to_owned(), number);
    if number == 1 {
        return name.to_owned();
    }
    let own = format!("{name} #{number}");
    names.insert(own.clone(), 1);
    own
}

/// Handles a benchmark that the walk has reached. `call` runs the benchmark.
pub fn reached(found: &Found, call: &mut dyn FnMut()) {
    let means = with(|live| {
        let name = unique(&mut live.names, &found.name);
        let is_ours = live.is_ours;
        match &mut live.walk {
            Walk::Idle => Means::Nothing,
            Walk::Listing(lines) => {
                lines.extend(case(&name, found, is_ours));
                Means::Nothing
            }
            Walk::Seeking(wanted) if *wanted == name => Means::Call,
            Walk::Seeking(_) => Means::Nothing,
        }
    });
    match means.unwrap_or(Means::Alone) {
        Means::Nothing => {}
        Means::Alone => call(),
        Means::Call => visit(found, call),
    }
}

fn visit(found: &Found, call: &mut dyn FnMut()) {
    with(|live| {
        live.walk = Walk::Idle;
        (live.opened, live.closing) = (false, false);
    });
    let result = catch(|| call());
    if with(|live| live.quits).unwrap_or(true) {
        leave();
    }
    let closing = with(|live| live.closing).unwrap_or_default();
    match result {
        Err(failure) => reply(Err(failure)),
        Ok(()) if closing => reply(Ok("closed".to_owned())),
        Ok(()) => refuse(&format!("open: {} never calls a loop of its Bencher", found.name)),
    }
    loop {
        match read() {
            None => leave(),
            Some(line) if Message::verb_of(&line) == "open" => {
                let names = with(|live| std::mem::take(&mut live.names)).unwrap_or_default();
                let starts = starts_walk(&line);
                // Continue with this walk. If the next case has passed, another walk follows.
                with(|live| {
                    live.names = names;
                    live.opened = true;
                });
                if starts {
                    return;
                }
            }
            Some(line) if Message::verb_of(&line) == "list" => {
                refuse("list: only allowed before the first open")
            }
            Some(line) => _ = starts_walk(&line),
        }
    }
}

fn case(name: &str, found: &Found, is_ours: bool) -> Option<String> {
    let mut line = Line::new("case").field("benchmark", name);
    for (key, value) in [("bytes", found.bytes), ("items", found.items)] {
        line = match value.filter(|value| *value > 0) {
            Some(value) => line.field(key, value),
            None => line,
        };
    }
    if let Some(threads) = found.threads {
        line = line.field("threads", threads).field("least_batch_ns", 1_000_000);
    }
    if !is_ours {
        line = line.field("isolate", 1);
    }
    if let Some(group) = &found.group {
        line = line.field("group", group);
    }
    if let Some((file, at)) = found.at {
        let package = env::current_dir().ok();
        line = line.field("file", crate::turns::found(file, package.as_deref()).display()).field("line", at);
    }
    line.finish().ok()
}

/// Runs the turns of the open case until it is closed. Without an engine, calls the body once.
pub fn serve(opened: &mut dyn Opened) {
    let Some(already) = with(|live| std::mem::replace(&mut live.opened, true)) else {
        opened.check();
        return;
    };
    // Only the first loop of a benchmark is measured.
    if already {
        return;
    }
    let mut turns = with(|live| std::mem::replace(&mut live.turns, Turns::new())).unwrap_or_else(Turns::new);
    tell_remarks();
    reply(Ok("opened".to_owned()));
    loop {
        let Some(line) = read() else { leave() };
        let verb = Message::verb_of(&line);
        let order = match Message::parse(&line) {
            Ok(message) => message,
            Err(why) => {
                refuse(&why);
                continue;
            }
        };
        match verb {
            "close" => break,
            "check" => reply(turns.check(opened)),
            "measure" => reply(
                Order::measure(&order).map_err(Failure::from).and_then(|order| turns.measure(order, opened)),
            ),
            "overhead" => reply(
                Order::overhead(&order)
                    .map_err(Failure::from)
                    .and_then(|order| turns.overhead(order, opened)),
            ),
            "open" => refuse("open: a case is open already"),
            "list" => refuse("list: only allowed before the first open"),
            _ => reply(Line::new("unsupported").field("verb", verb).finish().map_err(Failure::from)),
        }
    }
    with(|live| {
        live.turns = turns;
        live.closing = true;
    });
}

/// Ends the conversation if a user-defined `main` returns without calling the framework again.
impl Drop for Live {
    fn drop(&mut self) {
        let lines = match std::mem::replace(&mut self.walk, Walk::Idle) {
            Walk::Idle => return,
            Walk::Listing(lines) => {
                lines.into_iter().chain(["end".to_owned()]).collect::<Vec<_>>().join("\n")
            }
            Walk::Seeking(name) => {
                match Line::error(&format!("open: there is no benchmark {name}"), None).finish() {
                    Ok(line) => line,
                    Err(_) => return,
                }
            }
        };
        // Ignore errors, which occur only if the engine has ended.
        let _ = self.streams.write(lines);
    }
}
