//! The conversation between an engine and this program, checked by the protocol's session.

use derny_protocol::{Answer, Case, Command, Session};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

struct Engine {
    child: Child,
    commands: ChildStdin,
    replies: BufReader<ChildStdout>,
    session: Session,
}

impl Engine {
    fn start() -> Self {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_derny-selfbench"))
            .env("DERNY_COMMANDS", "/dev/stdin")
            .env("DERNY_REPLIES", "/dev/stdout")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (commands, replies) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut engine = Self { child, commands, replies, session: Session::new() };
        assert!(matches!(engine.receive(), Answer::Hello(_)));
        engine
    }

    fn receive(&mut self) -> Answer {
        loop {
            let mut line = String::new();
            self.replies.read_line(&mut line).unwrap();
            if let Some(answer) = self.session.receive(line.as_bytes()).unwrap() {
                return answer;
            }
        }
    }

    fn ask(&mut self, command: &Command) -> Answer {
        let line = self.session.send(command).unwrap();
        self.commands.write_all(line.as_bytes()).unwrap();
        self.receive()
    }

    fn cases(&mut self, params: &[(String, Vec<String>)]) -> Vec<Case> {
        match self.ask(&Command::List { params: params.to_vec(), test: false, prepare: None, file: None }) {
            Answer::Cases(cases) => cases,
            other => panic!("{other:?}"),
        }
    }

    fn times(&mut self, command: &Command) -> Vec<u64> {
        match self.ask(command) {
            Answer::Turn(turn) => turn.times.unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_case_is_measured_in_one_process() {
    let mut engine = Engine::start();
    let cases = engine.cases(&[]);
    assert!(cases.len() >= 8, "{cases:?}");
    for case in cases {
        let open = Command::Open { benchmark: case.benchmark.clone(), params: case.params.clone(), at: None };
        assert_eq!(engine.ask(&open), Answer::Opened { thread: None, once: false }, "{case:?}");
        let measure = Command::Measure {
            iterations: 3,
            batches: 5,
            within_ns: u64::MAX,
            lead_ns: 0,
            mode: None,
            hash: false,
        };
        assert_eq!(engine.times(&measure).len(), 5);
        let slow =
            Command::Measure { iterations: 1, batches: 5, within_ns: 0, lead_ns: 0, mode: None, hash: false };
        assert_eq!(engine.times(&slow).len(), 1, "a turn ends when its time has passed");
        assert_eq!(engine.times(&Command::Overhead { iterations: 10, batches: 4 }).len(), 4);
        assert!(matches!(engine.ask(&Command::Close), Answer::Closed { .. }));
    }
    engine.commands.write_all(b"quit\n").unwrap();
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn given_values_replace_its_own_and_mistakes_are_answered() {
    let mut engine = Engine::start();
    let cases = engine.cases(&[("n".to_owned(), vec!["5".to_owned()])]);
    let with_n: Vec<&Case> = cases.iter().filter(|case| !case.params.is_empty()).collect();
    assert!(with_n.len() >= 5 && with_n.iter().all(|case| case.params[0].1 == "5"), "{with_n:?}");
    let unknown = Command::Open { benchmark: "nothing".to_owned(), params: Vec::new(), at: None };
    assert!(matches!(engine.ask(&unknown), Answer::Failed { fatal: false, .. }));
    let without_n = Command::Open { benchmark: "stats/median".to_owned(), params: Vec::new(), at: None };
    assert!(matches!(engine.ask(&without_n), Answer::Failed { fatal: false, .. }));
}
