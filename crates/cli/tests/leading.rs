//! Tests that turns have a lead only if the case needs one.
#![cfg(unix)]

use crate::place::{Events, Place};

/// A small harness in shell that records its commands. Batches take 20,000 ns. Without a lead, the first ones
/// of a turn take `SLOW` ns more.
const SHELL: &str = r#"#!/bin/sh
for setting in "$@"; do eval "$setting"; done
exec 3<"$DERNY_COMMANDS" 4>"$DERNY_REPLIES"
echo "derny 1 language=${LANGUAGE:-rust} runtime=sh harness=1 pid=$$ clock=none step_ns=1 can= modes=time metrics=gc:count" >&4
while read -r verb rest <&3; do
  case $verb in
    list) echo "case benchmark=b" >&4; echo end >&4 ;;
    open) echo opened >&4 ;;
    measure)
      echo "$rest" >>"$LOG"
      batches=${rest#*batches=}; batches=${batches%% *}; times=; slow=0; left=$batches
      case $rest in *lead=*) ;; *) slow=${SLOW:-0} ;; esac
      while [ "$left" -gt 0 ]; do
        [ $((10 * (batches - left))) -lt "$batches" ] && time=$((20000 + slow)) || time=20000
        times="$times $time"; left=$((left - 1))
      done
      echo "times$times" >&4; echo "end 0" >&4 ;;
    close) echo closed >&4 ;;
    quit) exit 0 ;;
    *) echo "unsupported verb=$verb" >&4 ;;
  esac
done
"#;

struct Seen {
    /// Number of measured turns of each visit.
    measured: Vec<usize>,
    warm_up: usize,
    /// Number of requests with a lead.
    leads: usize,
}

/// Measures two sides with five processes and four rounds each. `words` are further arguments of `run`, and
/// `settings` those of the harness.
fn seen(words: &[&str], settings: &[&str]) -> Seen {
    let place = Place::new();
    let program = place.program("shell.sh", SHELL);
    let log = place.write("log", "");
    let setting = format!("LOG='{}'", log.display());
    let run = [
        "run",
        "-f",
        "ndjson",
        "--budget",
        "60s",
        "--set",
        "processes=5",
        "--set",
        "rounds=4",
        "--set",
        "warmup=0",
    ];
    let end = ["-x", "old@.", "-x", "new@.", "--", program.to_str().unwrap(), &setting];
    let events = Events(place.derny(&[&run, words, &end, settings].concat()).expect(0).lines());
    let turns = events.turns("measured");
    let of = |visit: &&serde_json::Value| turns.iter().filter(|turn| turn["visit"] == visit["visit"]).count();
    let log = place.read("log");
    Seen {
        measured: events.of("visit-started").iter().map(of).collect(),
        warm_up: events.turns("warm-up").len(),
        leads: log.lines().filter(|line| line.contains("lead=")).count(),
    }
}

#[test]
fn a_case_whose_turns_begin_as_they_go_on_has_no_lead() {
    let seen = seen(&[], &[]);
    assert_eq!((seen.warm_up, seen.leads), (0, 0), "the round that was tried counts");
    assert_eq!(seen.measured, [4; 10]);
}

#[test]
fn a_case_whose_turns_begin_slowly_has_a_lead() {
    let seen = seen(&[], &["SLOW=200"]);
    assert_eq!((seen.warm_up, seen.leads), (10, 40), "the round that was tried is warm-up");
    assert_eq!(seen.measured, [4; 10]);
}

#[test]
fn turns_have_a_lead_where_a_round_without_one_could_not_count() {
    let always: [(&[&str], &[&str]); 2] = [(&[], &["LANGUAGE=sh"]), (&["--set", "reject=gc"], &[])];
    for (words, settings) in always {
        let seen = seen(words, settings);
        assert_eq!((seen.warm_up, seen.leads), (0, 40), "{words:?} {settings:?}");
        assert_eq!(seen.measured, [4; 10]);
    }
}
