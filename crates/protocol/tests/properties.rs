//! Tests that random messages survive a round trip, and that random damage never causes a panic.

use derny_protocol::{
    Answer, Case, Collector, Command, Direction, End, Hello, Kind, Metric, Reply, Reported, Session, Timing,
    Turn, escape, unescape, vector,
};

/// SplitMix64 (Steele, Lea and Flood, 2014). It is good enough for a seeded test, and needs no dependency.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() { Some(make(self)) } else { None }
    }

    fn many<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    /// Returns a text with many characters that need encoding.
    fn text(&mut self) -> String {
        const PIECES: [&str; 18] = [
            "a", "Z", "7", "%", "=", ",", ":", " ", "\n", "\r", "\0", "\u{7f}", "é", "漢", "🦀", "%41", "-",
            "/",
        ];
        (0..self.below(9)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    fn name(&mut self) -> String {
        format!("n{}", self.text())
    }

    fn float(&mut self) -> f64 {
        loop {
            let value = f64::from_bits(self.next());
            if value.is_finite() {
                return value;
            }
        }
    }

    fn params<T>(&mut self, mut value: impl FnMut(&mut Self) -> T) -> Vec<(String, T)> {
        let names = self.many(4, Self::name);
        names.into_iter().enumerate().map(|(at, name)| (format!("{name}{at}"), value(self))).collect()
    }

    fn metric(&mut self) -> Metric {
        let direction = [Direction::Less, Direction::More, Direction::None][self.below(3)];
        let kind = [Kind::Total, Kind::Level, Kind::Peak, Kind::Rate][self.below(4)];
        Metric { name: self.name(), unit: self.name(), kind, direction, exact: self.flag() }
    }

    fn reported(&mut self) -> Vec<Reported> {
        let mut all: Vec<Reported> = self.many(3, |rng| {
            let (metric, value) = (rng.metric(), rng.float());
            Reported { metric, value }
        });
        all.sort_by(|a, b| a.metric.name.cmp(&b.metric.name));
        all.dedup_by(|a, b| a.metric.name == b.metric.name);
        all
    }

    fn command(&mut self) -> Command {
        let small = |rng: &mut Self| u32::try_from(rng.next() >> 40).unwrap();
        match self.below(11) {
            0 => {
                let values = |rng: &mut Self| [vec![rng.text()], rng.many(3, Self::text)].concat();
                Command::List {
                    params: self.params(values),
                    test: self.flag(),
                    prepare: self.maybe(Self::name),
                    file: self.maybe(Self::name),
                }
            }
            1 => Command::Open {
                benchmark: self.text(),
                params: self.params(Self::text),
                at: self.maybe(Self::text),
            },
            2 => Command::Measure {
                iterations: self.next(),
                batches: small(self),
                within_ns: self.next(),
                lead_ns: self.next(),
                mode: self.maybe(Self::text),
                hash: self.flag(),
            },
            3 => Command::Overhead { iterations: self.next(), batches: small(self) },
            4 => Command::Check,
            5 => Command::Collect,
            6 => Command::Close,
            7 => Command::Report { text: self.text(), more: self.flag() },
            8 => Command::Result { json: self.text(), more: self.flag() },
            9 => Command::Settle { bytes: self.maybe(Self::next) },
            _ => Command::Quit,
        }
    }

    fn hello(&mut self) -> Hello {
        Hello {
            version: 1,
            language: self.text(),
            runtime: self.text(),
            harness: self.text(),
            pid: 9,
            thread: self.maybe(|_| 3),
            clock: self.text(),
            step_ns: self.next(),
            can: self.many(3, Self::text),
            gives_back: self.flag(),
            collector: [Collector::None, Collector::Counted, Collector::Untold][self.below(3)],
            modes: self.many(3, Self::text),
            metrics: self.many(3, Self::metric),
            package: self.many(3, Self::text),
            settings: self.many(3, |rng| (rng.name().replace('=', "_"), rng.text())),
        }
    }

    fn case(&mut self) -> Case {
        Case {
            benchmark: self.text(),
            params: self.params(Self::text),
            timing: if self.flag() { Timing::Loop } else { Timing::SelfTimed },
            again: self.flag(),
            scale: self.maybe(Self::text),
            runner: self.maybe(Self::text),
            args: self.many(3, Self::text),
            env: self.many(3, |rng| (rng.name().replace('=', "_"), rng.text())),
            max_iterations: self.maybe(Self::next),
            max_batches: self.maybe(|rng| rng.below(1 << 32) as u32),
            fresh: self.flag(),
            ops: self.maybe(Self::float),
            unit: self.maybe(Self::text),
            bytes: self.maybe(Self::float),
            items: self.maybe(Self::float),
            threads: self.maybe(|_| 4),
            isolate: self.flag(),
            parent: self.flag(),
            prepared: self.maybe(Self::name),
            about_ns: self.maybe(Self::next),
            timeout_ns: self.maybe(Self::next),
            least_batch_ns: self.maybe(Self::next),
            count_ns: self.maybe(Self::next),
            at: self.maybe(Self::text),
            suite: self.maybe(Self::text),
            printed: self.maybe(Self::text),
            skip: self.maybe(Self::text),
            error: self.maybe(Self::text),
            detail: self.maybe(Self::text),
            metrics: self.many(3, Self::metric),
            group: self.maybe(Self::text),
            tags: self.many(3, Self::text),
            file: self.maybe(Self::text),
            line: self.maybe(|_| 77),
        }
    }

    fn reply(&mut self) -> Reply {
        match self.below(15) {
            0 => Reply::Hello(self.hello()),
            1 => Reply::Case(Box::new(self.case())),
            2 => Reply::End(End {
                counters: self.many(5, |rng| rng.maybe(Self::float)),
                hash: self.maybe(Self::text),
                pending: self.flag(),
                thread: self.maybe(|rng| rng.below(1 << 32) as u32),
                reported: self.reported(),
            }),
            3 => Reply::Opened { thread: self.maybe(|_| 5), once: self.maybe(|_| true).is_some() },
            4 => Reply::Skip { reason: self.text() },
            5 => Reply::Checked { hash: self.maybe(Self::text) },
            6 => Reply::Times(self.many(300, Self::next)),
            7 => Reply::NoTimes,
            8 => Reply::Ops(self.many(20, Self::float)),
            9 => Reply::Collected { ns: self.next() },
            10 => Reply::Closed {
                ops: self.maybe(Self::float),
                reported: self.reported(),
                texts: self.many(2, |rng| (rng.name().replace('=', "_"), rng.text())),
            },
            11 => Reply::Error { message: self.text(), detail: self.maybe(Self::text), fatal: self.flag() },
            12 => Reply::Log { message: self.text() },
            13 => Reply::Settled { ns: self.next() },
            _ => Reply::Unsupported { verb: self.text() },
        }
    }
}

const ROUNDS: usize = 20_000;

#[test]
fn text_comes_back_and_travels_safely() {
    let mut rng = Rng(1);
    for _ in 0..ROUNDS {
        let text = rng.text();
        let encoded = escape(&text);
        assert!(!encoded.bytes().any(|byte| byte <= b' ' || byte == b'=' || byte == 0x7f), "{encoded:?}");
        assert_eq!(unescape(&encoded), Ok(text));
    }
}

#[test]
fn every_character_below_128_comes_back() {
    let all: String = (0..128_u8).map(char::from).collect();
    assert_eq!(unescape(&escape(&all)), Ok(all));
}

#[test]
fn a_long_report_travels_in_pieces() {
    // An encoded space takes three bytes, and a piece must not split a character.
    for text in [" ".repeat(100_000), "\u{20ac}".repeat(50_000), String::new(), "a".repeat(16 * 1024)] {
        let mut whole = String::new();
        let pieces = Command::report(&text);
        for (number, piece) in pieces.iter().enumerate() {
            let line = piece.to_string();
            assert!(line.len() < derny_protocol::MAX_LINE, "{}", line.len());
            let Ok(Command::Report { text, more }) = Command::parse(&line) else { panic!("{line}") };
            assert_eq!(more, number + 1 < pieces.len());
            whole.push_str(&text);
        }
        assert_eq!(whole, text);
    }
    assert!(matches!(Command::result("{}")[..], [Command::Result { more: false, .. }]));
}

#[test]
fn messages_come_back() {
    let mut rng = Rng(2);
    for _ in 0..ROUNDS {
        let command = rng.command();
        assert_eq!(Command::parse(&command.to_string()).as_ref(), Ok(&command), "{command}");
        let reply = rng.reply();
        assert_eq!(Reply::parse(&reply.to_string()).as_ref(), Ok(&reply), "{reply}");
    }
}

fn damage(rng: &mut Rng, line: &str) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len().max(1)).min(bytes.len());
        match rng.below(5) {
            0 => bytes.insert(at, b" =%,:-.\n\0\xff9e"[rng.below(12)]),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 if at < bytes.len() => bytes[at] = u8::try_from(rng.below(256)).unwrap(),
            3 => bytes.truncate(at),
            _ => bytes.extend_from_within(at..),
        }
    }
    bytes
}

#[test]
fn damaged_lines_never_panic_and_what_parses_is_stable() {
    let mut rng = Rng(3);
    let mut refused = 0;
    for _ in 0..ROUNDS {
        let line = if rng.flag() { rng.command().to_string() } else { rng.reply().to_string() };
        let damaged = String::from_utf8_lossy(&damage(&mut rng, &line)).into_owned();
        match (Command::parse(&damaged), Reply::parse(&damaged)) {
            (Ok(command), _) => {
                assert_eq!(Command::parse(&command.to_string()).as_ref(), Ok(&command), "{damaged:?}");
            }
            (_, Ok(reply)) => {
                assert_eq!(Reply::parse(&reply.to_string()).as_ref(), Ok(&reply), "{damaged:?}")
            }
            (Err(_), Err(_)) => refused += 1,
        }
        let _ = vector::matches(&damaged, &line, 2);
        let _ = vector::Vector::parse("damaged", &damaged);
    }
    assert!(refused > ROUNDS / 10, "only {refused} lines were refused: the damage does none");
}

/// Passes mostly correct answers to a session, and checks its guarantees.
#[test]
fn sessions_survive_anything_and_let_no_lie_through() {
    let mut rng = Rng(4);
    let mut turns = 0;
    for _ in 0..2_000 {
        let mut session = Session::new();
        let mut asked = 0;
        let mut honest =
            vec!["derny 1 language=c runtime=c harness=1 pid=1 clock=c step_ns=1 metrics=cpu:ns"];
        while !session.is_over() {
            if !session.is_waiting() {
                let command = likely_command(&mut rng);
                if session.send(&command).is_ok() {
                    honest = answer(&command);
                    asked = if let Command::Measure { batches, .. } = command { batches as usize } else { 0 };
                }
                continue;
            }
            assert!(session.send(&Command::Quit).is_err(), "a command went out before the last was answered");
            let line = match rng.below(40) {
                0 => rng.reply().to_string().into_bytes(),
                1 => damage(&mut rng, honest[0]),
                2 => honest[honest.len() - 1].as_bytes().to_vec(),
                _ if honest.len() > 1 => honest.remove(0).as_bytes().to_vec(),
                _ => honest[0].as_bytes().to_vec(),
            };
            match session.receive(&line) {
                Ok(Some(Answer::Turn(turn))) => {
                    turns += usize::from(asked > 0);
                    check_turn(&turn, asked);
                }
                Ok(_) => {}
                Err(_) => assert!(session.is_over()),
            }
        }
    }
    assert!(turns > 1_000, "{turns} turns: the test reaches nothing");
}

fn check_turn(turn: &Turn, asked: usize) {
    assert_eq!(turn.counters.len(), 1);
    let times = turn.times.as_ref().map_or(0, Vec::len);
    assert!(0 < times && (asked == 0 || times <= asked));
    assert!(turn.ops.as_ref().is_none_or(|ops| ops.len() == times));
}

fn likely_command(rng: &mut Rng) -> Command {
    match rng.below(20) {
        0 => rng.command(),
        1 => Command::List { params: Vec::new(), test: false, prepare: None, file: None },
        2 => Command::Close,
        3..7 => Command::Open { benchmark: "a".into(), params: Vec::new(), at: None },
        _ => {
            let batches = u32::try_from(1 + rng.below(3)).unwrap();
            Command::Measure { iterations: 1, batches, within_ns: 1, lead_ns: 0, mode: None, hash: false }
        }
    }
}

/// Returns the lines of a correct answer. The last line may be repeated.
fn answer(command: &Command) -> Vec<&'static str> {
    match command {
        Command::List { .. } | Command::Expand { .. } => vec!["case benchmark=b", "end"],
        Command::Open { .. } => vec!["opened"],
        Command::Check => vec!["checked"],
        Command::Measure { batches: 2, .. } => vec!["times 5 6", "ops 1 2", "end 1"],
        Command::Measure { .. } | Command::Overhead { .. } => vec!["times 5", "end 1"],
        Command::Collect => vec!["collected ns=1"],
        Command::Settle { .. } => vec!["settled ns=1"],
        Command::Close | Command::Quit | Command::Report { .. } | Command::Result { .. } => vec!["closed"],
    }
}
