//! Tests every row of docs/reference/exit-codes.md on the command line. A row without a test fails, and so
//! does a test without a row.

#![cfg(unix)]

use crate::bisecting;
use crate::confirming;
use crate::creeping;
use crate::fleet;
use crate::judging;
use crate::place::{Done, Place, SHORT, harness};
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/reference/exit-codes.md");

/// Returns the rows of the table below a heading, without the header row.
fn table(heading: &str) -> Vec<Vec<String>> {
    let (_, rest) = PAGE.split_once(&format!("\n## {heading}\n")).expect(heading);
    let section = rest.split("\n## ").next().unwrap_or(rest);
    let lines = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    lines.map(cells).collect()
}

/// Asserts that the table below `heading` lists exactly the situations in `tested`, and that its exit codes
/// equal those that `of` returns. The first `named` cells of a row are the situation, the rest are codes.
#[track_caller]
fn hold(heading: &str, named: usize, tested: &[&str], of: impl Fn(&str) -> Vec<i32>) {
    let rows = table(heading);
    let name = |row: &Vec<String>| row[..named].join(": ");
    let known: Vec<String> = rows.iter().map(name).collect();
    assert_eq!(known, tested, "the rows and their tests");
    let mut wrong = Vec::new();
    for row in &rows {
        let (said, found) = (row[named..].join(" "), of(&name(row)));
        let found: Vec<String> = found.iter().map(i32::to_string).collect();
        if said != found.join(" ") {
            wrong.push(format!("{}: the page says {said}, and it is {}", name(row), found.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The settings of [`SHORT`], with too few processes for a verdict.
const FEW: &[&str] =
    &["--set=processes=3", "--set=rounds=2", "--set=warmup=0", "--set=batch-time=50us", "--budget=60s"];

/// A margin so wide that differences do not count.
const WIDE: &[&str] = &["--margin", "60%"];

const SKIP: &str = "--fault=skip@open --fault-case=fake/work";
const ROWS: &str = "--reports=rows:count:level:less=10";
const MORE: &str = "--reports=rows:count:level:less=20";

/// The arguments, and the flags of the base and of the new side.
type Sides = (Vec<&'static str>, &'static str, &'static str);

fn sides(situation: &str) -> Sides {
    let of = |more: &[&'static str], base, new| ([SHORT, more].concat(), base, new);
    let just = |words: &[&'static str], new| (words.to_vec(), "", new);
    let noisy = "--process-noise=30 --seed=3";
    let bare = ["steady", "--set", "rounds=2", "--set", "warmup=0", "--set", "batch-time=50us"];
    match situation {
        "every case is the same within the margin" => of(&[&["steady"], WIDE].concat(), "", ""),
        "a case is worse by more than the margin" => of(&["steady"], "", "--offset=50"),
        "a case is unclear after enough pairs" => of(
            &["steady", "--margin", "0.1%", "--set", "confidence=0.99"],
            noisy,
            "--process-noise=30 --seed=4",
        ),
        "a case is worse in a metric that is not named" => of(&[&["steady"], WIDE].concat(), ROWS, MORE),
        "a case is worse in a metric that `metrics` names" => {
            of(&["steady", "--set", "metrics=rows"], ROWS, MORE)
        }
        "one side lacks a metric that `metrics` names" => {
            of(&[&["steady", "--set", "metrics=time,rows"], WIDE].concat(), ROWS, "")
        }
        "a case has too few pairs to be called worse" => just(&[&["steady"], FEW].concat(), "--offset=50"),
        "`--budget 0`" => just(&[&["work", "--budget", "0"], &bare[1..]].concat(), "--offset=50"),
        "`--quick` of one case that is much worse" => {
            just(&[&bare[..], &["--quick"]].concat(), "--offset=50")
        }
        "the new side skips a case" => of(&[&["steady", "work"], WIDE].concat(), "", SKIP),
        "the base skips a case" => of(&[&["steady", "work"], WIDE].concat(), SKIP, ""),
        "both sides skip a case" => of(&[&["steady", "work"], WIDE].concat(), SKIP, SKIP),
        "both sides skip every case" => of(&["work"], SKIP, SKIP),
        "the time is over before any case is measured" => just(&["steady", "--total", "1ms"], ""),
        "a benchmark fails on the new side" => {
            of(&["steady", "work"], "", "--fault=throw@measure --fault-case=fake/work")
        }
        other => panic!("no test for {other}"),
    }
}

fn run(place: &Place, (words, base, new): &Sides, more: &[&str]) -> Done {
    let side = |name: &str, more: &str| format!("{name}={} --made-up {more}", harness());
    let (base, new) = (side("base", base), side("new", new));
    place.fake(&[&["run", "-x", &base, "-x", &new], &words[..], more].concat())
}

/// Makes a run whose benchmarks report the metric `rows` without declaring it.
fn reported(place: &Place) {
    place.tiny(&["steady", "--", "--made-up", ROWS]).expect(0);
}

const GATES: [&str; 2] = ["worse", "worse,unclear"];

#[test]
fn of_two_sides() {
    let tested = [
        "every case is the same within the margin",
        "a case is worse by more than the margin",
        "a case is unclear after enough pairs",
        "a case is worse in a metric that is not named",
        "a case is worse in a metric that `metrics` names",
        "one side lacks a metric that `metrics` names",
        "a case has too few pairs to be called worse",
        "`--budget 0`",
        "`--quick` of one case that is much worse",
        "the new side skips a case",
        "the base skips a case",
        "both sides skip a case",
        "both sides skip every case",
        "the time is over before any case is measured",
        "a benchmark fails on the new side",
    ];
    hold("Two sides", 1, &tested, |situation| {
        let place = Place::new();
        reported(&place);
        let sides = sides(situation);
        let mut codes = vec![run(&place, &sides, &[]).code];
        for fail_on in GATES {
            codes.push(place.derny(&["compare", "last", "--fail-on", fail_on]).code);
        }
        // A gate without terms fails on both verdicts. A stored gate uses its own terms.
        assert_eq!(place.derny(&["compare", "--gate", "last"]).code, codes[2], "{situation}");
        // A run that measured nothing does not count as the last run to show.
        if !situation.ends_with("skip every case") && !situation.contains("before any case") {
            assert_eq!(place.derny(&["report", "last", "-o", "page.html"]).code, 0, "{situation}");
        }
        assert_eq!(run(&place, &sides, &["--fail-on", "worse"]).code, codes[1], "{situation}");
        assert_eq!(place.derny(&["compare", "--gate", "last"]).code, codes[1], "{situation}");
        let shown = place.derny(&["compare", "last"]).code;
        assert!(shown == codes[0] || (shown, codes[0]) == (0, 3), "{situation}: {shown}");
        codes
    });
}

/// Stores two runs, or writes them to files. Returns their names.
fn stored(place: &Place, situation: &str) -> [&'static str; 2] {
    let one = |name: &str, words: &[&str], more: &str| {
        let more: Vec<&str> = more.split_whitespace().collect();
        place.fake(&[&["run", "--save", name], words, &["--", "--made-up"], &more].concat())
    };
    let both = [&["steady", "work"], SHORT].concat();
    let steady = [&["steady"], SHORT].concat();
    match situation {
        "only the new run skips a case" => {
            one("base", &both, "").expect(0);
            one("new", &both, SKIP).expect(0);
        }
        "no case is in both runs" => {
            one("base", &steady, "").expect(0);
            one("new", &[&["work"], SHORT].concat(), "").expect(0);
        }
        "the runs have too few processes for an interval" => {
            let few = ["steady", "--set", "processes=1", "--set", "rounds=2", "--set", "warmup=0"];
            one("base", &few, "").expect(0);
            one("new", &few, "--offset=50").expect(0);
        }
        "a benchmark failed in one of the runs" => {
            one("base", &both, "").expect(0);
            one("new", &both, "--fault=throw@measure --fault-case=fake/work").expect(3);
        }
        "the runs are of another machine" => {
            for (file, cpu) in [("base.ndjson", "one"), ("new.ndjson", "other")] {
                let words = [&["run", "-f", "ndjson"], &steady[..], &["--", "--made-up"]].concat();
                let mut events: Vec<Value> = place.fake(&words).expect(0).lines();
                events[0]["run"]["machine"]["cpu"] = cpu.into();
                events[0]["run"]["machine"]["host"] = cpu.into();
                let lines: Vec<String> = events.iter().map(Value::to_string).collect();
                place.write(file, &lines.join("\n"));
            }
            return ["base.ndjson", "new.ndjson"];
        }
        other => panic!("no test for {other}"),
    }
    ["base", "new"]
}

#[test]
fn of_two_stored_runs() {
    let tested = [
        "only the new run skips a case",
        "no case is in both runs",
        "the runs are of another machine",
        "the runs have too few processes for an interval",
        "a benchmark failed in one of the runs",
    ];
    hold("Two stored runs", 1, &tested, |situation| {
        let place = Place::new();
        let runs = stored(&place, situation);
        let compare = |more: &[&str]| place.derny(&[&["compare"], &runs[..], WIDE, more].concat()).code;
        let codes = vec![compare(&[]), compare(&["--fail-on", GATES[0]]), compare(&["--fail-on", GATES[1]])];
        let gate = place.derny(&[&["compare", "--gate", runs[0], runs[1]], WIDE].concat()).code;
        assert_eq!(gate, codes[2], "{situation}");
        codes
    });
}

const GOOD: &str = "
import { bench } from 'derny';
bench('steady', () => 1);
bench('sized', { params: { n: [1, 2] } }, ({ n }) => n);
";

/// Returns a project with a file that can be listed, one that cannot, and other suites.
fn project(others: &str) -> Place {
    let place = Place::new();
    let good = "[suite.good]\nfiles = ['good.bench.mjs']\nharness = 'node'\n";
    place.write("derny.toml", &(good.to_owned() + &others.replace("HARNESS", harness())));
    place.write("good.bench.mjs", GOOD);
    place.write("bad/one.bench.mjs", "throw new Error('on purpose');\n");
    place
}

/// A suite whose only file cannot be listed.
const BAD: &str = "[suite.bad]\nfiles = ['bad/one.bench.mjs']\nharness = 'node'\n";

/// Returns the project for a situation, and the arguments that select its cases.
fn selected(situation: &str) -> (Place, Vec<&'static str>) {
    let plain = || project("");
    match situation {
        "a word that no case fits" => (plain(), vec!["nothing-of-this-name"]),
        "a word that no case fits, beside one that some fit" => {
            (plain(), vec!["steady", "nothing-of-this-name"])
        }
        "a file that cannot be listed, beside one that can" => {
            (project(BAD), vec!["good.bench.mjs", "bad/one.bench.mjs"])
        }
        "a folder that cannot be listed, beside a file that can" => {
            (project(BAD), vec!["bad", "good.bench.mjs"])
        }
        "a file that cannot be listed, alone" => (project(BAD), vec!["bad/one.bench.mjs"]),
        "a program that cannot be started, beside one that can" => {
            (project("[suite.none]\nharness = { command = './no-such-program' }\n"), vec![])
        }
        "a build that fails, beside a suite that needs none" => {
            let suite = "[suite.built]\nfiles = ['bad/one.bench.mjs']\nbuild = 'false {build}'\nharness = { command = '{build}/program' }\n";
            (project(suite), vec!["good.bench.mjs", "bad/one.bench.mjs"])
        }
        "a suite of derny.toml whose files are not there" => {
            let suite = "[suite.lost]\nfiles = ['nowhere/*.txt']\nharness = { command = 'HARNESS' }\n";
            (project(suite), vec![])
        }
        "`-p` with a parameter that no case has" => (plain(), vec!["steady", "-p", "n=5"]),
        "`-p` with a parameter that some cases have" => (plain(), vec!["steady", "sized", "-p", "n=5"]),
        "derny.toml with a parameter that no case of the suite has" => {
            let suite = "[suite.other]\nparams = { width = [1] }\nharness = { command = 'HARNESS' }\n";
            (project(suite), vec![])
        }
        "no benchmarks at all" => (Place::new(), vec![]),
        other => panic!("no test for {other}"),
    }
}

#[test]
fn of_what_is_selected() {
    let tested = [
        "a word that no case fits",
        "a word that no case fits, beside one that some fit",
        "a file that cannot be listed, beside one that can",
        "a folder that cannot be listed, beside a file that can",
        "a file that cannot be listed, alone",
        "a program that cannot be started, beside one that can",
        "a build that fails, beside a suite that needs none",
        "a suite of derny.toml whose files are not there",
        "`-p` with a parameter that no case has",
        "`-p` with a parameter that some cases have",
        "derny.toml with a parameter that no case of the suite has",
        "no benchmarks at all",
    ];
    hold("What is selected", 1, &tested, |situation| {
        let (place, words) = selected(situation);
        let tiny = ["--set", "processes=1", "--set", "rounds=1", "--set", "warmup=0", "--budget", "60s"];
        let list = place.derny(&[&["list", "-f", "plain"], &words[..]].concat());
        let run = place.derny(&[&["run"], &words[..], &tiny].concat());
        let once = place.derny(&[&["run", "--once"], &words[..]].concat());
        // A file that cannot be listed does not stop the others, and is named.
        if list.code == 3 && !situation.ends_with("alone") {
            assert!(list.out.contains("good/steady"), "{situation}: {}", list.out);
            assert!(run.out.contains("steady"), "{situation}: {}", run.out);
            assert!(once.err.contains("passed"), "{situation}: {}", once.err);
        }
        if list.code == 3 {
            let named = ["bad/one.bench.mjs", "no-such-program", "nowhere/*.txt"];
            for done in [&list, &run, &once] {
                assert!(named.iter().any(|name| done.err.contains(name)), "{situation}: {}", done.err);
            }
        }
        if situation.ends_with("no case has") {
            assert!(run.err.contains("no case has n=5") && run.err.contains("known"), "{}", run.err);
        }
        if situation.ends_with("some cases have") {
            assert!(run.err.contains("1 of 2 cases has no parameter `n`"), "{}", run.err);
        }
        vec![list.code, run.code, once.code]
    });
}

/// Flags with which the set-up fails for the second value of a parameter.
const SECOND: &[&str] = &["--", "--fault=throw@open", "--fault-case=fake/sized n=2"];

/// Returns a JMH result with these iterations of a single fork.
fn jmh(iterations: &str) -> String {
    format!(
        r#"[{{"jmhVersion": "1.37", "benchmark": "a.B.work", "mode": "avgt", "threads": 1, "forks": 1,
          "measurementIterations": 3,
          "primaryMetric": {{"score": "NaN", "scoreUnit": "ns/op", "rawData": [{iterations}]}}}}]"#
    )
}

/// Imports a file with this content into the history, with `others` as further arguments. Returns the exit
/// code.
fn past(place: &Place, content: &str, others: &[&str]) -> i32 {
    place.write("result.json", content);
    place.derny(&[&["history", "import", "result.json"], others].concat()).code
}

fn import(place: &Place, content: &str) -> i32 {
    place.write("result.json", content);
    place.derny(&["import", "result.json"]).code
}

fn sized(place: &Place, flag: &str) -> i32 {
    place.fake(&[&["run", flag, "steady", "sized"], SECOND].concat()).code
}

/// Runs the commands for one of the other situations in an empty folder. Returns the exit code.
type Typed = fn(Place) -> i32;

const OTHERS: &[(&str, Typed)] = &[
    ("`run`: `metrics` with a name that nothing has", |place| {
        place.tiny(&["steady", "--set", "metrics=nohtnig"]).code
    }),
    ("`run`: `modes` with a name that no harness has", |place| {
        place.tiny(&["steady", "--set", "modes=nohtnig"]).code
    }),
    ("`run`: one side and `--fail-on`", |place| place.tiny(&["steady", "--fail-on", "worse"]).code),
    ("`run`: an option that there is not", |place| place.derny(&["run", "--no-such-option"]).code),
    ("`run --once`: a set-up that fails for the second value of a parameter", |place| {
        sized(&place, "--once")
    }),
    ("`run --once=smallest`: a set-up that fails for the second value of a parameter", |place| {
        sized(&place, "--once=smallest")
    }),
    ("`run --once`: every case is skipped", |place| {
        place.fake(&["run", "--once", "work", "--", "--fault=skip@open"]).code
    }),
    ("`run --once`: `--fail-on`", |place| {
        run(&place, &(vec!["steady", "--once"], "", ""), &["--fail-on", "worse"]).code
    }),
    ("`show`: `-p` with a parameter that no case has", |place| {
        place.tiny(&["sized", "--", "--made-up"]).expect(0);
        let done = place.derny(&["show", "-p", "width=5"]);
        assert!(done.err.contains("parameters: n"), "{}", done.err);
        done.code
    }),
    ("`show`: there are no stored runs", |place| place.derny(&["show"]).code),
    ("`compare --gate`: the run was to fail by `worse`, and is", |place| {
        run(&place, &sides("a case is worse by more than the margin"), &["--fail-on", "worse"]).expect(1);
        place.derny(&["compare", "--gate"]).code
    }),
    ("`compare --gate`: there is no baseline to judge against", |place| {
        place.tiny(&["steady", "--", "--made-up"]).expect(0);
        place.derny(&["compare", "--gate"]).code
    }),
    ("`fleet plan`: a file that cannot be listed, beside one that can", |_| {
        let place = project(BAD);
        let words = ["fleet", "plan", "-x", "old@.", "-x", "new@.", "--shards", "2", "-o", "plan.json"];
        place.derny(&[&words[..], &["good.bench.mjs", "bad/one.bench.mjs"]].concat()).code
    }),
    ("`fleet merge`: a shard is missing", |place| {
        fleet::plan(&place, &["--shards", "2"]);
        place.derny(&["fleet", "shard", "plan.json", "1/2", "-o", "one.part"]).expect(0);
        place.derny(&["fleet", "merge", "one.part"]).code
    }),
    ("`import`: a file that no format fits", |place| import(&place, "{}")),
    ("`import`: a case of the file has failed", |place| import(&place, &jmh("[\"NaN\"]"))),
    ("`import`: a file that is there already, with a case that has failed", |place| {
        assert_eq!(import(&place, &jmh("[\"NaN\"]")), 3);
        import(&place, &jmh("[\"NaN\"]"))
    }),
    ("`import`: a value that is no number, beside others of its case", |place| {
        import(&place, &jmh("[4.5, \"NaN\", 4.25]"))
    }),
    ("`history import`: a file that no format fits", |place| past(&place, "{}", &[])),
    ("`history import`: a truncated file, beside one that can be read", |place| {
        place.write("good.json", &jmh("[4.5]"));
        past(&place, &jmh("[4.5]")[..60], &["good.json"])
    }),
    ("`history import`: a file that is there already", |place| {
        assert_eq!(past(&place, &jmh("[4.5]"), &[]), 0);
        past(&place, &jmh("[4.5]"), &[])
    }),
    ("`try`: a command that fails", |place| place.derny(&["try", "false"]).code),
    ("`try`: a program that is not there", |place| place.derny(&["try", "no-such-program-of-derny"]).code),
    ("`judge`: the candidate is faster (`keep`)", |_| judging::code(&[("cost", "500")], &[])),
    ("`judge`: the candidate is slower (`discard`)", |_| judging::code(&[("cost", "2000")], &[])),
    ("`judge`: the candidate does not differ (`neutral`)", |_| judging::code(&[("code", "2")], &[])),
    ("`judge`: the candidate changes the benchmark (`void`)", |_| {
        judging::code(&[("cost", "500"), ("data/input", "2")], &[])
    }),
    ("`judge`: the candidate does not build (`discard`)", |_| {
        judging::code(&[("build.sh", "exit 1\n")], &[])
    }),
    ("`judge --check`: the check fails in the candidate", |_| {
        judging::code(&[("code", "2")], &["--check", "grep 1 code"])
    }),
    ("`judge --check`: the check fails in the base", |_| {
        judging::code(&[("code", "2")], &["--check", "grep 2 code"])
    }),
    ("`bisect`: a commit is found and confirmed", |_| bisecting::code(3, &[(2, "cost", "1300")])),
    ("`bisect`: the ends do not differ by more than the margin", |_| bisecting::code(1, &[])),
    ("`bisect`: the commits around the change do not build", |_| {
        bisecting::code(2, &[(1, "before.sh", "exit 1"), (2, "before.sh", ""), (2, "cost", "1300")])
    }),
    ("`bisect`: the good end does not build", |_| {
        bisecting::code(1, &[(0, "before.sh", "exit 1"), (1, "before.sh", "")])
    }),
    ("`bisect`: only one end has the case", |_| {
        bisecting::code(1, &[(0, "flags", "--cases=1"), (1, "flags", "")])
    }),
    ("`history creep`: no case is worse", |_| creeping::code(&[], &[])),
    ("`history creep --fail-on slower`: a case is worse since the last release", |_| {
        creeping::code(&[(1, "cost", "1300")], &[])
    }),
    ("`history creep --fail-on slower`: the commit to compare with is the checked-out one", |_| {
        creeping::code(&[(1, "cost", "1300")], &["--against", "HEAD"])
    }),
    ("`history creep`: there is neither a tag nor a commit of a week ago", |_| creeping::code_without_tags()),
    ("`history confirm --fail-on slower`: there is no suspected change", |_| {
        confirming::code(&[], &["--fail-on", "slower"])
    }),
    ("`history confirm --fail-on slower`: a change for the worse is confirmed", |_| {
        confirming::code(&[(1, "cost", "1300")], &["c0..c1", "--fail-on", "slower"])
    }),
    ("`history confirm`: a change for the worse is confirmed", |_| {
        confirming::code(&[(1, "cost", "1300")], &["c0..c1"])
    }),
    ("`history confirm`: the time is over before all changes are measured", |_| {
        confirming::code(&[], &["c0..c1", "--total", "1ns"])
    }),
    ("`dev conform`: a harness that breaks a rule", |place| {
        place.derny(&["dev", "conform", "--", harness(), "--twins=one"]).code
    }),
    ("`dev conform`: a program that is not there", |place| {
        place.derny(&["dev", "conform", "--", "./no-such-program"]).code
    }),
];

#[test]
fn of_other_situations() {
    let tested: Vec<&str> = OTHERS.iter().map(|(situation, _)| *situation).collect();
    hold("Other situations", 2, &tested, |situation| {
        let typed = OTHERS.iter().find(|(other, _)| *other == situation).map(|(_, typed)| typed);
        vec![typed.unwrap_or_else(|| panic!("no test for {situation}"))(Place::new())]
    });
}
