//! Tests `--diagnose`: a separate pass after the measurement, which produces files and lines but no
//! measurement.

#![cfg(unix)]

use crate::place::{Place, TINY};

const BENCH: &str = "import { bench } from 'derny';
const words = Array.from({ length: 200 }, (_, i) => 'word' + i);
bench('join', () => words.map((word) => ({ word })).map((held) => held.word).join(' '));
";

fn node() -> bool {
    std::process::Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn files_and_lines_are_told_and_nothing_is_measured() {
    assert!(node(), "needs node");
    let place = Place::new();
    place.write("derny.toml", "");
    place.write("a.bench.mjs", BENCH);
    let done = place.derny(&[&["run", "--diagnose=gc"][..], &TINY].concat()).expect(0);
    assert!(done.err.contains("gc a/join") && done.err.contains(" ms: "), "{}", done.err);
    let run = place.document()["run"]["id"].as_str().unwrap().to_string();
    let folder = place.root.join(".derny/diagnoses").join(run);
    let text = std::fs::read_to_string(folder.join("gc-0-0/output.txt")).unwrap();
    assert!(text.contains("Scavenge"), "{text}");
    // Two processes were measured. The diagnosed process is not one of them.
    assert_eq!(place.document()["suites"][0]["cases"][0]["variants"][0]["processes"], 2);
    assert!(!done.out.contains("Scavenge"));
    let all = place.derny(&[&["run", "--diagnose"][..], &TINY].concat()).expect(0);
    for name in ["deopt a/join", "gc a/join", "profile a/join", ".cpuprofile"] {
        assert!(all.err.contains(name), "{name}: {}", all.err);
    }
    // Pruning or deleting a run removes its diagnoses, but not those of other runs.
    let second = place.document()["run"]["id"].as_str().unwrap().to_string();
    let other = folder.with_file_name(second);
    place.derny(&["runs", "prune", "--keep", "1"]).expect(0);
    assert!(!folder.exists() && other.exists(), "the older run was pruned");
    std::fs::create_dir(place.root.join(".derny/report")).unwrap();
    place.derny(&["runs", "delete", "last"]).expect(0);
    assert!(!other.exists() && !place.root.join(".derny/report").exists());
}

#[test]
fn what_there_is_none_of_is_told() {
    let place = Place::new();
    let done = place.tiny(&["fake/steady", "--diagnose=deopt"]).expect(0);
    assert!(
        done.err.contains("no SDK of these cases has a diagnosis `deopt`; available: none"),
        "{}",
        done.err
    );
}
