//! Tests benchmark files of other tools. They are named but never executed, and never lead to "no benchmarks
//! found".

use crate::place::Place;
use derny_engine::discover::sdk::Sdks;

/// Returns a file for each tool that would be found by its name and must not be executed.
fn files() -> Vec<(String, String, String)> {
    let sdks = Sdks::carried();
    let mut files = Vec::new();
    for sdk in sdks.all() {
        for foreign in &sdk.foreign {
            let plain = |glob: &&String| !glob.contains('[');
            let mut globs = foreign.files.iter().chain(sdk.harness.iter().flat_map(|own| &own.files));
            let glob = globs.find(plain).unwrap();
            let file = glob.replace("**/", "some/").replace('*', "theirs");
            // Use the shortest text that matches the pattern.
            let text = foreign.contains[0].replace("... ", "").replace('*', "one");
            files.push((foreign.tool.clone(), file, text));
        }
    }
    assert!(files.len() >= 4, "{files:?}");
    files
}

#[test]
fn a_folder_inside_a_project_belongs_to_it() {
    if std::process::Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let place = Place::new();
    place.write("benchmark/common.js", "");
    let text = "require('derny').bench('mine', () => 1);\n";
    place.write("benchmark/url/url.bench.js", text);
    place.write("dist/url.bench.js", text);
    let listed = place.derny(&["-C", "benchmark/url", "list", "-f", "plain"]);
    assert!(listed.out.contains("mine"), "{}", listed.err);
    assert!(!place.root.join("benchmark/url/.derny").exists() && place.root.join(".derny").exists());
    assert!(!listed.out.contains("dist") && !listed.err.contains("dist"), "{}{}", listed.out, listed.err);
}

#[test]
fn a_file_of_each_tool_is_named() {
    for (tool, file, text) in files() {
        let place = Place::new();
        place.write(&file, &text);
        for args in [&["run"][..], &["list"], &["run", "--once", &file]] {
            let done = place.derny(args).expect(4);
            assert!(done.err.contains(&format!("{file} is a benchmark of {tool}")), "{args:?}: {}", done.err);
            assert!(!done.err.contains("no benchmarks found"), "{}", done.err);
        }
    }
}

#[test]
fn a_file_of_another_tool_is_not_executed_and_ours_beside_it_is() {
    if std::process::Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let place = Place::new();
    let touch = "import pathlib\npathlib.Path('executed').touch()\n\ndef time_x():\n    pass\n";
    for name in ["a", "b", "c", "d", "e"] {
        place.write(&format!("benchmarks/{name}.py"), touch);
    }
    place.write("ours.bench.mjs", "import { bench } from 'derny'; bench('mine', () => 1); // def time_x\n");
    let done = place.derny(&["run", "--once"]).expect(0);
    let note = "benchmarks/a.py, benchmarks/b.py, benchmarks/c.py and 2 more are benchmarks of asv";
    assert!(done.err.contains(note) && done.out.contains("mine"), "{}{}", done.err, done.out);
    assert!(!place.root.join("executed").exists());
    // If Derny's own files are selected, the others are not mentioned.
    let ours = place.derny(&["list", "ours.bench.mjs"]).expect(0);
    assert!(!ours.err.contains("asv"), "{}", ours.err);
    // A suite in derny.toml takes the file as configured.
    place.write("derny.toml", "[suite.s]\nharness = \"python\"\nfiles = [\"benchmarks/a.py\"]\n");
    assert!(!place.derny(&["list"]).err.contains("is a benchmark of"));
}
