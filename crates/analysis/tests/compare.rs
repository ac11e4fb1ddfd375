//! Tests comparisons: pairs, verdicts, families, and runs of different days.

use crate::build::comparison::{of_run, options};
use crate::build::{RunBuilder, case, metric, turn, variant};
use derny_analysis::{Input, Options, compare, gate, select, summarise};
use derny_model::*;
use derny_stats::Rng;

#[derive(Clone, Copy)]
pub(crate) struct Noise {
    pub process: f64,
    pub turn: f64,
    /// Noise that the two turns of a round share.
    pub drift: f64,
}

pub(crate) const QUIET: Noise = Noise { process: 0.002, turn: 0.003, drift: 0.1 };

/// Returns a run with blocks of 12 rounds. The variants take 100 ns multiplied by `factors`.
pub(crate) fn paired(cases: usize, blocks: usize, factors: &[f64], noise: Noise, seed: u64) -> RunBuilder {
    let mut rng = Rng::new(seed);
    let mut run = RunBuilder::new((0..cases).map(|i| case("s", &format!("c{i}"))).collect());
    run.records.header.variants = (0..factors.len()).map(|i| variant(&format!("v{i}"))).collect();
    let mut block = 0;
    for index in 0..cases {
        for _ in 0..blocks {
            let drift: Vec<f64> = (0..12).map(|_| noise.drift * rng.normal()).collect();
            for (number, factor) in factors.iter().enumerate() {
                let process = run.process(number as u32);
                run.records.processes[process as usize].block = block;
                let level = 100.0 * factor * (noise.process * rng.normal()).exp();
                let turns = drift.iter().zip(0..).map(|(drift, round)| {
                    let ns = level * (drift + noise.turn * rng.normal()).exp();
                    Turn { round, ..turn(Phase::Measured, 10_000, vec![(ns * 10_000.0).round() as u64; 4]) }
                });
                run.visit(process, index as u32, &[], turns.collect());
            }
            block += 1;
        }
    }
    run
}

fn verdict(factor: f64, blocks: usize, noise: Noise) -> Verdict {
    let comparison = of_run(&paired(1, blocks, &[1.0, factor], noise, 3), &options());
    comparison.cases[0].sides[0].verdict
}

#[test]
fn every_verdict_is_reached() {
    assert_eq!(verdict(1.03, 8, QUIET), Verdict::Worse);
    assert_eq!(verdict(0.97, 8, QUIET), Verdict::Better);
    assert_eq!(verdict(1.0, 15, QUIET), Verdict::Same);
    assert_eq!(verdict(1.005, 40, QUIET), Verdict::WorseWithinMargin);
    assert_eq!(verdict(0.995, 40, QUIET), Verdict::BetterWithinMargin);
    let loud = Noise { process: 0.05, turn: 0.01, drift: 0.0 };
    assert_eq!(verdict(1.01, 8, loud), Verdict::Unclear);
}

#[test]
fn what_both_sides_of_a_round_share_cancels() {
    let run = paired(1, 8, &[1.0, 1.02], Noise { process: 0.0, turn: 0.0, drift: 0.5 }, 1);
    let comparison = of_run(&run, &options());
    let change = &comparison.cases[0].sides[0].changes[0];
    assert_eq!(change.quantity, Quantity::Typical);
    let estimate = change.change.unwrap();
    let interval = estimate.interval.unwrap();
    assert!((estimate.value - 0.02).abs() < 1e-6 && interval.hi - interval.lo < 1e-5, "{change:?}");
    assert_eq!((change.replicates, change.pairs.len()), (8, 8));
    assert!((change.level - 0.01477).abs() < 1e-4, "the first look's level: {}", change.level);
    assert_eq!(comparison.pairing, Pairing::Paired);
    assert_eq!(comparison.cases[0].times.len(), 2);
}

#[test]
fn the_times_that_are_shown_agree_with_the_change_of_the_pairs() {
    let noise = Noise { process: 0.05, turn: 0.003, drift: 0.1 };
    let comparison = of_run(&paired(3, 12, &[1.0, 1.04], noise, 5), &options());
    let sides = comparison.cases.iter().flat_map(|case| {
        let own = case.times[1].as_ref().map(|time| time.typical.value);
        case.sides.iter().map(move |side| (own, side))
    });
    let mut apart = 0.0_f64;
    for (own, side) in sides {
        let typical = &side.changes[0];
        assert_eq!((typical.quantity, typical.new_alone), (Quantity::Typical, own));
        for change in &side.changes {
            let ratio = change.new / change.base - 1.0;
            assert!((ratio - change.change.unwrap().value).abs() < 1e-9, "{change:?}");
        }
        apart = apart.max((own.unwrap() / typical.new - 1.0).abs());
    }
    // Processes differ by 5 %, so a side's own times differ from those of the pairs.
    assert!(apart > 0.002, "{apart}");
}

/// Five disturbed rounds of twelve exceed the breakdown point of the Hodges–Lehmann estimator (29 %).
#[test]
fn rounds_in_which_one_turn_was_hit_do_not_move_a_pair() {
    let mut run = paired(1, 8, &[1.0, 1.02], Noise { process: 0.0, turn: 0.0, drift: 0.0 }, 1);
    for (visit, record) in run.records.visits.iter_mut().enumerate() {
        let hit = record.turns.iter_mut().filter(|turn| visit % 2 == 1 && turn.round < 5);
        hit.for_each(|turn| turn.times_ns.iter_mut().for_each(|ns| *ns += *ns / 3));
    }
    let comparison = of_run(&run, &options());
    let change = &comparison.cases[0].sides[0].changes[0];
    assert!(change.pairs.iter().all(|pair| (pair - 0.02).abs() < 1e-6), "{change:?}");
}

#[test]
fn a_count_off_the_plan_pays_for_the_looks_before_it() {
    let level = |blocks| {
        let comparison = of_run(&paired(1, blocks, &[1.0, 1.0], QUIET, 5), &options());
        comparison.cases[0].sides[0].changes[0].level
    };
    // The first planned look is at 8 pairs. A look at 7 pairs would be the first, and one at 9 the second.
    // Neither may spend the full 5 %.
    let (seven, eight, nine, eleven) = (level(7), level(8), level(9), level(11));
    assert!(seven < eight && eight < 0.016, "{seven} {eight}");
    assert!(nine < eleven && eleven < 0.011, "{nine} {eleven}");
}

/// A user who interrupts a run may have seen the values, so the last look spends only its own share of the
/// error. An expired budget does not depend on the values, so the last look spends all of the remaining
/// error.
#[test]
fn an_end_that_time_brings_has_all_of_the_error() {
    let width = |blocks, reason| {
        let mut run = paired(1, blocks, &[1.0, 1.0], QUIET, 5);
        run.records.ended = vec![(0, reason)];
        let comparison = of_run(&run, &options());
        let change = &comparison.cases[0].sides[0].changes[0];
        let interval = change.change.unwrap().interval.unwrap();
        (change.level, interval.hi - interval.lo)
    };
    let (time, user) = (width(3, StopReason::Budget), width(3, StopReason::Interrupted));
    assert!((time.0 - 0.05).abs() < 1e-9 && user.0 < 0.01, "{time:?} {user:?}");
    assert!(time.1 < 0.5 * user.1, "{time:?} {user:?}");
    let (ten, look) = (width(10, StopReason::Budget).0, width(8, StopReason::Budget).0);
    assert!(ten < 0.05 && ten > 0.04 && (look - 0.05).abs() < 1e-9, "{ten} {look}");
}

#[test]
fn equal_sides_are_called_different_as_rarely_as_promised() {
    let noise = Noise { process: 0.02, turn: 0.02, drift: 0.05 };
    let comparison = of_run(&paired(300, 8, &[1.0, 1.0], noise, 11), &options());
    let typical = comparison.cases.iter().map(|case| &case.sides[0].changes[0]);
    let wrong = |change: &&Change| {
        let interval = change.change.unwrap().interval.unwrap();
        interval.lo > 0.0 || interval.hi < 0.0
    };
    let alarms = typical.filter(wrong).count();
    assert!(alarms <= 12, "nominal .015 of 300: {alarms}");
    let called = |case: &&ComparedCase| case.sides[0].verdict != Verdict::Unclear;
    assert_eq!(comparison.cases.iter().filter(called).count(), 0, "the family takes chance finds back");
}

#[test]
fn a_listing_controls_the_share_of_false_finds_and_a_gate_any() {
    // One of 60 cases has a real regression.
    let mut run = paired(60, 15, &[1.0, 1.0], Noise { process: 0.012, turn: 0.004, drift: 0.0 }, 17);
    let slow: Vec<u32> =
        run.records.visits.iter().filter(|v| v.visit.case == 7).map(|v| v.visit.process).collect();
    for record in run.records.visits.iter_mut().filter(|record| slow.contains(&record.visit.process)) {
        if run.records.processes[record.visit.process as usize].variant == 1 {
            for turn in &mut record.turns {
                turn.times_ns.iter_mut().for_each(|time| *time = *time * 110 / 100);
            }
        }
    }
    let comparison = of_run(&run, &options());
    assert_eq!(comparison.family, 120, "typical and mean time of 60 cases");
    assert_eq!(comparison.cases[7].sides[0].verdict, Verdict::Worse);
    let found = |case: &&ComparedCase| matches!(case.sides[0].verdict, Verdict::Worse | Verdict::Better);
    assert_eq!(comparison.cases.iter().filter(found).count(), 1);
    let demoted = comparison.cases.iter().flat_map(|case| &case.sides[0].changes).find(|change| {
        let interval = change.change.unwrap().interval.unwrap();
        change.verdict == Verdict::Unclear && (interval.lo > 0.0 || interval.hi < 0.0)
    });
    assert!(
        demoted.is_some_and(|change| change.because.contains("120 comparisons") && change.q.unwrap() > 0.05)
    );
    let gate = gate(&comparison, &[]);
    assert_eq!(gate.worse, [(7, 0, 0)]);
}

#[test]
fn a_gate_minds_only_what_lies_beyond_the_margin() {
    // Certainly slower, but by less than the margin.
    let within = of_run(&paired(1, 40, &[1.0, 1.005], QUIET, 3), &options());
    assert!(gate(&within, &[]).worse.is_empty() && gate(&within, &[]).undecided.is_empty());
    // Certainly slower, but perhaps within the margin. Undecided for a gate.
    let near = of_run(&paired(1, 8, &[1.0, 1.011], QUIET, 3), &options());
    assert_eq!(near.cases[0].sides[0].verdict, Verdict::Worse);
    assert!(gate(&near, &[]).worse.is_empty());
    assert_eq!(gate(&near, &[]).undecided.len(), 1);
    let clear = of_run(&paired(1, 11, &[1.0, 1.03], QUIET, 3), &options());
    assert_eq!(gate(&clear, &[]).worse, [(0, 0, 0)]);
    assert!(gate(&of_run(&paired(1, 8, &[1.0, 0.97], QUIET, 3), &options()), &[]).undecided.is_empty());
}

#[test]
fn mean_time_has_a_margin_of_its_own() {
    let run = paired(1, 15, &[1.0, 1.05], QUIET, 3);
    let mean = |mean_margin| {
        let compared = of_run(&run, &Options { margin: 0.1, mean_margin, ..options() });
        let failing = gate(&compared, &[]).worse;
        (compared.mean_margin, compared.cases[0].sides[0].changes[1].verdict, failing)
    };
    assert_eq!(mean(None), (0.1, Verdict::WorseWithinMargin, vec![]));
    assert_eq!(mean(Some(0.02)), (0.02, Verdict::Worse, vec![(0, 0, 1)]));
}

/// Returns a run with collections of 500 µs, which a counter reports. Variant `v` collects after every
/// `every[v]` turns.
fn with_garbage(blocks: usize, every: [u32; 2]) -> RunBuilder {
    let mut rng = Rng::new(23);
    let mut run = RunBuilder::new(vec![case("s", "a")]);
    run.records.header.variants = vec![variant("old"), variant("new")];
    let counters = [metric("cpu", "ns"), metric("gc", "count")];
    for block in 0..blocks as u32 {
        for number in 0..2 {
            let process = run.process(number);
            run.records.processes[process as usize].block = block;
            let offset = rng.below(u64::from(every[number as usize])) as u32;
            // Both windows contain whole cycles.
            let turns = (0..40).map(|round| {
                let collects = (round + offset).is_multiple_of(every[number as usize]);
                let mut times: Vec<u64> =
                    (0..20).map(|_| (100_000.0 * (0.003 * rng.normal()).exp()) as u64).collect();
                times[3] += if collects { 500_000 } else { 0 };
                let cpu = times.iter().sum::<u64>() as f64;
                Turn {
                    round,
                    counters: vec![Some(cpu), Some(f64::from(collects))],
                    ..turn(if round < 24 { Phase::Measured } else { Phase::Window }, 1000, times)
                }
            });
            run.visit(process, 0, &counters, turns.collect());
        }
    }
    run
}

#[test]
fn twice_the_garbage_never_reads_as_same() {
    for blocks in [8, 15, 40] {
        let comparison = of_run(&with_garbage(blocks, [8, 4]), &options());
        let side = &comparison.cases[0].sides[0];
        assert_eq!(
            side.changes[0].verdict,
            Verdict::Same,
            "batches of a turn hide a pause: {:?}",
            side.changes[0]
        );
        assert_ne!(side.verdict, Verdict::Same, "{:?}", side.changes[1]);
        assert!(side.split);
        assert_eq!(side.changes[1].quantity, Quantity::Mean);
    }
    let comparison = of_run(&with_garbage(40, [8, 4]), &options());
    let side = &comparison.cases[0].sides[0];
    assert_eq!(side.verdict, Verdict::Worse, "a pause of 25 % of a turn in every eighth more is 3.1 %");
    let gate = gate(&comparison, &[]);
    assert_eq!(gate.worse, [(0, 0, 1)], "a gate takes the worse of the two times");
    let equal = of_run(&with_garbage(40, [8, 8]), &options());
    assert_eq!(equal.cases[0].sides[0].verdict, Verdict::Same);
}

#[test]
fn rejected_turns_count_in_mean_time() {
    let mut run = with_garbage(15, [1000, 1000]);
    for record in &mut run.records.visits {
        if run.records.processes[record.visit.process as usize].variant == 1 {
            let slow = record.turns.iter().take(4).map(|turn| {
                let times_ns: Vec<u64> = turn.times_ns.iter().map(|time| time * 2).collect();
                let cpu = times_ns.iter().sum::<u64>() as f64;
                let counters = vec![Some(cpu), Some(0.0)];
                Turn { phase: Phase::Rejected, times_ns, counters, ..turn.clone() }
            });
            let slow: Vec<Turn> = slow.collect();
            record.turns.to_mut().extend(slow);
        }
    }
    let comparison = of_run(&run, &options());
    let side = &comparison.cases[0].sides[0];
    assert_eq!(side.changes[0].verdict, Verdict::Same);
    assert_eq!((side.verdict, side.split), (Verdict::Worse, true));
}

pub(crate) fn plain(id: &str, ns: f64, commit: &str, seed: u64) -> RunBuilder {
    let mut run = paired(1, 8, &[ns / 100.0], Noise { drift: 0.0, ..QUIET }, seed);
    run.records.header.id = id.to_owned();
    run.records.header.commit = Some(Commit { hash: commit.to_owned(), branch: None, dirty: false });
    run
}

pub(crate) fn of_runs(base: &RunBuilder, new: &RunBuilder, groups: &[Vec<Document>]) -> Comparison {
    let documents = [base, new].map(|run| summarise(&run.records));
    let inputs: Vec<Input> = [base, new]
        .iter()
        .zip(&documents)
        .map(|(run, document)| Input {
            name: document.run.id.clone(),
            document,
            records: Some(&run.records),
            variant: 0,
        })
        .collect();
    let history: Vec<Vec<&Document>> = groups.iter().map(|group| group.iter().collect()).collect();
    compare(&inputs, &Options { history: &history, ..options() })
}

#[test]
fn what_differs_beside_is_listed() {
    let (base, mut new) = (plain("a", 100.0, "aaaa", 1), plain("b", 100.0, "bbbb", 2));
    let header = &mut new.records.header;
    header.machine.cpu = "another".to_owned();
    header.machine.facts.insert("governor".to_owned(), "powersave".to_owned());
    header.settings.gc = "never".to_owned();
    header.derny = "9.9.9".to_owned();
    header.variants[0].env = vec![("NODE_OPTIONS".to_owned(), "--no-opt".to_owned())];
    for process in &mut new.records.processes {
        process.runtime = "test/2".to_owned();
        process.harness = "1".to_owned();
    }
    let comparison = of_runs(&base, &new, &[]);
    let whats: Vec<&str> = comparison.context.iter().map(|difference| difference.what.as_str()).collect();
    assert_eq!(whats, ["cpu", "derny", "environment NODE_OPTIONS", "gc", "governor", "harness", "runtime"]);
    assert!(of_runs(&base, &plain("c", 100.0, "cccc", 3), &[]).context.is_empty());
}

#[test]
fn threads_that_cases_declare_are_listed_where_they_differ() {
    let declared = |threads: u32, commit: &str| {
        let mut run = plain(commit, 100.0, commit, u64::from(threads));
        run.records.cases[0].threads = Some(threads);
        run
    };
    let comparison = of_runs(&declared(1, "aaaa"), &declared(8, "bbbb"), &[]);
    let found: Vec<[&str; 3]> =
        comparison.context.iter().map(|one| [&*one.what, &*one.base, &*one.new]).collect();
    assert_eq!(found, [["threads", "1", "8"]]);
    assert!(of_runs(&declared(8, "aaaa"), &declared(8, "bbbb"), &[]).context.is_empty());
}

#[test]
fn builds_are_the_replicates_where_there_are_several() {
    // The layouts of four builds differ by 3 %. More pairs per build do not replace more builds.
    let mut run = paired(1, 40, &[1.0, 1.0], Noise { process: 0.0005, turn: 0.001, drift: 0.0 }, 13);
    run.records.header.settings.builds = 4;
    let layouts = [1.03, 0.98, 1.04, 1.0];
    for index in 0..run.records.processes.len() {
        let process = &mut run.records.processes[index];
        process.build = process.block % 4;
        process.binary = Some(format!("{} {}", process.variant, process.build));
        let (number, factor) = (process.process, layouts[process.build as usize]);
        if process.variant == 1 {
            let record = run.records.visits.iter_mut().find(|record| record.visit.process == number).unwrap();
            for time in record.turns.iter_mut().flat_map(|turn| &mut turn.times_ns) {
                *time = (*time as f64 * factor) as u64;
            }
        }
    }
    let sampled = of_run(&run, &options());
    let change = &sampled.cases[0].sides[0].changes[0];
    let interval = change.change.unwrap().interval.unwrap();
    assert!(interval.lo < 0.0 && interval.hi > 0.03, "{change:?}");
    assert!(sampled.unknown.is_empty(), "{:?}", sampled.unknown);
    // With a single binary, the same pairs give a verdict, and a warning about code layout.
    run.records.header.settings.builds = 0;
    for process in &mut run.records.processes {
        process.build = 0;
        process.binary = Some(process.variant.to_string());
    }
    let unsampled = of_run(&run, &options());
    assert!(unsampled.unknown.iter().any(|sentence| sentence.contains("layout was not sampled")));
}

#[test]
fn a_control_counts_apart() {
    let mut run = paired(3, 8, &[1.0, 1.0, 1.05], QUIET, 19);
    run.records.header.variants[1].control = true;
    let comparison = of_run(&run, &options());
    assert!(comparison.sides[1].control && !comparison.sides[2].control);
    let control = comparison.control.clone().unwrap();
    assert_eq!((control.comparisons, control.material), (3, 0));
    assert!(control.floor < 0.01 && control.half_width > 0.0);
    assert_eq!(comparison.family, 6, "both times of three cases, the control's left out");
    assert_eq!(comparison.geometric_means.len(), 2);
    let mean = comparison.geometric_means.iter().find(|mean| mean.side == 2).unwrap();
    let interval = mean.change.interval.unwrap();
    assert!(mean.cases == 3 && interval.lo < 0.05 && 0.05 < interval.hi, "{mean:?}");
    assert!(interval.hi - interval.lo < 0.01);
    assert!(gate(&comparison, &[]).worse.iter().all(|(_, side, _)| *side == 1));
}

#[test]
fn a_thousand_cases_are_compared_while_one_waits() {
    let cases = if cfg!(debug_assertions) { 50 } else { 1000 };
    let run = paired(cases, 10, &[1.0, 1.01], QUIET, 29);
    let start = std::time::Instant::now();
    let comparison = of_run(&run, &options());
    assert_eq!(comparison.cases.len(), cases);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn what_goes_on_without_an_end_is_rarely_wrong_at_any_look() {
    let sides = |runs: &[Records]| {
        let all = RunBuilder { records: derny_analysis::join(runs.to_vec()).unwrap() };
        of_run(&all, &Options { anytime: true, ..options() })
    };
    let noise = Noise { process: 0.01, turn: 0.01, drift: 0.1 };
    let mut wrong = [false; 40];
    let mut stages: Vec<Records> = Vec::new();
    for seed in 0..6 {
        stages.push(paired(40, 4, &[1.0, 1.0], noise, 70 + seed).records);
        for (case, wrong) in sides(&stages).cases.iter().zip(&mut wrong) {
            let interval = case.sides[0].changes[0].change.unwrap().interval;
            *wrong |= interval.is_some_and(|interval| interval.lo > 0.0 || interval.hi < 0.0);
        }
    }
    assert!(wrong.iter().filter(|wrong| **wrong).count() <= 6, "5 % of 40 are 2");
    let slow: Vec<Records> =
        (0..6).map(|seed| paired(1, 4, &[1.0, 1.02], QUIET, 90 + seed).records).collect();
    let comparison = sides(&slow);
    assert_eq!(comparison.cases[0].sides[0].verdict, Verdict::Worse);
    assert_eq!(
        comparison.cases[0].sides[0].changes[0].replicates, 24,
        "blocks of later runs are further blocks"
    );
}

#[test]
fn looks_stay_with_their_case_when_cases_are_selected() {
    let mut run = RunBuilder::new(vec![case("s", "first"), case("s", "second"), case("s", "third")]);
    let looked = |case: u32| Look { case, blocks: vec![0, case], reason: LookReason::Planned };
    run.records.looks = vec![looked(0), looked(2), looked(1)];
    let records = select(run.records, |case| case.id.benchmark != "first");
    assert_eq!(records.looks, [Look { case: 1, ..looked(2) }, Look { case: 0, ..looked(1) }]);
}
