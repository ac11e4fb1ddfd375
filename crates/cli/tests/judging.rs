//! Tests `derny judge`: decisions, sessions, frozen files, checks, receipts and the queue.

#![cfg(unix)]

use crate::place::{Done, Place, SHORT, git, harness};
use serde_json::Value;
use std::time::Duration;

/// Settings of the shortest run that can show a gain at the levels of a session.
const PAIRS: &[&str] =
    &["--set=processes=40", "--set=rounds=4", "--set=warmup=0", "--set=batch-time=200us", "--budget=60s"];

/// Returns a repository whose benchmark takes as many ns as the file `cost` says, and whose file `code` may
/// change without effect.
fn project() -> Place {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\nbench\n");
    place.write(
        "derny.toml",
        "[suite.s]\nharness = { command = './bench' }\nbuild = 'sh build.sh'\n[judge]\nfrozen = ['data/**']\n",
    );
    let build = format!(
        "printf '#!/bin/sh\\nexec %s --cost-ns=%s\\n' '{}' \"$(cat cost)\" > bench\nchmod +x bench\n",
        harness()
    );
    place.write("build.sh", &build);
    place.write("cost", "1000");
    place.write("code", "1");
    place.write("data/input", "1");
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "first"]);
    place
}

/// Judges a candidate. Repeats the call if the answer is `retry`, which is a valid answer on a busy machine.
fn judged(place: &Place, args: &[&str]) -> Done {
    let once = || place.derny(&[&["judge", "steady"], PAIRS, args].concat());
    let is_retry = |done: &Done| {
        ["retry: ", "VERDICT retry", "\"verdict\": \"retry\""].iter().any(|word| done.out.contains(word))
    };
    (0..4).map(|_| once()).find(|done| !is_retry(done)).unwrap_or_else(once)
}

/// Returns the exit code for a candidate that changes these files.
pub fn code(files: &[(&str, &str)], args: &[&str]) -> i32 {
    let place = project();
    files.iter().for_each(|(name, text)| _ = place.write(name, text));
    judged(&place, args).code
}

fn answer(place: &Place, args: &[&str]) -> Value {
    judged(place, &[args, &["-f", "json"]].concat()).json()
}

#[test]
fn a_session_keeps_gains_and_measures_them_afresh() {
    let place = project();
    place.write("cost", "800");
    let first = answer(&place, &["-s", "auto"]);
    assert_eq!((&first["verdict"], &first["ground"]), (&"keep".into(), &"better".into()), "{first}");
    let score = first["score"].as_f64().unwrap();
    assert!(score > 1.1 && score < 1.26, "{score}");
    place.derny(&["judge", "keep", "-s", "auto"]).expect(0);
    // `keep` has kept the candidate that was measured, even if the working tree has changed since.
    place.write("cost", "900");
    let slower = answer(&place, &["-s", "auto"]);
    assert_eq!(slower["verdict"], "discard", "{slower}");
    assert!(slower["base"]["speedup"].as_f64().unwrap() > 1.0, "it is still faster than the base: {slower}");
    assert!(slower["session"]["candidates"].as_u64().unwrap() >= 2, "{slower}");
    assert_eq!(slower["session"]["kept"], 1);
    let last = place.derny(&[&["judge", "final", "steady", "-s", "auto", "-f", "json"], PAIRS].concat());
    let last: Value = serde_json::from_str(&last.expect(0).out).unwrap();
    let speedup = last["base"]["speedup"].as_f64().unwrap();
    assert!(speedup > 1.15 && speedup < 1.35, "{last}");
    let status = place.derny(&["judge", "status"]).expect(0);
    assert!(status.out.contains("candidates, 1 kept, at most 0.05"), "{}", status.out);
}

#[test]
fn the_exit_code_is_0_only_for_keep() {
    let place = project();
    let same = judged(&place, &[]).expect(5);
    assert!(same.out.starts_with("neutral: the candidate has the same files"), "{}", same.out);
    place.write("code", "2");
    let null = judged(&place, &["-f", "metric"]).expect(5);
    assert!(null.out.ends_with("VERDICT neutral\n") && null.out.contains("METRIC speedup="), "{}", null.out);
    place.write("cost", "2000");
    assert!(judged(&place, &[]).expect(1).out.starts_with("discard: the candidate is slower"));
    place.write("cost", "500");
    assert!(judged(&place, &[]).expect(0).out.starts_with("keep: the candidate is faster"));
}

#[test]
fn a_candidate_that_changes_the_benchmark_is_void() {
    let place = project();
    place.write("cost", "500");
    place.write("data/input", "2");
    let void = judged(&place, &["-s", "a"]).expect(5);
    assert!(void.out.starts_with("void: the candidate changes data/input"), "{}", void.out);
    assert!(void.out.contains("0 candidates"), "a void candidate costs no error: {}", void.out);
    judged(&place, &["-s", "a", "--bench-from", "candidate"]).expect(0);
    place.write("data/input", "1");
    place.write("data/new", "1");
    judged(&place, &["-s", "a"]).expect(5);
}

#[test]
fn a_candidate_that_does_not_build_or_fails_its_check_is_discarded() {
    let place = project();
    place.write("cost", "500");
    place.write("build.sh", "echo broken; exit 7\n");
    let unbuilt = judged(&place, &["-s", "a"]).expect(3);
    assert!(unbuilt.out.starts_with("discard:") && unbuilt.out.contains("broken"), "{}", unbuilt.out);
    place.write("build.sh", "sleep 600 & sleep 600\n");
    let hung = judged(&place, &["-s", "a", "--set", "build-timeout=2s"]).expect(3);
    assert!(hung.out.contains("did not end within 2 s (the setting `build-timeout`)"), "{}", hung.out);
    git(&place.root, &["checkout", "-q", "build.sh"]);
    let failing = judged(&place, &["--check", "test $(cat cost) = 1000"]).expect(3);
    assert!(failing.out.contains("fails in the candidate"), "{}", failing.out);
    judged(&place, &["--check", "test -e cost"]).expect(0);
    let useless = judged(&place, &["--check", "false"]).expect(2);
    assert!(useless.err.contains("fails in base too"), "{}", useless.err);
    let hung = judged(&place, &["--check", "test $(cat cost) = 1000 || sleep 600", "--check-limit", "100ms"]);
    assert!(hung.expect(3).out.contains("did not end"));
}

#[test]
fn a_case_that_fails_in_the_candidate_alone_is_its_fault() {
    let place = project();
    place.write(
        "build.sh",
        &format!("printf '#!/bin/sh\\nexec %s --cost-ns=10\\n' '{}' > bench; chmod +x bench\n", harness()),
    );
    git(&place.root, &["commit", "-qam", "second"]);
    place.write(
        "build.sh",
        &format!(
            "printf '#!/bin/sh\\nexec %s --fault=die-in-measure\\n' '{}' > bench; chmod +x bench\n",
            harness()
        ),
    );
    let failing = judged(&place, &[]);
    assert_eq!(failing.code, 3, "{}{}", failing.out, failing.err);
}

#[test]
fn a_receipt_is_checked_against_the_stored_measurements() {
    let place = project();
    place.write("cost", "500");
    let done = judged(&place, &["-f", "json", "-o", "answer.json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    place.derny(&["judge", "verify", "answer.json"]).expect(0);
    place.derny(&["judge", "verify", "last"]).expect(0);
    let forged = place.read("answer.json").replace("\"verdict\": \"keep\"", "\"verdict\": \"neutral\"");
    place.write("forged.json", &forged);
    let refused = place.derny(&["judge", "verify", "forged.json"]).expect(3);
    assert!(
        refused.err.contains("the receipt says neutral, but the stored run says keep"),
        "{}",
        refused.err
    );
    place.write("empty.json", "{}");
    assert!(place.derny(&["judge", "verify", "empty.json"]).expect(2).err.contains("is not a receipt"));
    place.derny(&["judge", "verify", "nothing"]).expect(2);
}

#[test]
fn sessions_refuse_what_does_not_fit() {
    let place = project();
    place.write("cost", "990");
    judged(&place, &["-s", "a"]);
    let none = place.derny(&["judge", "keep", "-s", "b"]).expect(2);
    assert!(none.err.contains("there is no session `b`") && none.err.contains('a'), "{}", none.err);
    git(&place.root, &["commit", "-qam", "second"]);
    let other = judged(&place, &["-s", "a", "-x", "base@HEAD"]).expect(2);
    assert!(other.err.contains("has another base"), "{}", other.err);
    let four = judged(&place, &["-x", "a", "-x", "b", "-x", "c", "-x", "d"]).expect(2);
    assert!(four.err.contains("there are 4 sides"), "{}", four.err);
}

#[test]
fn programs_are_judged_without_a_repository() {
    let place = Place::new();
    let program = |name: &str, cost: u32| {
        place.program(name, &format!("#!/bin/sh\nexec '{}' --cost-ns={cost}\n", harness()));
    };
    program("one", 1000);
    program("two", 500);
    place.write("derny.toml", "[suite.s]\nharness = { command = './one' }\n");
    let sides = ["-s", "p", "-x", "base=./one", "-x", "candidate=./two"];
    let kept = answer(&place, &sides);
    assert_eq!(kept["verdict"], "keep", "{kept}");
    place.derny(&["judge", "keep", "-s", "p"]).expect(0);
    // The session keeps a copy of the program, so that a change of the program does not affect it.
    program("two", 900);
    let slower = answer(&place, &sides);
    assert_eq!(slower["verdict"], "discard", "{slower}");
}

#[test]
fn a_measurement_waits_for_another_one() {
    let place = project();
    place.write("cost", "500");
    let cache = place.root.join("own-cache");
    let start = |args: &[&str]| {
        let mut command = place.command(args);
        command.env_remove("DERNY_NO_QUEUE").env("DERNY_CACHE", &cache);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let long = ["run", "steady", "--set", "processes=2", "--budget", "60s", "--set", "batch-time=50ms"];
    let mut first = start(&long);
    let file = cache.join("measuring");
    while !std::fs::read_to_string(&file).is_ok_and(|text| text == first.id().to_string()) {
        assert!(first.try_wait().unwrap().is_none(), "the first run ended before it was seen");
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = start(&[&["run", "steady"], SHORT].concat());
    let told = String::from_utf8(second.wait_with_output().unwrap().stderr).unwrap();
    first.wait().unwrap();
    assert!(told.contains("waiting for another measurement"), "{told}");
}

#[test]
fn a_candidate_that_is_faster_than_possible_is_void() {
    let place = project();
    let text = place.read("derny.toml") + "at-least = { steady = '700ns' }\n";
    place.write("derny.toml", &text);
    git(&place.root, &["commit", "-qam", "second"]);
    place.write("cost", "500");
    let void = judged(&place, &["-f", "json"]).expect(5).json();
    assert_eq!((&void["verdict"], &void["ground"]), (&"void".into(), &"too-good".into()), "{void}");
    place.write("cost", "800");
    judged(&place, &[]).expect(0);
    place.write("derny.toml", &text.replace("700ns", "soon"));
    git(&place.root, &["commit", "-qam", "third"]);
    place.write("cost", "900");
    assert!(judged(&place, &[]).expect(2).err.contains("at-least"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_candidate_that_skips_calls_is_void() {
    let place = Place::new();
    let sides =
        [format!("base={} --work=500", harness()), format!("candidate={} --work=500 --memo=15", harness())];
    let few = ["--set=processes=8", "--set=rounds=6", "--budget=60s", "--set=warmup=20ms"];
    let words = ["judge", "work", "-x", &sides[0], "-x", &sides[1]];
    let void = place.derny(&[&words[..], &few, &["--", harness()]].concat()).expect(5);
    assert!(void.out.starts_with("void: `fake/work` of the candidate "), "{}", void.out);
    assert!(void.out.contains("score 0.0000"), "{}", void.out);
}

/// Returns a repository with a script that prints a figure. The file `value` contains the figure.
fn printing() -> Place {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\n");
    place.write("value", "100");
    // The digit after the decimal point varies from run to run, so that the figure is not exact.
    place.program(
        "measure.sh",
        "#!/bin/sh\ntest \"$(cat value)\" != none || exit 0\necho \"METRIC qps=$(cat value).$(date +%N | cut -c5)\"\necho METRIC tests=12\n",
    );
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "first"]);
    place
}

fn judged_figure(place: &Place, args: &[&str]) -> Done {
    let figure = ["--metric-from", "metric", "--metric", "qps:higher", "--budget", "60s"];
    let words = [&["judge", "-s", "q"], &figure[..], args, &["--", "./measure.sh"]].concat();
    place.derny(&words)
}

#[test]
fn printed_figures_are_judged_like_times() {
    let place = printing();
    place.write("value", "150");
    let kept = judged_figure(&place, &["-f", "json"]).expect(0).json();
    assert_eq!(kept["verdict"], "keep", "{kept}");
    assert_eq!(kept["cases"][0]["quantity"], "qps");
    let speedup = kept["base"]["speedup"].as_f64().unwrap();
    assert!(speedup > 1.45 && speedup < 1.55, "{kept}");
    place.derny(&["judge", "keep", "-s", "q"]).expect(0);
    place.write("value", "120");
    assert!(judged_figure(&place, &[]).expect(1).out.starts_with("discard: the candidate is slower"));
}

#[test]
fn a_candidate_that_prints_nothing_or_changes_the_script_is_not_judged() {
    let place = printing();
    place.write("value", "none");
    let mute = judged_figure(&place, &[]).expect(3);
    assert!(mute.out.starts_with("discard: the candidate cannot be measured"), "{}", mute.out);
    place.write("value", "150");
    place.program("measure.sh", "#!/bin/sh\necho METRIC qps=1000\n");
    let void = judged_figure(&place, &[]).expect(5);
    assert!(void.out.contains("changes measure.sh"), "{}", void.out);
    // If the base prints nothing either, the candidate is not to blame.
    let place = printing();
    place.program("measure.sh", "#!/bin/sh\necho nothing \"$(cat value)\"\n");
    git(&place.root, &["commit", "-qam", "second"]);
    place.write("value", "150");
    judged_figure(&place, &[]).expect(2);
}
