//! Tests cases that share a process under `--once`, and files that share one in `list`. The output equals
//! that of separate processes, in the same order.

use crate::place::{Events, Place};

/// Returns the number of processes that ran cases to their end, and the results of the cases in the order
/// reported.
fn fates(events: &Events) -> (usize, Vec<(u64, String)>) {
    let ended = events.of("case-ended").into_iter();
    let fate = |event: &serde_json::Value| (event["case"].as_u64().unwrap(), event["reason"].to_string());
    (events.of("process-started").len(), ended.map(fate).collect())
}

#[test]
fn a_process_checks_the_cases_of_a_file() {
    let place = Place::new();
    let checked = |isolation: &[&str]| {
        let args = [isolation, &["--once", "--", "--cases=3"]].concat();
        fates(&place.events(&args))
    };
    let passed: Vec<(u64, String)> = (0..3).map(|case| (case, "\"once\"".to_string())).collect();
    assert_eq!(checked(&[]), (1, passed.clone()));
    assert_eq!(checked(&["--set", "isolation=suite"]), (1, passed.clone()));
    assert_eq!(checked(&["--set", "isolation=case"]), (3, passed));
}

#[test]
fn suite_isolation_holds_in_a_run_and_in_its_plan() {
    let place = Place::new();
    let args = ["--set", "isolation=suite", "--", "--cases=3"];
    let events = place.events(&args);
    assert_eq!(events.of("process-started").len(), 2, "as many as `processes` says");
    assert_eq!(events.of("visit-ended").len(), 6);
    let plan = place.fake(&["run", "--dry-run", "--set", "isolation=suite", "--", "--cases=3"]).expect(0).out;
    assert!(plan.contains("suite"), "{plan}");
}

#[test]
fn cases_are_checked_again_by_themselves_where_one_fails() {
    let place = Place::new();
    for fault in ["throw@check", "exit:3@check", "throw@close", "hang@check"] {
        let fault = format!("--fault={fault}");
        let args = ["--once", "--set=timeout=2s", "--", "--cases=3", &fault, "--fault-case=fake/copy-002"];
        let (processes, ended) = fates(&place.events_ending(&args, 3));
        let reasons: Vec<&str> = ended.iter().map(|(_, reason)| reason.as_str()).collect();
        assert_eq!(reasons, ["\"once\"", "\"failed\"", "\"once\""], "{fault}");
        assert_eq!(processes, 3, "{fault}");
    }
}

fn has_node() -> bool {
    std::process::Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Files, some of which interfere with the others or with the process.
const FILES: [(&str, &str); 6] = [
    ("a", "bench('one', () => 1); bench('two', { isolate: true }, () => 2); bench('three', () => 3);"),
    ("b", "bench('good', () => 1); bench('exits', () => process.exit(3)); bench('after', () => 2);"),
    (
        "c",
        "bench('leaves', () => { globalThis.left = 1; }); \
         bench('hurt', () => { if (globalThis.left) throw new Error('hurt'); });",
    ),
    ("d", "bench('lost', () => 1); process.exit(0);"),
    ("e", "bench('moved', () => 1); process.chdir('/');"),
    ("f", "if (globalThis.left || process.cwd() === '/') throw new Error('spoilt'); bench('last', () => 1);"),
];

fn project() -> Place {
    let place = Place::new();
    for (name, text) in FILES {
        place
            .write(&format!("{name}.bench.cjs"), &format!("const {{ bench }} = require('derny');\n{text}\n"));
    }
    place
}

#[test]
fn what_a_case_does_to_others_is_no_failure_of_theirs() {
    if !has_node() {
        return;
    }
    let place = project();
    let checked = |isolation: &str| {
        let args = ["run", "--once", "-f", "ndjson", "--set", &format!("isolation={isolation}")];
        let events = Events(place.derny(&args).expect(3).lines());
        let cases = events.0[0]["cases"].as_array().unwrap();
        let names: Vec<String> = cases.iter().map(|case| case["id"]["benchmark"].to_string()).collect();
        let (processes, ended) = fates(&events);
        let ended: Vec<(String, String)> =
            ended.into_iter().map(|(case, reason)| (names[case as usize].clone(), reason)).collect();
        (processes, ended)
    };
    let (alone, by_case) = checked("case");
    for isolation in ["auto", "suite"] {
        let (processes, ended) = checked(isolation);
        assert_eq!(ended, by_case, "{isolation}");
        // `a` needs one process less: two of its cases may share one, and the third may not.
        assert_eq!(processes, alone - 1, "{isolation}");
    }
    let failed: Vec<&str> =
        by_case.iter().filter(|(_, reason)| reason == "\"failed\"").map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, ["\"exits\""]);
    assert_eq!(by_case.len(), 10);
}

#[test]
fn a_file_that_spoils_a_listing_spoils_its_own() {
    if !has_node() {
        return;
    }
    let place = project();
    place.write("g.bench.cjs", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);\n");
    let list = |words: &[&str]| {
        let args = [&["list", "-f", "plain"], words].concat();
        place.derny_with(&[("DERNY_TIMEOUT", "5s")], &args)
    };
    let all = list(&[]).expect(3);
    let each: Vec<String> =
        FILES.iter().map(|(name, _)| list(&["--refresh", &format!("{name}.bench.cjs")]).out).collect();
    assert_eq!(all.out, each.concat());
    assert!(
        all.out.contains("moved") && all.out.contains("last") && !all.out.contains("lost"),
        "{}",
        all.out
    );
    assert!(all.err.contains("d.bench.cjs") && all.err.contains("g.bench.cjs"), "{}", all.err);
    assert_eq!(list(&[]).out, all.out);
}
