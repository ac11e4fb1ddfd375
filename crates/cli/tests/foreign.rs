//! Files of other tools in and out, and results along a parameter: nothing here measures.

#![cfg(unix)]

mod place;

use place::Place;

/// Rows as compare.js writes them: two configurations, six processes of each binary; the new one is a twentieth slower.
fn compare_csv() -> String {
    let mut text = "\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"\n".to_owned();
    for run in 0..6 {
        for (binary, factor) in [("old", 1.0), ("new", 0.95)] {
            for (n, base) in [(1000, 2_000_000.0), (2000, 1_500_000.0)] {
                let rate = base * factor * (1.0 + 0.002 * f64::from((run * 5 + n / 1000) % 7));
                text.push_str(&format!(
                    "\"{binary}\",\"path/x.js\",\"n={n} ext='a \"\"b\"\"'\",{rate},{:.9}\n",
                    f64::from(n) / rate
                ));
            }
        }
    }
    text
}

fn write(place: &Place, name: &str, text: &str) {
    std::fs::write(place.root.join(name), text).unwrap();
}

#[test]
fn what_compare_js_wrote_comes_back() {
    let place = Place::new();
    write(&place, "old-new.csv", &compare_csv());
    let out = place.derny(&["import", "old-new.csv"]).expect(0);
    assert!(out.out.contains("2 cases, 24 samples of node compare.js (node-compare)"), "{}", out.out);
    assert!(out.err.contains("not known: version of Node.js"), "{}", out.err);
    let shown = place.derny(&["show", "-f", "json"]).expect(0).json();
    assert_eq!(shown["run"]["imported"]["format"], "node-compare");
    assert_eq!(shown["run"]["imported"]["file"], "old-new.csv");
    let exported = place.derny(&["export", "-f", "node-compare"]).expect(0).out;
    let (head, rows) = exported.split_once('\n').unwrap();
    assert_eq!(head, compare_csv().lines().next().unwrap());
    // The same rows; rates to rounding, for times have whole nanoseconds.
    let fields = |text: &str| -> Vec<(String, f64, f64)> {
        let row = |line: &str| {
            let mut parts = line.rsplitn(3, ',');
            let (time, rate) =
                (parts.next().unwrap().parse().unwrap(), parts.next().unwrap().parse().unwrap());
            (parts.next().unwrap().to_owned(), rate, time)
        };
        text.lines().map(row).collect()
    };
    let (ours, theirs) = (fields(rows), fields(compare_csv().split_once('\n').unwrap().1));
    assert_eq!(ours.len(), 24);
    for (our, their) in ours.iter().zip(&theirs) {
        assert_eq!(our.0, their.0);
        assert!((our.1 / their.1 - 1.0).abs() < 1e-9 && (our.2 - their.2).abs() < 2e-9, "{our:?} {their:?}");
    }
    let compared = place.derny(&["compare", "--view", "node"]).expect(0).out;
    assert!(
        compared.contains("path/x.js n=1000 ext='a \"b\"'") && compared.contains("-5.00 %"),
        "{compared}"
    );
    let table = place.derny(&["compare", "-f", "csv"]).expect(0).out;
    assert!(table.matches("worse").count() >= 2, "{table}");
}

#[test]
fn files_without_variants_take_one() {
    let place = Place::new();
    write(&place, "x.csv", &compare_csv());
    place.derny(&["import", "x.csv", "--save", "base"]).expect(0);
    for format in ["node-run", "node-scatter", "benchfella", "rebar3-bench"] {
        let refused = place.derny(&["export", "base", "-f", format]).expect(2);
        assert!(refused.err.contains("--variant NAME"), "{}", refused.err);
        let file = place.root.join(format!("{format}.out"));
        let path = file.display().to_string();
        place.derny(&["export", "base", "-f", format, "--variant", "new", "-o", &path]).expect(0);
        // What was written is read back, as what it is, with the same times.
        place.derny(&["import", &path]).expect(0);
        let back = place.derny(&["show", "-f", "json"]).expect(0).json();
        let cases: Vec<_> =
            back["suites"].as_array().unwrap().iter().flat_map(|s| s["cases"].as_array().unwrap()).collect();
        assert_eq!(cases.len(), 2, "{format}");
        let time = cases[0]["variants"][0]["time"]["typical"]["value"].as_f64().unwrap();
        assert!((time / (1e9 / 1_900_000.0) - 1.0).abs() < 0.02, "{format}: {time}");
    }
    let unknown = place.derny(&["export", "base", "-f", "node-run", "--variant", "nosuch"]).expect(2);
    assert!(unknown.err.contains("known  old, new"), "{}", unknown.err);
    let two = place.derny(&["export", "last", "-f", "node-compare"]).expect(2);
    assert!(two.err.contains("two sides"), "{}", two.err);
}

#[test]
fn bad_files_are_named_and_the_others_are_taken() {
    let place = Place::new();
    write(&place, "good.csv", &compare_csv());
    write(&place, "bad.csv", &compare_csv().replacen(",0.0005", ",never", 1));
    let refused = place.derny(&["import", "bad.csv"]).expect(2);
    assert!(refused.err.contains("line 4") && refused.err.contains("`never"), "{}", refused.err);
    assert!(!place.root.join(".derny").exists(), "nothing of it is stored");
    write(&place, "empty.snapshot", "");
    let taken = place.derny(&["import", "empty.snapshot", "bad.csv", "good.csv"]).expect(3);
    assert!(taken.out.contains("from good.csv") && taken.out.lines().count() == 1, "{}", taken.out);
    assert!(taken.err.contains("not imported: empty.snapshot"), "{}", taken.err);
    assert!(taken.err.contains("not imported: bad.csv"), "{}", taken.err);
    let none = place.derny(&["import", "bad.csv", "empty.snapshot"]).expect(2);
    assert!(none.err.contains("bad.csv") && none.err.contains("empty.snapshot"), "{}", none.err);
    write(&place, "words.txt", "hello\n");
    let nothing = place.derny(&["import", "words.txt"]).expect(2);
    assert!(nothing.err.contains("known  benchfella, rebar3-bench, criterion-json"), "{}", nothing.err);
    let other = place.derny(&["import", "--format", "benchfella", "good.csv"]).expect(2);
    assert!(other.err.contains("line 1") && other.err.contains("duration:"), "{}", other.err);
}

/// A snapshot whose sizes stand in the tests' names: time grows with the size, but for 2^23.
fn snapshot() -> String {
    let mut text =
        "duration:1.0;mem stats:false;sys mem stats:false\nmodule;test;tags;iterations;elapsed\n".to_owned();
    for power in 18..=26_u32 {
        for (chunk, factor) in [("64", 1.0), ("4096", 0.5)] {
            let size = 2.0_f64.powi(power as i32);
            let bump = if power == 23 { 1.4 } else { 1.0 };
            let elapsed = (size * factor * bump / 100.0 * 1000.0).round();
            text.push_str(&format!("HashBench\tHash 2^{power} file by {chunk}\t\t1000\t{elapsed}\n"));
        }
    }
    text
}

#[test]
fn sizes_in_names_are_followed() {
    let place = Place::new();
    write(&place, "a.snapshot", &snapshot());
    place.derny(&["import", "a.snapshot"]).expect(0);
    let template = "Hash {file} file by {chunk}";
    let none = place.derny(&["scaling", "--over", "file"]).expect(4);
    assert!(none.err.contains("--name-template"), "{}", none.err);
    let args = ["scaling", "--over", "file", "--by", "chunk", "--log", "--name-template", template];
    let text = place.derny(&args).expect(0).out;
    assert!(text.contains("file=2^23") && text.contains("off the fit"), "{text}");
    let json = place.derny(&[&args[..], &["-f", "json"]].concat()).expect(0).json();
    let curves = json["curves"].as_array().unwrap();
    assert_eq!(curves.len(), 2);
    for curve in curves {
        assert_eq!(curve["growth"]["law"], "n");
        let off: Vec<_> = curve["points"].as_array().unwrap().iter().filter(|p| p["off"] == true).collect();
        assert_eq!((off.len(), off[0]["text"].as_str()), (1, Some("2^23")));
        assert_eq!(curve["points"][1]["step"]["verdict"], "unclear", "single samples prove nothing");
    }
    let csv =
        place.derny(&["scaling", "--over", "file", "--name-template", template, "-f", "csv"]).expect(0).out;
    assert_eq!(csv.lines().count(), 1 + 9, "both chunks are averaged: {csv}");
    let markdown = place.derny(&[&args[..], &["-f", "markdown"]].concat()).expect(0).out;
    assert!(markdown.contains("| 2^18 |"), "{markdown}");
    // A template given when importing is remembered, and cases can be chosen by it.
    place.derny(&["import", "a.snapshot", "--name-template", template]).expect(0);
    let shown = place.derny(&["show", "-p", "chunk=64", "-f", "csv"]).expect(0).out;
    assert_eq!(shown.lines().count(), 1 + 9, "{shown}");
    assert!(shown.contains(",p.file,p.chunk,") && shown.contains(",2^18,64,"), "{shown}");
    let wrong = place.derny(&["show", "--name-template", "plain"]).expect(2);
    assert!(wrong.err.contains("no field"), "{}", wrong.err);
}

#[test]
fn a_run_remembers_how_sizes_stand_in_its_names() {
    let place = Place::new();
    place.tiny(&["--name-template", "fake/copy-{n}", "--", "--cases=4"]).expect(0);
    let shown = place.derny(&["show", "-p", "n=002", "-f", "csv"]).expect(0).out;
    assert!(shown.lines().count() == 2 && shown.contains("fake/copy-{n},002,"), "{shown}");
    let scaling = place.derny(&["scaling", "--over", "n", "-f", "json"]).expect(0).json();
    let points = scaling["curves"][0]["points"].as_array().unwrap();
    let along: Vec<f64> = points.iter().map(|point| point["x"].as_f64().unwrap()).collect();
    assert_eq!(along, [1.0, 2.0, 3.0, 4.0]);
}

/// `mix derny.cmp` takes snapshots; so does what it calls.
#[test]
fn files_of_other_tools_are_compared_as_they_are() {
    let place = Place::new();
    let slower = snapshot().replace("\t1000\t", "\t500\t");
    write(&place, "old.snapshot", &snapshot());
    write(&place, "new.snapshot", &slower);
    let compared = place.derny(&["compare", "old.snapshot", "new.snapshot"]).expect(0);
    assert!(compared.err.contains("old.snapshot is imported as run"), "{}", compared.err);
    assert!(compared.out.contains("Hash 2^20") && compared.out.contains("+100.0 %"), "{}", compared.out);
    assert_eq!(place.runs().len(), 2);
    // What is no file of theirs is a word as before.
    write(&place, "notes.txt", "nothing\n");
    place.derny(&["compare", "notes.txt"]).expect(4);
}
