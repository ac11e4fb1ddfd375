//! Tests comparisons of runs that were not measured together: verdicts, and changes due to the machine.

use crate::build::RunBuilder;
use crate::compare::{Noise, QUIET, of_runs, paired, plain};
use derny_analysis::{gate, summarise};
use derny_model::*;
use derny_stats::Rng;

fn measured_with(mut run: RunBuilder, yardsticks: &[f64]) -> RunBuilder {
    let one = |(at, time_ns): (usize, &f64)| {
        let (name, error_ns) = (format!("y{at}"), 0.001 * time_ns);
        Yardstick { name, time_ns: *time_ns, error_ns }
    };
    let yardsticks = yardsticks.iter().enumerate().map(one).collect();
    run.records.observations.push(Observation { yardsticks, ..Observation::default() });
    beside(run, 0.0, 0.0)
}

fn beside(mut run: RunBuilder, steal: f64, others: f64) -> RunBuilder {
    run.records.observations.retain(|seen| seen.steal.is_none());
    let seen =
        Observation { at_ns: 1, steal: Some(steal), busy_others: Some(others), ..Observation::default() };
    run.records.observations.push(seen);
    run
}

fn of_few(mut run: RunBuilder, processes: usize) -> RunBuilder {
    run.records.processes.truncate(processes);
    run.records.visits.truncate(processes);
    run
}

fn undecided(comparison: &Comparison, reason: Reason) {
    for change in comparison.cases.iter().flat_map(|case| &case.sides).flat_map(|side| &side.changes) {
        assert_eq!((change.verdict, change.reason), (Verdict::Unclear, Some(reason)), "{change:?}");
        assert!(change.change.unwrap().interval.is_none() && change.machine.is_none(), "{change:?}");
        assert!(
            change.because.starts_with("not measured together; ") || reason != Reason::TooFewPairs,
            "{change:?}"
        );
    }
    assert!(comparison.geometric_means.iter().all(|mean| mean.change.interval.is_none()));
    let gate = gate(comparison, &[]);
    // A change without an interval is never worse.
    assert!(gate.worse.is_empty() && !gate.unjudged.is_empty());
}

fn history(count: usize, spread: f64) -> Vec<Vec<Document>> {
    let mut rng = Rng::new(41);
    let runs = (0..count as u64).map(|i| {
        let mut run = plain(&format!("h{i}"), 100.0 * (spread * rng.normal()).exp(), "aaaa", 100 + i);
        run.records.header.started_ms = i as i64 * 86_400_000;
        summarise(&run.records)
    });
    vec![runs.collect()]
}

fn first(comparison: &Comparison) -> &Change {
    &comparison.cases[0].sides[0].changes[0]
}

fn width(comparison: &Comparison) -> f64 {
    let interval = first(comparison).change.unwrap().interval.unwrap();
    interval.hi - interval.lo
}

#[test]
fn without_yardsticks_nothing_is_known_of_the_machine() {
    let base = plain("a", 100.0, "aaaa", 1);
    for ns in [74.0, 103.0, 200.0] {
        let new = plain("b", ns, "bbbb", 2);
        let known = measured_with(new, &[1.0, 1.0]);
        let comparison = of_runs(&base, &known, &[]);
        undecided(&comparison, Reason::NotTogether);
        let change = first(&comparison);
        assert!((change.change.unwrap().value - (ns / 100.0 - 1.0)).abs() < 0.02);
        assert_eq!((comparison.pairing, comparison.family), (Pairing::Unpaired, 0));
        assert_eq!((change.p, change.q, change.holm), (None, None, None));
        let unknown = comparison.unknown.join(" ");
        assert!(unknown.contains("no yardsticks"), "{unknown}");
        assert!(unknown.contains("`derny run -x aaaa -x bbbb`"), "{unknown}");
    }
}

#[test]
fn a_run_that_was_not_observed_may_have_been_disturbed_by_anything() {
    let of = |id: &str, ns| measured_with(plain(id, ns, "aaaa", 1), &[1.0, 1.0]);
    let mut older = of("a", 100.0);
    older.records.observations.iter_mut().for_each(|seen| seen.busy_others = None);
    for (base, new) in [(&older, &of("b", 250.0)), (&of("b", 250.0), &older)] {
        let comparison = of_runs(base, new, &[]);
        undecided(&comparison, Reason::NotTogether);
        assert!(
            comparison.unknown.join(" ").contains("load by other programs is unknown"),
            "{:?}",
            comparison.unknown
        );
    }
}

#[test]
fn fewer_than_six_processes_a_side_have_no_interval_and_no_verdict() {
    let of = |id: &str, ns, seed| measured_with(plain(id, ns, "aaaa", seed), &[1.0, 1.0]);
    let (whole, half) = (of("a", 100.0, 1), of("b", 60.0, 2));
    assert_eq!(first(&of_runs(&whole, &half, &[])).verdict, Verdict::Better);
    for processes in [1, 3, 5] {
        undecided(&of_runs(&whole, &of_few(of("b", 60.0, 2), processes), &[]), Reason::TooFewPairs);
        undecided(&of_runs(&of_few(of("a", 100.0, 1), processes), &half, &[]), Reason::TooFewPairs);
    }
    assert_eq!(first(&of_runs(&of_few(whole, 6), &of_few(half, 6), &[])).verdict, Verdict::Better);
}

/// A change of load can explain the slowdown that it causes, however large.
#[test]
fn a_load_that_changes_is_never_the_programs() {
    let mut rng = Rng::new(11);
    for trial in 0..40 {
        let mut run = |id: &str, seed: u64| {
            let (steal, others) = (0.3 * rng.f64(), 0.65 * rng.f64());
            // Load that takes a share s of the time makes a program at most 1 / (1 - s) times as slow.
            let slower = (1.0 - steal - others).powf(-rng.f64());
            beside(measured_with(plain(id, 100.0 * slower, "aaaa", seed), &[1.0, 1.0]), steal, others)
        };
        let (base, new) = (run("a", 2 * trial), run("b", 2 * trial + 1));
        let comparison = of_runs(&base, &new, &[]);
        let change = first(&comparison);
        assert_eq!((change.verdict, change.reason), (Verdict::Unclear, Some(Reason::Machine)), "{change:?}");
        assert!(gate(&comparison, &[]).worse.is_empty());
    }
}

#[test]
fn what_the_load_cannot_account_for_is_the_programs() {
    let of = |id: &str, ns, others| {
        let run = measured_with(plain(id, ns, "aaaa", 1), &[1.0, 1.0]);
        beside(run, 0.0, others)
    };
    let verdict = |old: (f64, f64), new: (f64, f64)| {
        let comparison = of_runs(&of("a", old.0, old.1), &of("b", new.0, new.1), &[]);
        assert_eq!(comparison.machine[0].contention.map(|one| one.unwrap().others), [old.1, new.1]);
        (first(&comparison).verdict, comparison.unknown.join(" "))
    };
    // Other programs used almost none of the machine.
    assert_eq!(verdict((100.0, 0.0), (120.0, 0.0)).0, Verdict::Worse);
    assert_eq!(verdict((100.0, 0.02), (80.0, 0.02)).0, Verdict::Better);
    // During one of the runs, other programs took half of the time, which may double times.
    let (open, said) = verdict((100.0, 0.0), (170.0, 0.5));
    assert_eq!(open, Verdict::Unclear);
    assert!(said.contains("The machine was busy during b: other programs took 50 %"), "{said}");
    assert!(!said.contains("busy during a"), "{said}");
    assert_eq!(verdict((170.0, 0.5), (100.0, 0.0)).0, Verdict::Unclear);
    // The program is faster despite the load, or slower than the load can explain.
    assert_eq!(verdict((100.0, 0.0), (80.0, 0.5)).0, Verdict::Better);
    assert_eq!(verdict((100.0, 0.0), (300.0, 0.5)).0, Verdict::Worse);
}

#[test]
fn a_base_with_uncommitted_changes_is_said_to_be_so() {
    let base = |dirty| {
        let mut run = measured_with(plain("a", 100.0, "aaaabbbbccccdddd", 1), &[1.0]);
        run.records.header.commit.as_mut().unwrap().dirty = dirty;
        run
    };
    let new = measured_with(plain("b", 200.0, "eeee", 2), &[1.0]);
    let said = |dirty| of_runs(&base(dirty), &new, &[]).unknown.join(" ");
    let dirty = said(true);
    assert!(dirty.contains("a was measured with uncommitted changes on top of aaaabbbbcc"), "{dirty}");
    assert!(dirty.contains("commit the base's code, and measure both"), "{dirty}");
    assert!(!said(false).contains("commit"), "{}", said(false));
}

#[test]
fn what_the_yardsticks_span_is_the_machines() {
    let base = measured_with(plain("a", 100.0, "aaaa", 1), &[1.0, 1.0, 1.0]);
    let of = |ns: f64, yardsticks: &[f64]| {
        of_runs(&base, &measured_with(plain("b", ns, "bbbb", 2), yardsticks), &[])
    };
    // The machine and its yardsticks are 8 % slower. The program has not changed.
    let alike = of(108.0, &[1.08, 1.08, 1.08]);
    assert_eq!(first(&alike).reason, Some(Reason::Machine));
    let range = first(&alike).machine.unwrap();
    assert!((range.lo - 0.026).abs() < 0.002 && (range.hi - 0.137).abs() < 0.002, "{range:?}");
    assert!(alike.machine[0].yardsticks.iter().all(|one| one.moved));
    assert!(alike.unknown.iter().any(|sentence| sentence.contains("y0 +8.0 %")), "{:?}", alike.unknown);
    assert_eq!(first(&of(108.0, &[1.0, 1.0, 1.0])).verdict, Verdict::Worse);
    // The yardsticks differ by up to 8 %, so the machine may explain −4 to +12 %.
    assert_eq!(first(&of(110.0, &[1.0, 1.03, 1.08])).reason, Some(Reason::Machine));
    assert_eq!(first(&of(120.0, &[1.0, 1.03, 1.08])).verdict, Verdict::Worse);
    assert!(
        of(100.0, &[1.0, 1.0, 1.001])
            .unknown
            .iter()
            .any(|sentence| sentence.starts_with("No yardstick moved"))
    );
}

#[test]
fn another_machine_decides_nothing() {
    let base = plain("a", 100.0, "aaaa", 1);
    let mut other = plain("b", 300.0, "bbbb", 2);
    other.records.header.machine.cpu = "another".to_owned();
    let comparison = of_runs(&base, &other, &history(12, 0.001));
    let change = first(&comparison);
    assert_eq!((change.verdict, change.reason), (Verdict::Unclear, Some(Reason::Machine)));
    assert!(change.change.unwrap().interval.is_none() && change.machine.is_none());
    assert_eq!(change.because, "measured on another machine");
    assert!(comparison.geometric_means.iter().all(|mean| mean.change.interval.is_none()));
    assert!(comparison.machine.is_empty() && !gate(&comparison, &[]).unjudged.is_empty());
}

#[test]
fn a_shift_that_all_cases_share_is_told() {
    let run = |id: &str, factor: f64| {
        let mut run = paired(3, 8, &[factor], Noise { drift: 0.0, ..QUIET }, 3);
        run.records.header.id = id.to_owned();
        run
    };
    let base = measured_with(run("a", 1.0), &[1.0, 2.0]);
    let still = of_runs(&base, &measured_with(run("b", 1.03), &[1.0, 2.0]), &[]);
    assert!((still.machine[0].common_shift.unwrap() - 0.03).abs() < 0.005);
    let unknown = still.unknown.join(" ");
    assert!(unknown.contains("All cases share a shift of +3.0 %, and no yardstick moved"), "{unknown}");
    assert!(still.cases.iter().all(|case| case.sides[0].verdict == Verdict::Unclear));
    let moved = of_runs(&base, &measured_with(run("b", 1.03), &[1.03, 2.06]), &[]);
    assert!(moved.unknown.join(" ").contains("and the yardsticks moved too"));
    for other in [&[1.0, 2.0], &[1.03, 2.06]] {
        let program = of_runs(&base, &measured_with(run("b", 1.2), other), &[]).unknown.join(" ");
        assert!(program.contains("+20.0 %, which is more than the machine can explain"), "{program}");
    }
    let mean = moved.geometric_means[0].change;
    let interval = mean.interval.unwrap();
    assert!((mean.value - 0.03).abs() < 0.005 && interval.lo < 0.0 && 0.0 < interval.hi, "{mean:?}");
}

#[test]
fn history_of_ten_days_bounds_what_two_runs_can_show() {
    let run = |id: &str, ns: f64, day: i64| {
        let mut run = plain(id, ns, "bbbb", day as u64 + 1);
        run.records.header.started_ms = day * 86_400_000;
        measured_with(run, &[1.0, 1.0])
    };
    let (base, slow) = (run("a", 100.0, 0), run("b", 104.0, 2));
    let calm = of_runs(&base, &slow, &history(10, 0.003));
    assert_eq!(first(&calm).verdict, Verdict::Worse, "{:?}", first(&calm));
    for groups in [history(9, 0.003), Vec::new()] {
        assert_eq!(first(&of_runs(&base, &slow, &groups)).reason, Some(Reason::Machine));
    }
    let far = of_runs(&base, &run("c", 104.0, 30), &history(10, 0.003));
    assert_eq!(first(&far).reason, Some(Reason::Machine), "ten days say nothing of thirty");
    let wild = of_runs(&base, &slow, &history(10, 0.08));
    assert_eq!(first(&wild).verdict, Verdict::Unclear);
    assert!(width(&wild) > 2.0 * width(&far), "{} {}", width(&wild), width(&far));
}

#[test]
fn ten_days_of_the_same_code_are_as_good_as_yardsticks() {
    let (base, slow) = (plain("a", 100.0, "bbbb", 1), plain("b", 115.0, "bbbb", 2));
    assert_eq!(first(&of_runs(&base, &slow, &history(10, 0.003))).verdict, Verdict::Worse);
    undecided(&of_runs(&base, &slow, &history(9, 0.003)), Reason::NotTogether);
}

#[test]
fn runs_of_the_same_code_are_rarely_called_different() {
    // Each trial has a history of ten days with the same spread as the compared runs.
    let mut rng = Rng::new(5);
    let trials = 60;
    let mut alarms = 0;
    for trial in 0..trials {
        let mut run = |id: &str, seed, day: i64| {
            let mut run = plain(id, 100.0 * (0.03 * rng.normal()).exp(), "aaaa", seed);
            run.records.header.started_ms = day * 86_400_000;
            run
        };
        let group = (0..10).map(|i| summarise(&run("h", trial * 20 + i, i as i64).records)).collect();
        let (base, new) = (run("a", trial * 20 + 11, 11), run("b", trial * 20 + 12, 12));
        let interval = first(&of_runs(&base, &new, &[group])).change.unwrap().interval.unwrap();
        alarms += u32::from(interval.lo > 0.0 || interval.hi < 0.0);
    }
    assert!(alarms <= 9, "5 % of {trials} are 3: {alarms}");
}

#[test]
fn a_case_is_compared_with_itself_whatever_the_order_of_its_parameters() {
    let run = |id: &str, ns| measured_with(plain(id, ns, "aaaa", 1), &[1.0]);
    let (mut base, mut new) = (run("a", 100.0), run("b", 200.0));
    let params = |keys: [&str; 2]| keys.map(|key| (key.to_owned(), "1".to_owned())).to_vec();
    base.records.cases[0].id.params = params(["n", "m"]);
    new.records.cases[0].id.params = params(["m", "n"]);
    let comparison = of_runs(&base, &new, &[]);
    assert_eq!((comparison.cases.len(), comparison.alone.len()), (1, 0));
    assert_eq!(comparison.cases[0].sides[0].verdict, Verdict::Worse);
}
