//! Tests the flags of `run` that determine what is measured, how long and how precisely, by their effect on
//! the measurement.

#![cfg(unix)]

use crate::place::{Events, Place, median, number};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

#[test]
fn patterns_parameters_and_exclusions_choose_cases() {
    let place = Place::new();
    let list = |args: &[&str]| {
        let all: Vec<&str> = ["list", "-f", "plain"].iter().chain(args).copied().collect();
        let done = place.fake(&all).expect(0);
        done.out.lines().map(|line| line.split_once('/').unwrap().1.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(list(&["sized"]), ["fake/sized n=1", "fake/sized n=2"]);
    assert_eq!(list(&["-p", "n=7", "-p", "n=9", "sized"]), ["fake/sized n=7", "fake/sized n=9"]);
    assert_eq!(
        list(&["--exclude", "n=1", "--exclude", "slow", "fake/s*"]),
        ["fake/steady", "fake/sized n=2"]
    );
    let events = place.events(&["-p", "n=3", "sized"]);
    assert_eq!(events.0[0]["cases"][0]["id"]["params"][0][1], "3");
}

#[test]
fn processes_and_rounds_are_what_was_asked() {
    let place = Place::new();
    let events =
        place.events(&["steady", "--set", "processes=3", "--set", "rounds=5", "--set", "precision=0.001%"]);
    assert_eq!(events.of("process-started").len(), 3);
    for visit in events.of("visit-started") {
        let own = events.turns("measured").into_iter().filter(|turn| turn["visit"] == visit["visit"]);
        assert_eq!(own.count(), 5);
    }
    assert_eq!(events.of("case-ended")[0]["reason"], "maximum");
}

#[test]
fn precision_stops_early_and_budget_stops_late() {
    let place = Place::new();
    let wide = ["steady", "--set", "processes=40", "--budget", "20s", "--set", "precision=90%"];
    let events = place.events(&wide);
    assert_eq!(events.of("case-ended")[0]["reason"], "precise");
    assert!(events.of("process-started").len() < 20);
    let start = Instant::now();
    let narrow = ["steady", "--set", "processes=4000", "--budget", "400ms", "--set", "precision=0.0001%"];
    let events = place.events(&narrow);
    assert_eq!(events.of("case-ended")[0]["reason"], "budget");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// The first call shows how long a call takes. After three calls, Derny makes only those that fit into the
/// budget.
#[test]
fn long_calls_are_made_in_as_many_processes_as_the_budget_allows() {
    let place = Place::new();
    let measured = |budget: &str| {
        let events = place.events(&[
            "fake/slow",
            "--set",
            "processes=8",
            "--set",
            "precision=0.0001%",
            "--budget",
            budget,
        ]);
        assert_eq!(events.of("case-ended")[0]["reason"], "budget");
        events.of("visit-ended").len()
    };
    assert_eq!(measured("1ms"), 3);
    let some = measured("90ms");
    assert!((3..8).contains(&some), "{some}");
}

#[test]
fn total_bounds_the_whole_run() {
    let place = Place::new();
    let start = Instant::now();
    let args =
        ["run", "--budget", "20s", "--total", "700ms", "--set", "precision=0.0001%", "-q", "--", "--cases=4"];
    let done = place.fake(&args);
    // On a busy machine, starting processes may take all of the time.
    assert!([0, 5].contains(&done.code), "{}", done.err);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(place.runs().len(), 1);
}

/// The total time ends in the middle of a wave. Visits that it cut short are recorded but do not contribute
/// to figures.
#[test]
fn no_figure_comes_from_a_visit_that_the_end_of_the_time_cut_short() {
    let place = Place::new();
    let harness = ["--", "--cases=100", "--cost-ns=2000", "--launch-ms=30"];
    let args = ["run", "-f", "ndjson", "--total", "3s", "--set", "isolation=case"];
    // On a busy machine, starting processes may take all of the time.
    let done = place.fake(&[&args[..], &harness].concat());
    let events = Events(done.lines());
    let ended = events.of("visit-ended");
    let turns = |visit: &Value, phase: &str| {
        events.turns(phase).iter().filter(|turn| turn["visit"] == visit["visit"]).count()
    };
    assert_eq!(done.code, if ended.is_empty() { 5 } else { 0 }, "{}", done.err);
    for visit in &ended {
        // On a busy machine, one call may fill a visit, which then needs no warm-up and only one turn.
        let least = if turns(visit, "warm-up") > 0 { 3 } else { 1 };
        assert!(turns(visit, "measured") >= least, "{visit}");
    }
    let case_of = |visit: &Value| {
        let visits = events.of("visit-started");
        visits.iter().find(|start| start["visit"] == visit["visit"]).unwrap()["case"].as_u64().unwrap()
    };
    let measured: BTreeSet<u64> = ended.iter().map(|visit| case_of(visit)).collect();
    assert!(measured.len() < 100, "the time is too short for all");
    let document = place.document();
    let cases = document["suites"][0]["cases"].as_array().unwrap();
    let with_time = cases.iter().filter(|case| !case["variants"][0]["time"].is_null()).count();
    assert_eq!(with_time, measured.len());
    let reasons = events.of("case-ended");
    assert!(reasons.len() == 100 && reasons.iter().all(|end| end["reason"] == "budget"), "{reasons:?}");
    let told = done.err.matches(" not measured (budget exhausted)").count();
    assert_eq!(told, 100 - measured.len(), "{}", done.err);
}

/// The plan decides whether one call fills a visit, for all processes of a case.
#[test]
fn one_call_is_a_visit_by_the_plan_alone() {
    let place = Place::new();
    // The share of a visit is at least 62 ms.
    let run = ["run", "-f", "ndjson", "--total", "3s", "--set", "processes=8", "--set", "isolation=case"];
    let fate = |cost: &str| {
        let harness = ["--", "--cases=3", cost];
        let events = Events(place.fake(&[&run[..], &harness].concat()).expect(0).lines());
        let warmed: BTreeSet<u64> =
            events.turns("warm-up").iter().map(|turn| turn["visit"].as_u64().unwrap()).collect();
        let ended = events.of("visit-ended").into_iter().map(|end| end["visit"].as_u64().unwrap());
        ended.map(|visit| warmed.contains(&visit)).collect::<BTreeSet<bool>>()
    };
    assert_eq!(fate("--cost-ns=60000000"), BTreeSet::from([false]));
    // On a busy machine, one call of some case may fill a visit, so that this case has no warm-up.
    assert!(fate("--cost-ns=1000000").contains(&true));
}

#[test]
fn code_that_is_still_compiled_is_warmed_up_twice_as_long_where_the_budget_has_room() {
    let place = Place::new();
    let warm_up_ms = |args: &[&str]| {
        let run = ["run", "steady", "-f", "ndjson", "--set", "processes=8", "--set", "precision=0.0001%"];
        let harness = ["--", "--compiles=100000"];
        // On a busy machine, two seconds may leave no time for measured turns.
        let events = Events(place.fake(&[&run[..], args, &harness].concat()).lines());
        let mut visits: BTreeMap<u64, f64> = BTreeMap::new();
        for turn in events.turns("warm-up") {
            *visits.entry(turn["visit"].as_u64().unwrap()).or_default() += number(&turn["wall_ns"]) / 1e6;
        }
        (visits.values().copied().fold(f64::MAX, f64::min), visits.values().copied().fold(0.0, f64::max))
    };
    // The first stage has six visits, and two fifths of a share are 133 ms.
    let (_, most) = warm_up_ms(&["--budget", "10s", "--total", "2s"]);
    assert!(most > 200.0, "{most} ms");
    let (least, _) = warm_up_ms(&["--budget", "2s", "--set", "rounds=60"]);
    assert!(least < 200.0, "{least} ms, and six visits of twice that would not fit");
    let (least, _) = warm_up_ms(&["--budget", "10s", "--set", "warmup=60ms"]);
    assert!(least < 100.0, "{least} ms, and somebody has set 60");
}

#[test]
fn quick_is_a_smaller_plan() {
    let place = Place::new();
    let plan = |args: &[&str]| place.fake(&[&["run", "--dry-run", "steady"], args].concat()).expect(0).out;
    assert!(plan(&["--quick"]).contains("the run's budget is 2 s"), "{}", plan(&["--quick"]));
    assert!(plan(&[]).contains("the run's budget is 10 s"), "{}", plan(&[]));
    let events = place.fake(&["run", "--quick", "steady", "-f", "ndjson"]).expect(0).lines();
    assert_eq!(events[0]["run"]["settings"]["quick"], true);
    let started = events.iter().filter(|event| event["event"] == "process-started").count();
    assert!((1..=4).contains(&started), "{started}");
}

#[test]
fn duration_and_batch_time_shape_a_turn() {
    let place = Place::new();
    let args: Vec<&str> = [
        "run",
        "steady",
        "--set",
        "processes=1",
        "--set",
        "duration=20ms",
        "--set",
        "warmup=0",
        "--set",
        "batch-time=500us",
    ]
    .to_vec();
    place.fake(&args).expect(0);
    let rows = place.phase("measured");
    let turns: BTreeSet<u64> = rows.iter().map(|row| row["round"].as_u64().unwrap()).collect();
    assert_eq!(turns.len(), 10, "20 ms in turns of 2 ms");
    let typical = median(rows.iter().map(|row| number(&row["time_ns"])).collect());
    assert!((250e3..1000e3).contains(&typical), "{typical} ns per batch of 500 µs");
    place.tiny(&["steady"]).expect(0);
    let usual = median(place.phase("measured").iter().map(|row| number(&row["time_ns"])).collect());
    assert!(usual < 200e3, "{usual} ns per batch unless asked");
}

#[test]
fn warm_up_is_recorded_and_bounded() {
    let place = Place::new();
    assert!(place.events(&["steady", "--set", "warmup=0"]).turns("warm-up").is_empty());
    let events = place.events(&["steady", "--set", "warmup=10ms"]);
    let turns = events.turns("warm-up").len() / events.of("visit-started").len();
    assert!((1..=20).contains(&turns), "{turns} turns of 2 ms in 10 ms");
}

#[test]
fn collections_happen_when_asked() {
    let place = Place::new();
    let collections = |when: &str| {
        let shape = ["--set", "rounds=4", "--set", "processes=1", "--budget", "60s"];
        let events = place.events(&[&["steady", "--set", &format!("gc={when}")][..], &shape].concat());
        let measured: Vec<String> = events
            .of("turn")
            .iter()
            .map(|turn| turn["phase"].as_str().unwrap().to_string())
            .filter(|phase| phase == "measured" || phase == "collection")
            .collect();
        measured.join(" ")
    };
    assert_eq!(collections("never"), "measured measured measured measured");
    assert_eq!(collections("process"), "collection measured measured measured measured");
    let each = "collection measured collection measured collection measured collection measured";
    assert_eq!(collections("round"), each);
    assert_eq!(place.phase("collection").len(), 4, "they are stored too");
}

/// A small harness in shell. Its turns differ by up to `NOISE` of 20,000 ns, start at number `FROM`, and
/// every second one contains a collection.
const SHELL: &str = r#"#!/bin/sh
for setting in "$@"; do eval "$setting"; done
exec 3<"$DERNY_COMMANDS" 4>"$DERNY_REPLIES"
echo "derny 1 language=${LANGUAGE:-sh} runtime=sh harness=1 pid=$$ clock=none step_ns=1 can= modes=time metrics=gc:count" >&4
turn=${FROM:-0}
while read -r verb rest <&3; do
  case $verb in
    list) echo "case benchmark=b" >&4; echo end >&4 ;;
    open) echo opened >&4 ;;
    measure)
      batches=${rest#*batches=}; batches=${batches%% *}; turn=$((turn + 1)); times=
      while [ "$batches" -gt 0 ]; do times="$times $((20000 + turn * turn * 7919 % ${NOISE:-1}))"; batches=$((batches - 1)); done
      echo "times$times" >&4; echo "end $((turn % 2))" >&4 ;;
    close) echo closed >&4 ;;
    quit) exit 0 ;;
    *) echo "unsupported verb=$verb" >&4 ;;
  esac
done
"#;

#[test]
fn a_pair_takes_more_rounds_where_they_are_noisy() {
    let place = Place::new();
    let program = place.program("shell.sh", SHELL);
    let rounds = |args: &[&str], setting: &str| {
        let run = ["run", "-f", "ndjson", "--budget", "60s", "--set", "processes=8", "--set", "warmup=0"];
        let end = ["-x", "old@.", "-x", "new@.", "--", program.to_str().unwrap(), setting];
        let events = Events(place.derny(&[&run, args, &end].concat()).expect(0).lines());
        events.turns("measured").len() as f64 / events.of("visit-started").len() as f64
    };
    // The noise depends on the process numbers, but any six turns contain enough of it.
    const NOISY: &str = "NOISE=16001 FROM=$$";
    // Other programs may disturb a quiet pair. The noise depends on the process numbers, so an occasional
    // noisy pair is quiet.
    let (quiet, noisy) = (rounds(&[], "NOISE=1"), rounds(&[], NOISY));
    assert!(6.0 <= quiet && quiet < noisy && noisy <= 20.0, "{quiet} and {noisy} rounds a pair");
    assert_eq!(rounds(&["--set", "rounds=12"], NOISY), 12.0, "as the setting says");
    let wide = rounds(&["--margin", "20%"], "NOISE=2003 FROM=$$");
    assert!(wide < noisy, "precise enough for that margin: {wide} rounds a pair");
}

#[test]
fn turns_are_half_as_long_where_compiled_code_is_compared() {
    let place = Place::new();
    let program = place.program("shell.sh", SHELL);
    let batches = |args: &[&str], setting: &str| {
        let run = ["run", "-f", "ndjson", "--budget", "60s", "--set", "processes=2", "--set", "warmup=0"];
        let end = ["--", program.to_str().unwrap(), setting];
        let events = Events(place.derny(&[&run, args, &end].concat()).expect(0).lines());
        events.turns("measured")[0]["times_ns"].as_array().unwrap().len()
    };
    const PAIR: [&str; 4] = ["-x", "old@.", "-x", "new@."];
    assert_eq!(batches(&PAIR, "LANGUAGE=sh"), 100, "of 20 us in 2 ms");
    assert_eq!(batches(&PAIR, "LANGUAGE=rust"), 50);
    assert_eq!(batches(&[], "LANGUAGE=rust"), 100, "nothing is compared");
    assert_eq!(
        batches(&[&PAIR[..], &["--set", "rounds=12"]].concat(), "LANGUAGE=rust"),
        100,
        "as the setting says"
    );
}

#[test]
fn rejected_turns_are_counted_and_measured_again() {
    let place = Place::new();
    let program = place.program("shell.sh", SHELL);
    let run = |reject: &[&str]| {
        let mut args =
            vec!["run", "--set", "processes=2", "--set", "rounds=4", "--set", "warmup=0", "--budget", "60s"];
        args.extend(reject);
        args.extend(["--", program.to_str().unwrap()]);
        place.derny(&args).expect(0);
        let phases = |phase: &str| {
            let rows = place.phase(phase).into_iter();
            let turn = |row: Value| (row["visit"].to_string(), row["at_ns"].as_u64().unwrap());
            rows.map(turn).collect::<BTreeSet<_>>().len()
        };
        (phases("measured"), phases("rejected"))
    };
    assert_eq!(run(&[]), (8, 0));
    let (measured, rejected) = run(&["--set", "reject=gc"]);
    assert_eq!(measured, 8, "all rounds were measured in the end");
    assert!((6..=8).contains(&rejected), "{rejected} turns were hit");
    assert!(place.phase("measured").iter().all(|row| row["counters"]["gc"] == 0.0));
    let variant = &place.document()["suites"][0]["cases"][0]["variants"][0];
    assert_eq!(variant["rejected"][0], serde_json::json!(["gc", rejected]));
}

#[test]
fn confidence_widens_intervals() {
    let place = Place::new();
    let width = |level: &str| {
        let out = place
            .tiny(&[
                "steady",
                "--set",
                &format!("confidence={level}"),
                "--set",
                "processes=6",
                "--",
                "--noise=3",
            ])
            .expect(0)
            .out;
        assert!(out.contains(" % interval"), "{out}");
        let typical = &place.document()["suites"][0]["cases"][0]["variants"][0]["time"]["typical"];
        let width = number(&typical["interval"]["hi"]) - number(&typical["interval"]["lo"]);
        width / number(&typical["value"])
    };
    // At the low level, the interval uses half of the ranks of six processes. At the high level, it is
    // Student's, with a factor of 9.7. Other programs may disturb a single run, so take the median of
    // three.
    let typical = |level: &str| median((0..3).map(|_| width(level)).collect());
    let (low, high) = (typical("0.5"), typical("99.99"));
    assert!(high > 3.0 * low, "{low} and {high}");
    assert!(place.derny(&["show"]).expect(0).out.contains("99.99 % interval"));
}

#[test]
fn a_ladder_varies_the_iterations() {
    let place = Place::new();
    let growth = |args: &[&str]| {
        let own = ["steady", "--set", "processes=1", "--set", "rounds=20", "--budget", "60s"];
        let events = place.events(&[&own, args].concat());
        let counts: Vec<f64> = events.turns("measured").iter().map(|t| number(&t["iterations"])).collect();
        counts[19] / counts[0]
    };
    // Iterations are jittered by up to a tenth. Nineteen steps of 5 % result in a factor of 2.5.
    assert!((0.8..1.25).contains(&growth(&[])));
    let by_steps = growth(&["--set=ladder=yes"]);
    assert!((2.0..3.2).contains(&by_steps), "{by_steps}");
    let figures = &place.document()["suites"][0]["cases"][0]["variants"][0]["figures"];
    let figure = |name: &str| {
        let mut all = figures.as_array().unwrap().iter();
        number(&all.find(|figure| figure["name"] == name).unwrap()["value"])
    };
    // One disturbed turn can move the least-squares line anywhere, but not the robust one.
    assert!(figure("slope").is_finite() && (figure("robust_slope") - 50.0).abs() < 15.0, "{figures}");
}

#[test]
fn precise_is_remembered_with_the_run() {
    let place = Place::new();
    assert_eq!(place.events(&["steady", "--precise"]).settings()["precise"], true);
    assert_eq!(place.events(&["steady"]).settings()["precise"], false);
}

#[test]
fn coverage_is_asked_for_only_where_nothing_is_measured() {
    let place = Place::new();
    let done = place.fake(&["run", "--once", "--cover=3"]).expect(0);
    assert_eq!(done.err.matches("does not support coverage").count(), 1, "{}", done.err);
    let plain = place.fake(&["run", "--once"]).expect(0);
    assert!(!plain.err.contains("covers"), "{}", plain.err);
}

#[test]
fn a_warm_up_goes_on_while_code_is_compiled() {
    let place = Place::new();
    let args = [
        "fake/steady",
        "--set",
        "warmup=20s",
        "--budget",
        "60s",
        "--set",
        "timeout=30s",
        "--",
        "--compiles=60",
    ];
    let events = place.events(&args);
    let compiled = |turn: &&Value| {
        let visit = events.of("visit-started").into_iter().find(|v| v["visit"] == turn["visit"]).unwrap();
        let at = visit["metrics"].as_array().unwrap().iter().position(|metric| metric["name"] == "compiled");
        number(&turn["counters"][at.unwrap()]) > 0.0
    };
    let warm = events.turns("warm-up");
    for visit in events.of("visit-started") {
        let turns: Vec<&Value> =
            warm.iter().copied().filter(|turn| turn["visit"] == visit["visit"]).collect();
        let last = turns.iter().rposition(compiled).expect("60 turns are more than come before the warm-up");
        assert!(turns.len() - last > turns.len() / 4, "{last} of {}", turns.len());
    }
    assert!(!events.turns("measured").iter().any(compiled));
}

#[test]
fn a_warm_up_goes_on_while_a_compilation_is_pending() {
    let place = Place::new();
    let calls_before_rounds = |harness: &[&str]| {
        let mut args =
            vec!["fake/steady", "--set", "warmup=20s", "--budget", "60s", "--set", "timeout=30s", "--"];
        args.extend(harness);
        let events = place.events(&args);
        let of = |visit: &Value, phases: &[&str]| -> f64 {
            let turns = phases.iter().flat_map(|phase| events.turns(phase));
            let own = turns.filter(|turn| turn["visit"] == visit["visit"]);
            own.map(|turn| number(&turn["iterations"]) * turn["times_ns"].as_array().unwrap().len() as f64)
                .sum()
        };
        let visits = events.of("visit-started");
        visits
            .iter()
            .map(|visit| of(visit, &["cold", "calibration", "warm-up", "settling"]))
            .fold(f64::MAX, f64::min)
    };
    // While compilation is pending, each call takes twice its final time.
    let waited = calls_before_rounds(&["--pending=3000000"]);
    assert!(waited >= 3e6, "{waited}");
    // Three million calls of 5 ms would take longer than the whole warm-up.
    let not_waited = calls_before_rounds(&["--pending=3000000", "--cost-ns=5000000"]);
    assert!(not_waited < 500.0, "{not_waited}");
}

/// Eight noisy processes predict that the budget is too small for the precision. `--precise` continues
/// anyway.
#[test]
fn a_precision_out_of_reach_ends_early_unless_it_is_insisted_on() {
    let place = Place::new();
    let reason = |events: &Events| events.of("case-ended")[0]["reason"].clone();
    let started = |events: &Events| events.of("process-started").len();
    let narrow = ["steady", "--set", "precision=0.0001%", "--budget", "20s", "--set", "processes=40"];
    let given_up = place.events(&narrow);
    assert_eq!((reason(&given_up), started(&given_up)), ("precision-predicted".into(), 8));
    let few =
        ["steady", "--set", "precision=0.0001%", "--set", "processes=9", "--budget", "1ms", "--precise"];
    let insisted = place.events(&few);
    assert_eq!((reason(&insisted), started(&insisted)), ("maximum".into(), 9), "the budget is no bound");
    // With `--precise`, a comparison continues up to the maximum number of pairs.
    let sides = ["-x", "a+A=1", "-x", "b+A=2", "--"];
    let compared =
        [&["steady", "--set", "precision=0.0001%", "--set", "processes=9", "--precise"][..], &sides];
    assert_eq!(reason(&place.events(&compared.concat())), "maximum");
}
