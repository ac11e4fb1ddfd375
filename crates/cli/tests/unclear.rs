//! Tests cases that are unclear for lack of time. The table names a command that would settle them, and this
//! command settles them.

#![cfg(unix)]

use crate::place::{Done, Place, harness};

const MADE_UP: &str = "--made-up --cost-ns=100000 --noise=1";

const CASES: &str = "--cases=16 --process-noise=0.2";

/// Compares the harness with itself in less time than the first pairs of all cases need.
fn hurried(place: &Place) -> Done {
    let base = format!("base={} {MADE_UP} {CASES}", harness());
    let new = format!("new={} {MADE_UP} {CASES} --changed=fake/copy-001:5", harness());
    let words = ["run", "--seed", "1", "-x", &base, "-x", &new, "--no-progress", "--total", "1s", "--"];
    let cases: Vec<&str> = CASES.split(' ').collect();
    place.fake(&[&words[..], &cases].concat())
}

#[test]
fn the_command_under_a_table_settles_what_it_says() {
    let place = Place::new();
    let first = hurried(&place);
    // On a busy machine, perhaps no case has a pair. On a fast one, perhaps all cases are clear.
    let Some(line) = first.out.lines().find(|line| line.contains("would settle")) else {
        assert!(!first.out.contains(" unclear\n"), "{}", first.out);
        return;
    };
    let command = line.split('`').nth(1).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let [run, resume, total, _] = words[..] else { panic!("{command}") };
    // On a busy machine, the forecast may be too short. More time is always allowed.
    let second = place.derny(&[run, resume, total, "600s", "--no-progress"]).expect(0);
    assert_eq!(open(&second), 0, "{}\n{}", first.out, second.out);
    assert!(second.out.starts_with("1 of 16 slower, worst: fake/copy-001"), "{}", second.out);
    // No case is left that more time could decide.
    let id = resume.split('=').nth(1).unwrap();
    let again = place.derny(&["run", resume, "--total", "9s"]).expect(2);
    assert!(again.err.contains(&format!("run {id} is complete")), "{}", again.err);
}

/// Returns the number of cases that are unclear or were not measured.
fn open(done: &Done) -> usize {
    let unclear = done.out.lines().filter(|line| line.ends_with(" unclear")).count();
    let headline = done.out.lines().next().unwrap_or_default();
    let unmeasured =
        headline.split("; ").find_map(|part| part.strip_suffix(" not measured")?.parse::<usize>().ok());
    unclear + unmeasured.unwrap_or(0)
}
