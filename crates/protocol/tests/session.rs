//! Tests which lines a session accepts, and that it detects every violation.

use derny_protocol::{
    Answer, Case, Command, Direction, Kind, MAX_DETAIL, MAX_LINE, Metric, ParseError, ProtocolError, Reply,
    Reported, Session, Turn, vector,
};

const HELLO: &str =
    "derny 1 language=c runtime=gcc harness=1 pid=1 clock=mono step_ns=1 metrics=cpu:ns,preempted:count";

fn measure(batches: u32) -> Command {
    Command::Measure { iterations: 64, batches, within_ns: 4_000_000, lead_ns: 0, mode: None, hash: false }
}

fn open(name: &str) -> Command {
    Command::Open { benchmark: name.to_owned(), params: Vec::new(), at: None }
}

/// Returns a session with the case `a` open. `case` is its declaration, or `None` for a plain case.
fn opened(case: Option<&str>) -> Session {
    let mut session = Session::new();
    session.receive(HELLO.as_bytes()).unwrap();
    if let Some(line) = case {
        let Ok(Reply::Case(case)) = Reply::parse(line) else { panic!("{line}") };
        session.learn(&case);
    }
    session.send(&open("a")).unwrap();
    assert_eq!(session.receive(b"opened\n"), Ok(Some(Answer::Opened { thread: None, once: false })));
    session
}

/// Passes `lines` to a session as the answer to a turn of three batches.
fn turn(case: Option<&str>, lines: &[&str]) -> Result<Option<Answer>, ProtocolError> {
    let mut session = opened(case);
    session.send(&measure(3)).unwrap();
    let (last, first) = lines.split_last().unwrap();
    for line in first {
        assert_eq!(session.receive(line.as_bytes())?, None, "{line}");
    }
    let answer = session.receive(last.as_bytes());
    assert_eq!(session.is_over(), answer.is_err());
    answer
}

const PLAIN: Option<&str> = None;
const SELF: Option<&str> = Some("case benchmark=a timing=self");
const VALUE: Option<&str> = Some("case benchmark=a metrics=rate:requests/s:more");

fn complete(turn: Turn) -> Result<Option<Answer>, ProtocolError> {
    Ok(Some(Answer::Turn(turn)))
}

#[test]
fn honest_turns() {
    let counters = vec![Some(60.5), None];
    let plain = Turn { times: Some(vec![10, 20, 30]), counters: counters.clone(), ..Turn::default() };
    assert_eq!(turn(PLAIN, &["times 10 20 30", "end 60.5 -"]), complete(plain.clone()));
    let short = Turn { times: Some(vec![10]), hash: Some("a b".to_owned()), ..plain.clone() };
    assert_eq!(turn(PLAIN, &["times 10", "end 60.5 - hash=a%20b later=1"]), complete(short.clone()));
    let moved = Turn { thread: Some(12), ..short.clone() };
    assert_eq!(turn(PLAIN, &["times 10", "end 60.5 - hash=a%20b thread=12"]), complete(moved));
    let pending = Turn { pending: true, ..short };
    assert_eq!(turn(PLAIN, &["times 10", "end 60.5 - pending=1 hash=a%20b"]), complete(pending));
    let level = |name: &str, unit: &str, value| Reported { metric: metric(name, unit, Kind::Level), value };
    let reported = vec![level("ns/op", "ns", 1.5), level("a:b", "B", 1.0)];
    let told = Turn { reported, ..plain.clone() };
    assert_eq!(turn(PLAIN, &["times 10 20 30", "end 60.5 - v.ns%2Fop:ns=1.5 v.a%3Ab:B=1"]), complete(told));
    let timed = Turn { ops: Some(vec![1.0, 2.5, 1e3]), ..plain.clone() };
    assert_eq!(turn(SELF, &["times 10 20 30", "ops 1 2.5 1e3", "end 60.5 -"]), complete(timed));
    let value = Turn { counters: vec![Some(60.5), None, Some(7.0)], ..Turn::default() };
    assert_eq!(turn(VALUE, &["times -", "end 60.5 - 7"]), complete(value.clone()));
    let both = Turn { times: Some(vec![10]), ..value };
    assert_eq!(turn(VALUE, &["times 10", "end 60.5 - 7"]), complete(both));
}

fn metric(name: &str, unit: &str, kind: Kind) -> Metric {
    Metric { name: name.to_owned(), unit: unit.to_owned(), kind, direction: Direction::None, exact: false }
}

#[test]
fn values_that_nobody_declared_close_a_case() {
    let mut session = opened(PLAIN);
    session.send(&Command::Close).unwrap();
    let total = Metric { direction: Direction::Less, exact: true, ..metric("allocs", "count", Kind::Total) };
    let reported = vec![Reported { metric: total, value: 12.0 }];
    let line = b"closed ops=40 texts=case%3D1%2C%202 v.allocs:count:less:exact:total:unheard-of=12";
    let texts = vec![("case".to_owned(), "1, 2".to_owned())];
    assert_eq!(session.receive(line), Ok(Some(Answer::Closed { ops: Some(40.0), reported, texts })));
}

#[test]
fn values_that_nobody_declared_have_a_name_a_unit_and_one_value() {
    for field in [
        "v.a=1",
        "v.:B=1",
        "v.a:=1",
        "v.=1",
        "v.a:B=1 v.a:kB=1",
        "v.a:B=1 v.%61:B=1",
        "v.a:B=nan",
        "v.a:B=inf",
        "v.a:B=",
        "v.a:B:less:more=1",
        "v.a:B:total:peak=1",
    ] {
        for line in [format!("end {field}"), format!("closed {field}")] {
            assert!(Reply::parse(&line).is_err(), "{line}");
        }
    }
}

#[test]
fn counts_that_lie() {
    use ProtocolError as E;
    let table: &[(Option<&str>, &[&str], ProtocolError)] = &[
        (PLAIN, &["times 1 2 3 4"], E::TooManyTimes { asked: 3, got: 4 }),
        (PLAIN, &["times"], E::NoTimes),
        (PLAIN, &["times -"], E::NoTimes),
        (PLAIN, &["times 1 2 3", "end 1"], E::CounterCount { declared: 2, got: 1 }),
        (PLAIN, &["times 1 2 3", "end 1 2 3"], E::CounterCount { declared: 2, got: 3 }),
        (VALUE, &["times -", "end 1 2"], E::CounterCount { declared: 3, got: 2 }),
        (VALUE, &["times -", "ops 1"], E::OpsNotParallel { times: 0, ops: 1 }),
        (SELF, &["times 1 2 3", "ops 1 2"], E::OpsNotParallel { times: 3, ops: 2 }),
        (SELF, &["times 1 2 3", "end 1 2"], E::NoOps),
        (PLAIN, &["times 1", "times 2"], E::Unasked { reply: "times", expected: "`end`" }),
        (SELF, &["times 1", "ops 2", "ops 2"], E::Unasked { reply: "ops", expected: "`end`" }),
        (SELF, &["ops 2"], E::Unasked { reply: "ops", expected: "`times`" }),
        (PLAIN, &["end 1 2"], E::Unasked { reply: "end", expected: "`times`" }),
        (PLAIN, &["closed"], E::Unasked { reply: "closed", expected: "`times`" }),
    ];
    for (case, lines, wanted) in table {
        assert_eq!(turn(*case, lines), Err(wanted.clone()), "{lines:?}");
    }
}

#[test]
fn overhead_has_operations_where_the_body_times_itself() {
    let overhead = Command::Overhead { iterations: 5, batches: 1 };
    let asked = |case| {
        let mut session = opened(case);
        session.send(&overhead).unwrap();
        session.receive(b"times 7").unwrap();
        session
    };
    let mut session = asked(SELF);
    session.receive(b"ops 5").unwrap();
    let Ok(Some(Answer::Turn(turn))) = session.receive(b"end 1 2") else { panic!("{session:?}") };
    assert_eq!((turn.times, turn.ops), (Some(vec![7]), Some(vec![5.0])));
    assert_eq!(asked(SELF).receive(b"end 1 2"), Err(ProtocolError::NoOps));
    assert!(matches!(asked(PLAIN).receive(b"end 1 2"), Ok(Some(Answer::Turn(_)))));
}

#[test]
fn a_listed_case_is_known_without_being_learnt() {
    let mut session = Session::new();
    session.receive(HELLO.as_bytes()).unwrap();
    session.send(&Command::List { params: Vec::new(), test: false, prepare: None, file: None }).unwrap();
    assert_eq!(session.receive(b"case benchmark=a metrics=rate:x"), Ok(None));
    let Ok(Some(Answer::Cases(cases))) = session.receive(b"end") else { panic!() };
    assert_eq!(cases.iter().map(|case| case.metrics.len()).collect::<Vec<_>>(), [1]);
    session.send(&open("a")).unwrap();
    session.receive(b"opened").unwrap();
    session.send(&measure(1)).unwrap();
    session.receive(b"times -").unwrap();
    assert!(session.receive(b"end 1 2 3").is_ok());
}

#[test]
fn a_list_has_no_counters() {
    let mut session = Session::new();
    session.receive(HELLO.as_bytes()).unwrap();
    session.send(&Command::List { params: Vec::new(), test: true, prepare: None, file: None }).unwrap();
    assert_eq!(session.receive(b"end 1"), Err(ProtocolError::CounterCount { declared: 0, got: 1 }));
}

#[test]
fn commands_keep_their_order() {
    let list = Command::List { params: Vec::new(), test: false, prepare: None, file: None };
    let refused = |session: &mut Session, command: &Command| {
        assert!(matches!(session.send(command), Err(ProtocolError::OutOfOrder { .. })), "{command}");
    };
    let mut session = Session::new();
    [&list, &open("a"), &measure(1), &Command::Quit]
        .iter()
        .for_each(|command| refused(&mut session, command));
    session.receive(HELLO.as_bytes()).unwrap();
    [&measure(1), &Command::Check, &Command::Collect, &Command::Settle { bytes: None }, &Command::Close]
        .iter()
        .for_each(|command| refused(&mut session, command));
    session.send(&list).unwrap();
    assert!(session.is_waiting());
    [&list, &Command::Quit].iter().for_each(|command| refused(&mut session, command));
    session.receive(b"end").unwrap();
    session.send(&open("a")).unwrap();
    session.receive(b"opened thread=7").unwrap();
    assert!(session.is_open() && !session.is_waiting());
    [&list, &open("b")].iter().for_each(|command| refused(&mut session, command));
    session.send(&Command::Close).unwrap();
    session.receive(b"closed").unwrap();
    refused(&mut session, &list);
    session.send(&open("b")).unwrap();
    session.receive(b"skip reason=no").unwrap();
    refused(&mut session, &measure(1));
    assert_eq!(session.send(&Command::Quit), Ok("quit\n".to_owned()));
    assert!(session.is_over());
}

#[test]
fn ranges_are_kept_by_the_engine_itself() {
    let mut session = opened(PLAIN);
    for (command, key) in [
        (measure(0), "batches"),
        (measure(4097), "batches"),
        (Command::Overhead { iterations: 0, batches: 1 }, "iterations"),
    ] {
        assert_eq!(session.send(&command), Err(ProtocolError::OutOfRange { key }));
    }
    let mut long = Session::new();
    long.receive(HELLO.as_bytes()).unwrap();
    assert!(matches!(long.send(&open(&"x".repeat(MAX_LINE))), Err(ProtocolError::TooLong { .. })));
    assert!(long.send(&open("a")).is_ok(), "a refused command changes nothing");
}

#[test]
fn errors_leave_the_case_as_the_specification_says() {
    let error = b"error message=TypeError:%20x detail=a%0Ab";
    let failed = Ok(Some(Answer::Failed {
        message: "TypeError: x".into(),
        detail: Some("a\nb".into()),
        fatal: false,
    }));
    let mut session = opened(PLAIN);
    for command in [measure(3), Command::Check, Command::Collect, Command::Settle { bytes: Some(1) }] {
        session.send(&command).unwrap();
        assert_eq!(session.receive(error), failed);
        assert!(session.is_open(), "{command}");
    }
    // The result is the same for a failure in the middle of an answer.
    session.send(&measure(3)).unwrap();
    session.receive(b"times 1").unwrap();
    assert_eq!(session.receive(error), failed);
    session.send(&Command::Close).unwrap();
    assert_eq!(session.receive(error), failed);
    session.send(&open("b")).unwrap();
    assert_eq!(session.receive(error), failed);
    assert!(!session.is_open());
    let unasked = session.receive(error);
    assert!(matches!(unasked, Err(ProtocolError::Unasked { reply: "error", .. })), "{unasked:?}");
}

#[test]
fn a_fatal_error_may_come_at_any_time() {
    let fatal = Ok(Some(Answer::Failed { message: "gone".into(), detail: None, fatal: true }));
    for mut session in [Session::new(), opened(PLAIN)] {
        assert_eq!(session.receive(b"error message=gone fatal=1"), fatal);
        assert!(session.is_over());
    }
}

#[test]
fn details_are_cut() {
    let long = format!("error message=x fatal=1 detail={}", "é".repeat(MAX_DETAIL));
    let Ok(Some(Answer::Failed { detail: Some(detail), .. })) = Session::new().receive(long.as_bytes())
    else {
        panic!()
    };
    assert_eq!(detail.len(), MAX_DETAIL);
    let reply = Reply::error(&" ".repeat(MAX_LINE), Some(&" ".repeat(MAX_LINE)), false);
    assert!(reply.to_string().len() < MAX_LINE);
}

#[test]
fn logs_come_at_any_time_and_answer_nothing() {
    let log = Ok(Some(Answer::Log("hot cache".into())));
    let mut session = opened(PLAIN);
    assert_eq!(session.receive(b"log message=hot%20cache"), log);
    session.send(&measure(1)).unwrap();
    assert_eq!(session.receive(b"log message=hot%20cache"), log);
    session.receive(b"times 1").unwrap();
    assert_eq!(session.receive(b"log message=hot%20cache"), log);
    assert!(matches!(session.receive(b"end 1 2"), Ok(Some(Answer::Turn(_)))));
}

#[test]
fn unsupported_verbs_change_nothing() {
    let mut session = opened(PLAIN);
    session.send(&Command::Collect).unwrap();
    assert_eq!(
        session.receive(b"unsupported verb=collect"),
        Ok(Some(Answer::Unsupported { verb: "collect".into() }))
    );
    assert!(session.is_open() && !session.is_waiting());
    assert!(session.receive(b"unsupported verb=collect").is_err());
}

#[test]
fn lines_that_are_none() {
    let receive = |line: &[u8]| Session::new().receive(line);
    assert_eq!(receive(b"\xff\xfe"), Err(ProtocolError::NotUtf8));
    assert_eq!(receive(&vec![b'x'; MAX_LINE]), Err(ProtocolError::TooLong { bytes: MAX_LINE + 1 }));
    let longest = [b"log message=".as_slice(), &vec![b'x'; MAX_LINE - 13], b"\n"].concat();
    assert_eq!(longest.len(), MAX_LINE);
    assert!(receive(&longest).is_ok());
    assert_eq!(receive(b"\n"), Err(ParseError::Empty.into()));
    assert_eq!(receive(b"closed"), Err(ProtocolError::Unasked { reply: "closed", expected: "`derny`" }));
    assert_eq!(receive(b"hello"), Err(ParseError::UnknownVerb("hello".into()).into()));
    assert_eq!(receive(b"log message=a\r\n"), Err(ParseError::Control(b'\r').into()));
    let newer = HELLO.replacen('1', "2", 1);
    assert_eq!(receive(newer.as_bytes()), Err(ProtocolError::Version { theirs: 2 }));
    let mut greeted = Session::new();
    greeted.receive(HELLO.as_bytes()).unwrap();
    assert!(matches!(greeted.receive(HELLO.as_bytes()), Err(ProtocolError::Unasked { .. })));
}

#[test]
fn a_case_keeps_its_parts() {
    let line = "case benchmark=a p.z=1 p.a=2 args=--x%3D1,-y env=A%3Db%3Dc,E%3D ops=2.5 threads=2 isolate=1 metrics=s:B";
    let Ok(Reply::Case(case)) = Reply::parse(line) else { panic!() };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let wanted = Case {
        benchmark: "a".into(),
        params: vec![pair("z", "1"), pair("a", "2")],
        args: vec!["--x=1".into(), "-y".into()],
        env: vec![pair("A", "b=c"), pair("E", "")],
        ops: Some(2.5),
        threads: Some(2),
        isolate: true,
        metrics: case.metrics.clone(),
        ..Case::default()
    };
    assert_eq!(*case, wanted);
}

fn metrics(of: &str, items: &str) -> Option<Vec<Metric>> {
    let line = match of {
        "derny" => format!("derny 1 language=c runtime=c harness=1 pid=1 clock=c step_ns=1 metrics={items}"),
        _ => format!("case benchmark=a metrics={items}"),
    };
    match Reply::parse(&line) {
        Ok(Reply::Hello(hello)) => Some(hello.metrics),
        Ok(Reply::Case(case)) => Some(case.metrics),
        _ => None,
    }
}

#[test]
fn the_words_of_a_metric_come_in_any_order() {
    let metric = |kind, direction, exact| {
        Some(vec![Metric { name: "a".into(), unit: "B".into(), kind, direction, exact }])
    };
    let all = metric(Kind::Peak, Direction::Less, true);
    for words in [
        "peak:less:exact",
        "exact:peak:less",
        "less:exact:peak",
        "less:future:peak::exact",
        "%70eak:less:exact",
    ] {
        assert_eq!(metrics("case", &format!("a:B:{words}")), all, "{words}");
    }
    // The default kind depends on the line.
    assert_eq!(metrics("derny", "a:B"), metric(Kind::Total, Direction::None, false));
    assert_eq!(metrics("case", "a:B"), metric(Kind::Level, Direction::None, false));
    assert_eq!(metrics("case", "a:B:more:total"), metric(Kind::Total, Direction::More, false));
    assert_eq!(metrics("derny", "a:B:rate:none"), metric(Kind::Rate, Direction::None, false));
    for wrong in ["total:level", "peak:less:peak", "less:more", "none:less", "exact:exact", "%4"] {
        assert_eq!(metrics("case", &format!("a:B:{wrong}")), None, "{wrong}");
    }
    for wrong in ["a", "a:", ":B", ""] {
        assert_eq!(metrics("derny", wrong), None, "{wrong}");
    }
}

#[test]
fn a_transcript_takes_the_words_of_a_metric_in_any_order() {
    let matches = |items: &str| {
        vector::matches(
            "case benchmark=a metrics=n:B:level:less:exact",
            &format!("case benchmark=a metrics={items}"),
            0,
        )
    };
    assert!(matches("n:B:less:exact") && matches("n:B:exact:level:less") && matches("n:B:less:exact:future"));
    assert!(
        !matches("n:B:total:less:exact")
            && !matches("n:B:level:less")
            && !matches("n:B:level:less:exact,m:B")
    );
}
