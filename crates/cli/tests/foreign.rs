//! Tests import and export of other tools' files, and results along a parameter. Nothing here measures.

#![cfg(unix)]

use crate::place::Place;

/// Returns rows in the format of compare.js: two configurations, six processes of each binary. The new one is
/// a twentieth slower.
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
    assert!(out.err.contains("unknown: version of Node.js"), "{}", out.err);
    let shown = place.derny(&["show", "-f", "json"]).expect(0).json();
    assert_eq!(shown["run"]["imported"]["format"], "node-compare");
    assert_eq!(shown["run"]["imported"]["file"], "old-new.csv");
    let exported = place.derny(&["export", "-f", "node-compare"]).expect(0).out;
    let (head, rows) = exported.split_once('\n').unwrap();
    assert_eq!(head, compare_csv().lines().next().unwrap());
    // The exported rows equal the imported ones. Rates agree up to rounding, because times are whole
    // nanoseconds.
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
        // The exported file can be imported again in its own format, with the same times.
        place.derny(&["import", &path]).expect(0);
        let back = place.derny(&["show", "-f", "json"]).expect(0).json();
        let cases: Vec<_> =
            back["suites"].as_array().unwrap().iter().flat_map(|s| s["cases"].as_array().unwrap()).collect();
        assert_eq!(cases.len(), 2, "{format}");
        let time = cases[0]["variants"][0]["time"]["typical"]["value"].as_f64().unwrap();
        assert!((time / (1e9 / 1_900_000.0) - 1.0).abs() < 0.02, "{format}: {time}");
    }
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
    assert!(
        taken.err.contains("not imported: the format of empty.snapshot is not recognised"),
        "{}",
        taken.err
    );
    assert!(taken.err.contains("not imported: bad.csv"), "{}", taken.err);
    let none = place.derny(&["import", "bad.csv", "empty.snapshot"]).expect(2);
    assert!(none.err.contains("bad.csv") && none.err.contains("empty.snapshot"), "{}", none.err);
    let other = place.derny(&["import", "--format", "benchfella", "good.csv"]).expect(2);
    assert!(other.err.contains("line 1") && other.err.contains("duration:"), "{}", other.err);
}

/// Returns a snapshot with sizes in the names of the tests. Time grows with size, except at 2^23.
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
    let none = place.derny(&["plot", "scaling", "--over", "file"]).expect(4);
    assert!(none.err.contains("--name-template"), "{}", none.err);
    let args = ["plot", "scaling", "--over", "file", "--by", "chunk", "--log", "--name-template", template];
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
    let csv = place
        .derny(&["plot", "scaling", "--over", "file", "--name-template", template, "-f", "csv"])
        .expect(0)
        .out;
    assert_eq!(csv.lines().count(), 1 + 9, "both chunks are averaged: {csv}");
    let markdown = place.derny(&[&args[..], &["-f", "markdown"]].concat()).expect(0).out;
    assert!(markdown.contains("| 2^18 |"), "{markdown}");
    // A template given at import is remembered, and its parameters select cases.
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
    place.tiny(&["--set", "name-template=fake/copy-{n}", "--", "--cases=4"]).expect(0);
    let shown = place.derny(&["show", "-p", "n=002", "-f", "csv"]).expect(0).out;
    assert!(shown.lines().count() == 2 && shown.contains("fake/copy-{n},002,"), "{shown}");
    let scaling = place.derny(&["plot", "scaling", "--over", "n", "-f", "json"]).expect(0).json();
    let points = scaling["curves"][0]["points"].as_array().unwrap();
    let along: Vec<f64> = points.iter().map(|point| point["x"].as_f64().unwrap()).collect();
    assert_eq!(along, [1.0, 2.0, 3.0, 4.0]);
}

/// `derny compare` accepts snapshots, because `mix derny.cmp` passes them to it.
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
    // The name of any other file is treated as a pattern.
    write(&place, "notes.txt", "nothing\n");
    place.derny(&["compare", "notes.txt"]).expect(4);
}

/// Returns lines of `go test -bench . -count 6`. All times are multiplied by `factor`.
fn go_lines(factor: f64) -> String {
    let mut text = "goos: linux\ngoarch: amd64\npkg: example.com/words\ncpu: AMD EPYC\n".to_owned();
    for round in 0..6 {
        let time = factor * (941.3 + f64::from(round * 5 % 6));
        text.push_str(&format!("BenchmarkJoin-2 \t 6489 \t {time:.1} ns/op \t 192 B/op \t 1 allocs/op\n"));
        text.push_str(&format!(
            "BenchmarkSort/n=10/random-2 \t 9000\t {:.2} ns/op\t 10.00 items/op\n",
            time / 18.0
        ));
        text.push_str("BenchmarkHidden-2 \t 15805191\t 3.500 hits\n");
    }
    text + "PASS\nok  \texample.com/words\t1.144s\n"
}

/// Returns the results in a file by configuration and name, as values and units.
fn go_results(text: &str) -> Vec<(String, Vec<(f64, String)>)> {
    let mut results = Vec::new();
    let mut configuration = std::collections::BTreeMap::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with("Benchmark") {
            let values = fields[2..].chunks(2).map(|pair| (pair[0].parse().unwrap(), pair[1].to_owned()));
            results.push((format!("{configuration:?} {}", fields[0]), values.collect()));
        } else if let Some((key, value)) = line.split_once(": ") {
            configuration.insert(key.to_owned(), value.to_owned());
        }
    }
    results.sort_by(|a: &(String, Vec<(f64, String)>), b| a.0.cmp(&b.0));
    results
}

#[test]
fn what_go_test_printed_comes_back() {
    let place = Place::new();
    write(&place, "old.txt", &go_lines(1.0));
    place.derny(&["import", "old.txt"]).expect(0);
    let exported = place.derny(&["export", "-f", "benchfmt"]).expect(0).out;
    let (ours, theirs) = (go_results(&exported), go_results(&go_lines(1.0)));
    assert_eq!(ours.len(), 18, "{exported}");
    for (our, their) in ours.iter().zip(&theirs) {
        assert_eq!(our.0, their.0);
        assert_eq!(our.1.len(), their.1.len(), "{our:?} {their:?}");
        for (our, their) in our.1.iter().zip(&their.1) {
            assert_eq!(our.1, their.1);
            assert!((our.0 / their.0 - 1.0).abs() < 1e-8, "{our:?} {their:?}");
        }
    }
    // The median of the lines equals the one that benchstat prints.
    let shown = place.derny(&["show", "BenchmarkJoin", "-f", "json"]).expect(0).json();
    let figures = shown["suites"][0]["cases"][0]["variants"][0]["figures"].as_array().unwrap().clone();
    let median = figures.iter().find(|figure| figure["name"] == "median").unwrap()["value"].as_f64().unwrap();
    assert!((median - 943.8).abs() < 1e-9, "{median}");
    // A file that is imported again, even compressed, is the same run.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, go_lines(1.0).as_bytes()).unwrap();
    std::fs::write(place.root.join("old.txt.gz"), gzip.finish().unwrap()).unwrap();
    let again = place.derny(&["import", "old.txt", "old.txt.gz"]).expect(0);
    assert_eq!(again.out.matches("is already stored").count(), 2, "{}", again.out);
    assert_eq!(place.runs().len(), 1);
}

#[test]
fn a_comparison_of_files_says_what_cannot_be_known() {
    let place = Place::new();
    write(&place, "old.txt", &go_lines(1.0));
    write(&place, "new.txt", &go_lines(1.5).replace("10.00 items/op", "20.00 items/op"));
    let compared = place.derny(&["compare", "old.txt", "new.txt"]).expect(0);
    assert!(compared.out.contains("machine unknown"), "{}", compared.out);
    assert!(compared.out.contains("does not alternate sides"), "{}", compared.out);
    assert!(compared.out.contains("the machine is unknown"), "{}", compared.out);
    // Each side has ten lines, and the new one takes 50 % longer. Without yardsticks, there is a ratio but no
    // verdict.
    assert!(compared.out.contains("+50.0 %") && compared.out.contains("unclear"), "{}", compared.out);
    assert!(compared.out.contains("it is unknown how the machine changed"), "{}", compared.out);
    place.derny(&["compare", "old.txt", "new.txt", "--fail-on", "worse,unclear"]).expect(5);
    // A metric without a direction has no verdict, and passes no gate.
    let json = place.derny(&["compare", "old.txt", "new.txt", "-f", "json"]).expect(0).comparison();
    let changes: Vec<_> = json["cases"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|case| case["sides"][0]["changes"].as_array().unwrap())
        .collect();
    let items = changes.iter().find(|change| change["metric"] == "items/op").unwrap();
    assert_eq!(items["direction"], "none", "{items}");
    assert!(!["better", "worse"].contains(&items["verdict"].as_str().unwrap()), "{items}");
    // Each file in a folder becomes a run. Files of other formats are ignored.
    std::fs::create_dir_all(place.root.join("files/deep")).unwrap();
    write(&place, "files/deep/third.txt", &go_lines(2.0));
    write(&place, "files/notes.txt", "nothing\n");
    let taken = place.derny(&["import", "files"]).expect(0);
    assert!(taken.out.contains("files/deep/third.txt") && taken.out.lines().count() == 1, "{}", taken.out);
}

/// The export of a run has a line for each case, variant and process.
#[test]
fn a_run_becomes_lines_for_benchstat() {
    let place = Place::new();
    let args = ["-x", "a@.", "-x", "b@.", "--set", "processes=2", "--", "--cases=2"];
    place.tiny(&args).expect(0);
    let exported = place.derny(&["export", "-f", "benchfmt"]).expect(0).out;
    assert!(exported.contains("\nvariant: a\n") && exported.contains("\nvariant: b\n"), "{exported}");
    let lines: Vec<&str> = exported.lines().filter(|line| line.starts_with("Benchmark")).collect();
    assert_eq!(lines.len(), 2 * 2 * 2, "{exported}");
    assert!(lines.iter().all(|line| line.contains(" ns/op")), "{exported}");
    let guessed = place.write("own.txt", &exported);
    let back = place.derny(&["import", &guessed.display().to_string()]).expect(0).out;
    assert!(back.contains("4 cases, 8 samples of go (benchfmt)"), "{back}");
}

/// Returns the times of all samples by case, from the run's rows.
fn samples(place: &Place) -> Vec<(String, f64)> {
    let rows = place.rows();
    let each = rows.iter().filter(|row| row["phase"] == "measured");
    let mut all: Vec<(String, f64)> = each
        .map(|row| {
            let time = row["time_ns"].as_f64().unwrap_or(0.0) / row["operations"].as_f64().unwrap_or(1.0);
            (format!("{} {}", row["benchmark"], row["params"]), time)
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    all
}

/// A file that is imported, exported and imported again has the same cases and the same times.
#[test]
fn files_that_were_read_come_back() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/files");
    for (format, file) in [("hyperfine", "hyperfine.json"), ("jmh", "jmh.json"), ("bmf", "bmf.json")] {
        let place = Place::new();
        place.derny(&["import", &folder.join(file).display().to_string()]).expect(0);
        let first = samples(&place);
        assert!(!first.is_empty(), "{format}");
        place.derny(&["export", "-f", format, "-o", "out.json"]).expect(0);
        let again = place.derny(&["import", "out.json"]).expect(0);
        assert!(again.out.contains(&format!("({format})")), "{format}: {}", again.out);
        let second = samples(&place);
        assert_eq!(first.len(), second.len(), "{format}\n{first:?}\n{second:?}");
        for (one, other) in first.iter().zip(&second) {
            assert_eq!(one.0, other.0, "{format}");
            assert!((one.1 - other.1).abs() <= 1e-9 * one.1.abs(), "{format}: {one:?} {other:?}");
        }
    }
}

/// Memory and the counts of diagnosers are in separate visits, which have no times.
#[test]
fn what_a_file_counts_beside_its_times_is_no_time() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../import/tests/files");
    for (file, least, most) in
        [("suite.benchee", 53_409.0, 53_411.0), ("benchmark-dotnet.json", 100.5, 100.7)]
    {
        let place = Place::new();
        // One of the files contains a failed case.
        place.derny(&["import", &folder.join(file).display().to_string()]);
        let document = place.derny(&["show", "-f", "json"]).expect(0).json();
        let time = &document["suites"][0]["cases"][0]["variants"][0]["time"]["typical"]["value"];
        assert!((least..=most).contains(&time.as_f64().unwrap()), "{file}: {time}");
    }
}

#[test]
fn a_run_becomes_files_that_are_guessed_and_read_again() {
    let place = Place::new();
    place.tiny(&["copy", "-x", "a@.", "-x", "b@.", "--", "--cases=2"]).expect(0);
    for format in ["hyperfine", "jmh", "bmf", "github-action-benchmark"] {
        place.derny(&["export", "last", "-f", format, "-o", "out.json"]).expect(0);
        let elsewhere = Place::new();
        let text = place.read("out.json");
        let file = elsewhere.write("own.json", &text);
        let back = elsewhere.derny(&["import", &file.display().to_string()]).expect(0).out;
        assert!(back.contains(&format!("({format})")), "{format}: {back}\n{text}");
        // Files of github-action-benchmark have an entry for each metric, so the number of cases differs.
        assert!(back.contains("4 cases") || format == "github-action-benchmark", "{format}: {back}");
    }
    let text = place.derny(&["export", "-f", "openmetrics"]).expect(0).out;
    assert!(text.ends_with("# EOF\n"), "{text}");
    let times = text.lines().filter(|line| line.starts_with("derny_time_seconds{"));
    let times: Vec<f64> = times.map(|line| line.rsplit(' ').next().unwrap().parse().unwrap()).collect();
    assert_eq!(times.len(), 4, "{text}");
    assert!(times.iter().all(|time| (0.0..1.0).contains(time)), "{times:?}");
    // Each family appears in one place and is declared once.
    let declared: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    let distinct: std::collections::BTreeSet<&&str> = declared.iter().collect();
    assert_eq!(distinct.len(), declared.len(), "{declared:?}");
}

#[test]
fn times_that_no_clock_has_are_shown_and_exported() {
    let place = Place::new();
    place.write("long.json", r#"{"results":[{"command":"x","mean":1.5e10,"times":[1.5e10,1.5e10]}]}"#);
    place.derny(&["import", "long.json", "-f", "hyperfine"]).expect(0);
    assert!(place.derny(&["show"]).expect(0).out.contains("1 case"));
    for format in ["jmh", "hyperfine", "bmf", "benchfmt"] {
        place.derny(&["export", "-f", format]).expect(0);
    }
}

#[test]
fn cases_that_swap_their_times_are_two() {
    let place = Place::new();
    // Both benchmarks are named `Codec/encode` with `size=4`. Only their position distinguishes them.
    let lines = |times: [f64; 2]| {
        let one = |name: &str, ns: f64| format!("BenchmarkCodec/{name}-8 \t 1000\t {ns:.3} ns/op\n");
        let pair = |at: u32| {
            let [first, second] = times.map(|ns| ns * (1.0 + f64::from(at) / 1000.0));
            one("size=4/encode", first) + &one("encode/size=4", second)
        };
        format!("pkg: example.com/codec\n{}", (0..12).map(pair).collect::<String>())
    };
    write(&place, "old.txt", &lines([100.0, 400.0]));
    write(&place, "new.txt", &lines([400.0, 100.0]));
    let compared = place.derny(&["compare", "old.txt", "new.txt"]).expect(0).out;
    for part in ["Codec/encode #2", "+300.0 %", "−75.0 %"] {
        assert!(compared.contains(part), "no {part}: {compared}");
    }
}

#[test]
fn what_has_failed_in_a_file_has_failed() {
    let place = Place::new();
    let text = "pkg: example.com/x\nBenchmarkA-8 \t 10\t 5 ns/op\n--- FAIL: BenchmarkB\n    b_test.go:4: broken\nFAIL\n";
    write(&place, "out.txt", text);
    place.derny(&["import", "out.txt"]).expect(3);
    let shown = place.derny(&["show", "-f", "json"]).json();
    assert!(shown["failures"].to_string().contains("b_test.go:4: broken"), "{}", shown["failures"]);
}
