//! Built-in benchmark of `derny doctor --noise`, and its harness. The harness is `derny` itself, which
//! `derny` starts with [`ARGUMENT`]. It only implements the protocol and is not an SDK.

use derny_engine::observe::clock;
use derny_protocol::{Case, Collector, Command, End, Hello, MAX_BATCHES, Reply, VERSION};
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::time::Instant;

/// First argument that makes `derny` act as the harness.
pub const ARGUMENT: &str = "__kernel";
/// Name of the only benchmark.
pub const NAME: &str = "kernel";

/// Serves the engine until `quit` or the end of the stream.
pub fn serve() -> io::Result<()> {
    let path = |name: &str| {
        std::env::var_os(name)
            .ok_or_else(|| io::Error::other(format!("{name} is not set: this command is internal to Derny")))
    };
    // The order matters: opening a FIFO blocks until the engine opens its other end.
    let replies = OpenOptions::new().write(true).open(path("DERNY_REPLIES")?)?;
    let commands = BufReader::new(File::open(path("DERNY_COMMANDS")?)?);
    converse(commands, replies)
}

fn converse(commands: impl BufRead, mut replies: impl Write) -> io::Result<()> {
    let mut times = Vec::with_capacity(MAX_BATCHES as usize);
    writeln!(replies, "{}", Reply::Hello(hello()))?;
    for line in commands.lines() {
        let answer = match Command::parse(&line?) {
            Ok(Command::Quit) => break,
            Ok(Command::List { .. }) => {
                let case = Case { benchmark: NAME.to_owned(), ..Case::default() };
                vec![Reply::Case(Box::new(case)), Reply::End(End::default())]
            }
            Ok(Command::Open { benchmark, .. }) if benchmark == NAME => {
                vec![Reply::Opened { thread: None, once: false }]
            }
            Ok(Command::Measure { iterations, batches, within_ns, .. }) => {
                turn(&mut times, iterations, batches.min(MAX_BATCHES), within_ns);
                vec![Reply::Times(times.clone()), Reply::End(End::default())]
            }
            Ok(Command::Close) => vec![Reply::Closed { ops: None, reported: Vec::new(), texts: Vec::new() }],
            Ok(other) => vec![Reply::Unsupported { verb: other.verb().to_owned() }],
            Err(error) => vec![Reply::error(&error.to_string(), None, false)],
        };
        let text: String = answer.iter().map(|reply| format!("{reply}\n")).collect();
        replies.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn hello() -> Hello {
    Hello {
        version: VERSION,
        language: "rust".to_owned(),
        runtime: "derny".to_owned(),
        harness: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        // Everything runs on the main thread, whose id on Linux is the process id.
        thread: cfg!(target_os = "linux").then(std::process::id),
        clock: "instant".to_owned(),
        step_ns: clock::step_ns(),
        can: Vec::new(),
        gives_back: false,
        collector: Collector::None,
        modes: vec!["time".to_owned()],
        metrics: Vec::new(),
        settings: Vec::new(),
        package: Vec::new(),
    }
}

fn turn(times: &mut Vec<u64>, iterations: u64, batches: u32, within_ns: u64) {
    times.clear();
    let start = Instant::now();
    while times.len() < batches as usize {
        let begin = Instant::now();
        kernel(iterations);
        times.push(begin.elapsed().as_nanos() as u64);
        if start.elapsed().as_nanos() >= u128::from(within_ns) {
            break;
        }
    }
}

/// Runs iterations of a hundred dependent integer operations each. An iteration takes about 150 ns and does
/// not access memory.
#[inline(never)]
fn kernel(iterations: u64) {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..iterations {
        for _ in 0..100 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
    }
    black_box(x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_to_the_protocol() {
        let asked = "list\nopen benchmark=kernel\nmeasure iterations=10 batches=3 within=1000000000\ncollect\nclose\nquit\n";
        let mut said = Vec::new();
        converse(asked.as_bytes(), &mut said).unwrap();
        let said = String::from_utf8(said).unwrap();
        let verbs: Vec<&str> = said.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(
            verbs,
            ["derny", "case", "end", "opened", "times", "end", "unsupported", "closed"],
            "{said}"
        );
        assert_eq!(said.lines().nth(4).unwrap().split(' ').count(), 4, "three times: {said}");
    }
}
