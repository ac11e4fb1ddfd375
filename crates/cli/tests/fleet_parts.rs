//! Tests `merge` with parts that are missing, damaged, measured twice, or of another plan.

#![cfg(unix)]

use crate::fleet::{changes, forged, merge, plan, shard, verdicts};
use crate::place::{Place, number};
use derny_model::{FleetPlan, Part, Records, RunStatus};
use std::path::Path;

#[test]
fn what_is_wrong_with_parts_is_named_and_never_passes() {
    let place = Place::new();
    plan(&place, &["--shards", "2"]);
    shard(&place, "plan.json", "1/2", "r1.derny", "a").expect(0);
    // A part is missing.
    let missing = place.derny(&["fleet", "merge", "r1.derny"]).expect(5);
    assert!(missing.err.contains("missing: 2/2"), "{}", missing.err);
    assert!(missing.out.contains("none of the given parts measured it"), "{}", missing.out);
    let gate = place.derny(&["fleet", "merge", "r1.derny", "--fail-on", "unclear"]).expect(5);
    assert!(gate.err.contains("missing: 2/2"), "{}", gate.err);
    // A part is truncated, at any place.
    let whole = std::fs::read(place.root.join("r1.derny")).unwrap();
    for length in [0, 10, 100, whole.len() / 2, whole.len() - 1] {
        std::fs::write(place.root.join("cut.derny"), &whole[..length]).unwrap();
        let cut = place.derny(&["fleet", "merge", "r1.derny", "cut.derny"]).expect(5);
        assert!(cut.err.contains("cut.derny is skipped"), "{length}: {}", cut.err);
    }
    // A file is not a part.
    place.write("text.derny", "hello, this is no part at all, whatever its name says");
    let none = place.derny(&["fleet", "merge", "text.derny"]).expect(2);
    assert!(none.err.contains("no part to merge") && none.err.contains("text.derny"), "{}", none.err);
    // A part that is given twice counts once.
    shard(&place, "plan.json", "2/2", "r2.derny", "a").expect(0);
    std::fs::copy(place.root.join("r2.derny"), place.root.join("copy.derny")).unwrap();
    let twice = merge(&place, &["r1.derny", "r2.derny", "copy.derny"]).expect(0);
    assert!(twice.err.contains("copy.derny is the same part as r2.derny"), "{}", twice.err);
    assert_eq!(twice.out, merge(&place, &["r1.derny", "r2.derny"]).expect(0).out);
    // A shard that was measured twice also counts once, and is named.
    shard(&place, "plan.json", "2/2", "again.derny", "a").expect(0);
    let double = merge(&place, &["r1.derny", "r2.derny", "again.derny"]).expect(5);
    assert!(double.err.contains("shard 2/2 was measured twice"), "{}", double.err);
    assert_eq!(changes(&double.json()).iter().map(|c| number(&c["replicates"])).sum::<f64>(), 24.0);
    // If the shard is measured again into the same file, the new part replaces the old one.
    let before = std::fs::read(place.root.join("r2.derny")).unwrap();
    shard(&place, "plan.json", "2/2", "r2.derny", "a").expect(0);
    assert_ne!(std::fs::read(place.root.join("r2.derny")).unwrap(), before);
    merge(&place, &["r1.derny", "r2.derny"]).expect(0);
    let left: Vec<String> = names(&place.root).into_iter().filter(|name| name.contains(".derny.")).collect();
    assert!(left.is_empty(), "{left:?}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_part_of_another_plan_is_left_out_by_name() {
    let place = Place::new();
    plan(&place, &["--shards", "2", "--seed", "1"]);
    shard(&place, "plan.json", "1/2", "r1.derny", "a").expect(0);
    shard(&place, "plan.json", "2/2", "r2.derny", "a").expect(0);
    plan(&place, &["--shards", "2", "--seed", "1", "--margin", "3%"]);
    shard(&place, "plan.json", "2/2", "other.derny", "a").expect(0);
    let mixed = merge(&place, &["r1.derny", "r2.derny", "other.derny"]).expect(5);
    assert!(
        mixed.err.contains("other.derny is skipped") && mixed.err.contains("the settings differ"),
        "{}",
        mixed.err
    );
    let without = merge(&place, &["r1.derny", "r2.derny"]).expect(0);
    assert_eq!(verdicts(&mixed.json()), verdicts(&without.json()));
    // The part of the other plan does not replace the shard with the same number.
    let lost = place.derny(&["fleet", "merge", "r1.derny", "other.derny"]).expect(5);
    assert!(lost.err.contains("missing: 2/2"), "{}", lost.err);
}

fn part_of(records: &mut Records) -> &mut Part {
    records.header.part.as_mut().unwrap()
}

/// A part with invalid numbers affects neither the other parts nor the time that merging takes.
#[test]
fn a_part_that_says_what_cannot_be_is_left_out() {
    let place = Place::new();
    plan(&place, &["--shards", "2"]);
    shard(&place, "plan.json", "1/2", "r1.derny", "a").expect(0);
    shard(&place, "plan.json", "2/2", "r2.derny", "a").expect(0);
    type Change = fn(&mut Records);
    let changes: [(Change, &str); 5] = [
        (|run| part_of(run).shard = 0, "it claims to be shard 0 of 2"),
        (|run| part_of(run).wave = u32::MAX, "of wave 4294967295"),
        (|run| run.visits[0].visit.case = 4_000_000_000, "has a case or process that is not in the run"),
        (|run| run.visits[0].visit.process = 4_000_000_000, "has a case or process that is not in the run"),
        (|run| run.processes[0].variant = 7, "has a variant that is not in the run"),
    ];
    for (number, (change, why)) in changes.into_iter().enumerate() {
        let file = format!("x{number}.derny");
        forged(&place, "r1.derny", &file, |_, run| change(run));
        let merged = merge(&place, &[&file, "r2.derny"]).expect(5);
        let left_out = merged.err.lines().find(|line| line.contains("is skipped")).unwrap_or_default();
        assert!(left_out.contains(&file) && left_out.contains(why), "{}", merged.err);
    }
}

#[test]
fn parts_of_another_engine_commit_or_clock_are_named_or_hold() {
    let place = Place::new();
    plan(&place, &["--shards", "2"]);
    shard(&place, "plan.json", "1/2", "r1.derny", "a").expect(0);
    shard(&place, "plan.json", "2/2", "r2.derny", "a").expect(0);
    let whole = merge(&place, &["r1.derny", "r2.derny"]).expect(0).json();
    let elsewhere = |plan: &mut FleetPlan, records: &mut Records| {
        plan.measures = "another".into();
        part_of(records).measures = "another".into();
    };
    forged(&place, "r2.derny", "engine.derny", |plan, records| {
        plan.identity.derny = "0.0.1".into();
        elsewhere(plan, records);
    });
    forged(&place, "r2.derny", "commit.derny", |plan, records| {
        plan.identity.commit = Some("0".repeat(40));
        elsewhere(plan, records);
    });
    for (file, why) in [("engine.derny", "the engines differ"), ("commit.derny", "the commits differ")] {
        let left = merge(&place, &["r1.derny", file]).expect(5);
        assert!(left.err.contains(file) && left.err.contains(why), "{}", left.err);
        assert!(left.err.contains("missing: 2/2"), "{}", left.err);
    }
    // If a shard was interrupted and then measured again, the complete part counts, in either order.
    forged(&place, "r2.derny", "cut.derny", |_, records| {
        (records.header.id, records.header.status) = ("zzzz".into(), RunStatus::Partial);
        records.visits.truncate(1);
    });
    let double = merge(&place, &["cut.derny", "r1.derny", "r2.derny"]).expect(5);
    assert!(double.err.contains("cut.derny is skipped: shard 2/2 was measured twice"), "{}", double.err);
    assert_eq!(double.json()["comparison"]["cases"], whole["comparison"]["cases"]);
    // A machine's clock is off by years. Nothing is compared with another machine's time.
    forged(&place, "r2.derny", "clock.derny", |_, records| {
        records.header.started_ms -= 100_000_000_000;
        records.header.ended_ms = Some(records.header.started_ms - 5);
    });
    let clock = merge(&place, &["r1.derny", "clock.derny"]).expect(0).json();
    assert_eq!(clock["comparison"]["cases"], whole["comparison"]["cases"]);
    // A flipped bit may turn one plausible time into another.
    let bytes = std::fs::read(place.root.join("r2.derny")).unwrap();
    for at in (0..8).map(|part| 100 + part * (bytes.len() - 101) / 7) {
        let mut other = bytes.clone();
        other[at] ^= 4;
        std::fs::write(place.root.join("bit.derny"), other).unwrap();
        let bit = merge(&place, &["r1.derny", "bit.derny"]).expect(5);
        assert!(bit.err.contains("bit.derny is skipped"), "{at}: {}", bit.err);
    }
}
