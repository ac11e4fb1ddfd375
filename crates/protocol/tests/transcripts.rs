//! Tests the parser, printer, session and matcher with every vector and every transcript of the
//! specification.

use derny_protocol::vector::{self, Step, Vector};
use derny_protocol::{Answer, Command, ParseError, ProtocolError, Reply, Session};
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol");
const COUNTERS: usize = 2;

fn specification() -> Vec<Vector> {
    let text = std::fs::read_to_string(Path::new(FOLDER).join("PROTOCOL.md")).unwrap();
    let fences = vector::fences(&text);
    assert!(fences.len() >= 10, "only {} transcripts found", fences.len());
    let name = |line| format!("PROTOCOL.md:{line}");
    fences.into_iter().map(|(line, text)| Vector::parse(&name(line), &text).unwrap()).collect()
}

/// Returns the hello for transcripts of the specification that do not include one.
fn hello() -> String {
    match &specification()[0].steps[0] {
        Step::Expect(line) => line.clone(),
        other => panic!("the first transcript begins with {other:?}"),
    }
}

fn vectors() -> Vec<Vector> {
    vector::ALL.iter().map(|(name, text)| Vector::parse(name, text).unwrap()).collect()
}

fn everything() -> impl Iterator<Item = Vector> {
    vectors().into_iter().chain(specification())
}

/// Returns an example of a line that matches the pattern.
fn concrete(pattern: &str) -> String {
    let line = pattern.replace("{int}", "20412").replace("{float}", "1.5").replace("{any}", "x");
    line.replace("{counters}", "81800 -")
}

#[test]
fn every_file_of_the_folder_is_compiled_in() {
    let mut files: Vec<String> = std::fs::read_dir(Path::new(FOLDER).join("vectors"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let listed: Vec<String> = vector::ALL.iter().map(|(name, _)| format!("{name}.txt")).collect();
    assert_eq!(listed, files);
}

#[test]
fn the_guide_names_cases_that_exist() {
    let guide = std::fs::read_to_string(Path::new(FOLDER).join("IMPLEMENTING.md")).unwrap();
    let kinds = ["hello-", "list-", "open-", "measure-", "count-", "edge-", "quit-", "error-", "hostile-"];
    let named: Vec<&str> = guide
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| kinds.iter().any(|kind| word.starts_with(kind) && word.len() > kind.len()))
        .collect();
    assert!(named.len() >= 8, "{named:?}");
    for name in named {
        // The conformance tests define the behavioural cases. The guide lists them in a table.
        let behaviour = guide.contains(&format!("\n| `{name}` |"));
        assert!(behaviour || vector::ALL.iter().any(|(known, _)| *known == name), "{name}");
    }
}

#[test]
fn every_vector_has_a_title_and_ends_with_quit() {
    for vector in vectors() {
        assert!(!vector.title.is_empty(), "{}", vector.name);
        assert_eq!(vector.steps.last(), Some(&Step::Send("quit".to_owned())), "{}", vector.name);
    }
}

#[test]
fn lines_parse_and_print_back() {
    for vector in everything() {
        for step in &vector.steps {
            let (line, printed) = match step {
                Step::Any => continue,
                Step::Send(line) => match Command::parse(line) {
                    Ok(command) => (line.clone(), command.to_string()),
                    Err(error) => {
                        assert!(!vector.engine_sends, "{}: {line}: {error}", vector.name);
                        continue;
                    }
                },
                Step::Expect(line) => {
                    let line = concrete(line);
                    let reply = Reply::parse(&line)
                        .unwrap_or_else(|error| panic!("{}: {line}: {error}", vector.name));
                    let printed = reply.to_string();
                    assert_eq!(Reply::parse(&printed).unwrap(), reply, "{}", vector.name);
                    (line, printed)
                }
            };
            if vector.canonical {
                assert_eq!(printed, line, "{}", vector.name);
            }
        }
    }
}

#[test]
fn an_engine_can_hold_every_conversation() {
    for vector in everything().filter(|vector| vector.engine_sends) {
        let mut session = Session::new();
        if !vector.greets() {
            session.receive(hello().as_bytes()).unwrap();
        }
        for step in &vector.steps {
            match step {
                Step::Any => {}
                Step::Send(line) => {
                    let command = Command::parse(line).unwrap();
                    let sent = session
                        .send(&command)
                        .unwrap_or_else(|error| panic!("{}: {line}: {error}", vector.name));
                    assert_eq!(sent, format!("{command}\n"));
                }
                Step::Expect(line) => {
                    let received = session.receive(format!("{}\n", concrete(line)).as_bytes());
                    received.unwrap_or_else(|error| panic!("{}: {line}: {error}", vector.name));
                }
            }
        }
        assert!(!session.is_waiting(), "{} leaves a command unanswered", vector.name);
    }
}

#[test]
fn an_engine_refuses_to_make_the_mistakes_of_the_others() {
    for vector in everything().filter(|vector| !vector.engine_sends) {
        let mut session = Session::new();
        session.receive(hello().as_bytes()).unwrap();
        let mut refused = 0;
        // A command that was never sent has no reply.
        let mut sent = false;
        for step in &vector.steps {
            match step {
                Step::Send(line) => {
                    sent = Command::parse(line).is_ok_and(|command| session.send(&command).is_ok());
                    refused += usize::from(!sent);
                }
                Step::Expect(line) if sent => {
                    session.receive(concrete(line).as_bytes()).unwrap();
                }
                Step::Expect(line) => assert!(line.starts_with("error ") || line.starts_with("unsupported ")),
                Step::Any => {}
            }
        }
        assert!(refused > 0, "{} has nothing that an engine never sends", vector.name);
    }
}

#[test]
fn unknown_verbs_are_told_apart_from_malformed_lines() {
    assert_eq!(Command::parse("dance"), Err(ParseError::UnknownVerb("dance".to_owned())));
    assert!(matches!(Command::parse("open"), Err(ParseError::Missing { .. })));
    assert_eq!(Reply::parse("times 1"), Ok(Reply::Times(vec![1])));
    assert_eq!(Command::parse("times 1"), Err(ParseError::UnknownVerb("times".to_owned())));
}

#[test]
fn patterns_match_what_they_stand_for_and_nothing_else() {
    for vector in everything() {
        for step in &vector.steps {
            let Step::Expect(pattern) = step else { continue };
            assert!(vector::matches(pattern, &concrete(pattern), COUNTERS), "{}: {pattern}", vector.name);
            assert!(!vector::matches(pattern, "log message=x", COUNTERS), "{}: {pattern}", vector.name);
        }
    }
    let table = [
        ("times {int} {int}", "times 1 2", true),
        ("times {int} {int}", "times 1", false),
        ("times {int} {int}", "times 1 2 3", false),
        ("times {int}", "times 1.5", false),
        ("times {int}", "times -1", false),
        ("ops {float}", "ops 1e3", true),
        ("ops {float}", "ops nan", false),
        ("end {counters}", "end 1 -", true),
        ("end {counters}", "end 1", false),
        ("end {counters} 42", "end 1 2 42", true),
        ("end {counters} 42", "end 1 2 43", false),
        ("end {counters} hash={any}", "end 1 2 hash=ab", true),
        ("end {counters} hash={any}", "end 1 2", false),
        ("case benchmark=a/b", "case benchmark=a%2Fb line=3", true),
        ("case benchmark=a", "case benchmark=a p.n=1", false),
        ("case benchmark=a p.n=1", "case benchmark=a", false),
        ("case benchmark=a p.n=1 p.m=2", "case benchmark=a p.m=2 p.n=1", false),
        ("error message={any}", "error message=", false),
        ("error message={any}", "error message=x fatal=1", true),
    ];
    for (pattern, line, wanted) in table {
        assert_eq!(vector::matches(pattern, line, COUNTERS), wanted, "{pattern} against {line}");
    }
}

#[test]
fn transcripts_that_are_none_say_where() {
    for (text, line) in [("", 1), ("> list\nx: y\n", 2), ("shape: round\n> list\n", 1), (">list\n", 1)] {
        assert_eq!(Vector::parse("t", text).unwrap_err().line, line, "{text:?}");
    }
}

#[test]
fn the_session_of_the_specification_ends_as_told() {
    let vector = specification().into_iter().find(|vector| vector.steps.iter().any(is_fatal)).unwrap();
    let mut session = Session::new();
    session.receive(hello().as_bytes()).unwrap();
    let mut answers = Vec::new();
    for step in &vector.steps {
        match step {
            Step::Send(line) => drop(session.send(&Command::parse(line).unwrap()).unwrap()),
            Step::Expect(line) => answers.extend(session.receive(line.as_bytes()).unwrap()),
            Step::Any => {}
        }
    }
    assert!(matches!(answers.last(), Some(Answer::Failed { fatal: true, .. })), "{answers:?}");
    assert!(session.is_over());
    assert!(matches!(session.send(&Command::Quit), Err(ProtocolError::OutOfOrder { .. })));
}

fn is_fatal(step: &Step) -> bool {
    matches!(step, Step::Expect(line) if line.ends_with(" fatal=1"))
}
