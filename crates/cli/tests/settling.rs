//! Tests the state of memory and of the collector when the measured rounds begin: pages have been touched,
//! heaps are settled if possible, and collections no longer become rarer.
#![cfg(target_os = "linux")]

use crate::place::{Events, Place, number};
use serde_json::Value;

/// Flags for a call of 100 µs that touches four pages of a heap of 40,000. Calls alone would need a second to
/// touch all.
const TOUCHING: [&str; 3] = ["--", "--cost-ns=100000", "--touch=4:40000"];
/// Flag that declares all optional verbs except `settle`.
const UNSETTLED: &str = "--can=overhead,collect,check,hash";

fn events(place: &Place, args: &[&str]) -> Events {
    place.events(&[&["steady", "--set", "warmup=20s"][..], args].concat())
}

/// Returns the sum of a counter over turns.
fn sum<'a>(events: &Events, name: &str, turns: impl IntoIterator<Item = &'a &'a Value>) -> f64 {
    let metrics = events.of("visit-started")[0]["metrics"].as_array().unwrap();
    let at = metrics.iter().position(|metric| metric["name"] == name).unwrap();
    turns.into_iter().map(|turn| number(&turn["counters"][at])).sum()
}

fn iterations<'a>(turns: impl IntoIterator<Item = &'a &'a Value>) -> f64 {
    let of = |turn: &&Value| number(&turn["iterations"]) * turn["times_ns"].as_array().unwrap().len() as f64;
    turns.into_iter().map(of).sum()
}

/// Returns the phases of each process's turns in order, without immediate repetitions.
fn phases(events: &Events) -> Vec<String> {
    let visits = events.of("visit-started");
    let of_visit = |visit: &&Value| {
        let own = events.of("turn").into_iter().filter(|turn| turn["visit"] == visit["visit"]);
        let mut phases: Vec<&str> = own.map(|turn| turn["phase"].as_str().unwrap()).collect();
        phases.retain(|phase| ["warm-up", "collection", "settling", "measured"].contains(phase));
        phases.dedup();
        phases.join(" ")
    };
    visits.iter().map(of_visit).collect()
}

/// Removes repeated settling and what follows it. The system may count some pages late, and the heap then
/// appears to have grown.
fn once(phases: impl AsRef<str>) -> String {
    let mut left = phases.as_ref();
    while let Some(before) =
        left.strip_suffix(" settling warm-up measured").filter(|it| it.ends_with("measured"))
    {
        left = before;
    }
    left.to_owned()
}

#[test]
fn a_heap_is_settled_before_it_is_measured() {
    let place = Place::new();
    let events = events(&place, &TOUCHING);
    assert_eq!(
        phases(&events).iter().map(once).collect::<Vec<_>>(),
        ["warm-up settling warm-up measured"; 2]
    );
    // The system counts pages in groups of a few dozen. A heap that is not settled has thousands.
    assert!(sum(&events, "touched", &events.turns("measured")) < 200.0);
    assert_eq!(place.phase("settling").len(), 2, "they are stored too");
    // The user can turn settling off, or request collections.
    let of = |gc: &str| {
        let all = phases(&self::events(&place, &[&["--set", &format!("gc={gc}")][..], &TOUCHING].concat()));
        all.iter().map(once).collect::<Vec<_>>()
    };
    assert_eq!(of("process"), ["warm-up collection settling warm-up measured"; 2]);
    assert_eq!(of("never"), ["warm-up measured"; 2]);
}

#[test]
fn what_is_counted_decides_whether_a_heap_is_settled() {
    let place = Place::new();
    // Both harnesses touch four pages per call. One reports no allocations, and the other reports having
    // allocated the pages.
    let of = |bytes: &str| {
        let metric = format!("--metric=allocated:B:total:less:exact={bytes}");
        phases(&events(&place, &[&["--set", "processes=1"][..], &TOUCHING, &[&metric]].concat()))
    };
    assert!(of("0").iter().all(|phases| !phases.contains("settling")), "{:?}", of("0"));
    assert!(of("16384").iter().all(|phases| phases.starts_with("warm-up settling warm-up measured")));
    // In a long warm-up, a collection may be due to the harness itself.
    let rare = ["--set", "processes=1", "--", "--cost-ns=100000", "--touch=4:40000", "--collects=100000000"];
    assert!(phases(&events(&place, &rare)).iter().all(|phases| !phases.contains("settling")));
}

#[test]
fn a_heap_is_settled_as_far_as_its_body_will_use_it() {
    let place = Place::new();
    let protocol = |more: &[&str]| {
        let all =
            [&["steady", "-vv", "--set", "warmup=20s", "--set", "processes=1"][..], &TOUCHING, more].concat();
        place.tiny(&all).expect(0).err
    };
    // The body allocates 40.96 bytes per ns, or eight times as many. On a busy machine, one visit may get
    // several times the time of another.
    let bytes = |each: &str| {
        let text = protocol(&[&format!("--metric=allocated:B:total:less:exact={each}")]);
        let (_, rest) = text.split_once(" > settle bytes=").expect("a bound");
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<f64>().unwrap()
    };
    let (few, many) = (bytes("4096000"), bytes("32768000"));
    assert!(few > 4096000.0 && many > 1.2 * few, "{few} {many}");
    // Without a counter, the amount is unknown.
    let text = protocol(&[]);
    assert!(text.contains(" > settle") && !text.contains(" > settle bytes="), "{text}");
}

#[test]
fn heaps_of_several_processes_are_settled_at_once() {
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return; // then they run one after the other
    }
    let place = Place::new();
    let events = events(&place, &TOUCHING);
    let settlings = events.turns("settling");
    let span = |turn: &Value| (number(&turn["at_ns"]), number(&turn["at_ns"]) + number(&turn["wall_ns"]));
    let of_visit =
        |visit: &Value| settlings.iter().find(|turn| turn["visit"] == visit["visit"]).map(|turn| span(turn));
    let visits = events.of("visit-started");
    let (first, second) = (of_visit(visits[0]).unwrap(), of_visit(visits[1]).unwrap());
    assert!(first.0 < second.1 && second.0 < first.1, "{first:?} and {second:?}");
}

#[test]
fn what_no_harness_settles_is_waited_for() {
    let place = Place::new();
    let events = events(&place, &[&TOUCHING[..], &[UNSETTLED]].concat());
    // On a busy machine, the time for warm-up may end before the second part of the warm-up.
    let phases = phases(&events);
    assert_eq!(phases.len(), 2);
    for visit in phases {
        let whole = ["warm-up collection warm-up measured", "warm-up collection measured"];
        assert!(whole.contains(&visit.as_str()), "{visit}");
    }
    let (warm_up, measured) = (events.turns("warm-up"), events.turns("measured"));
    // Warm-up touches at least half of both heaps. Calibration has touched some of the other pages.
    assert!(sum(&events, "touched", &warm_up) > 40_000.0, "{}", sum(&events, "touched", &warm_up));
    assert!(sum(&events, "touched", &measured) < 200.0, "{}", sum(&events, "touched", &measured));
}

#[test]
fn a_heap_that_grows_while_it_is_measured_is_settled_again() {
    let place = Place::new();
    let heap = ["--set", "rounds=12", "--", "--cost-ns=100000", "--touch=40:40000", "--grows=100"];
    let events = events(&place, &heap);
    // On a busy machine, the pages of one round may be counted late and cause a second settling.
    let begins =
        |phases: &String| phases.starts_with("warm-up settling warm-up measured settling warm-up measured");
    assert!(phases(&events).iter().all(begins), "{:?}", phases(&events));
    // The heap grew in only some of the turns, so most calls touch no new page.
    let touched = sum(&events, "touched", &events.turns("measured"));
    assert!(touched < 0.4 * 40.0 * iterations(&events.turns("measured")), "{touched}");
}

#[test]
fn warm_up_is_bounded_and_what_remains_is_told() {
    let place = Place::new();
    place
        .tiny(&["steady", "--set", "warmup=5ms", "--", "--cost-ns=2000", "--touch=1:2000000", UNSETTLED])
        .expect(0);
    let text = place.derny(&["show", "-v"]).expect(0);
    let all = [text.out, text.err].concat();
    assert!(all.contains("DY229") && all.contains("of new memory per operation"), "{all}");
}

#[test]
fn memory_that_is_given_back_in_every_call_is_no_first_touch() {
    let place = Place::new();
    let events = events(&place, &["--", "--cost-ns=2000", "--maps=20"]);
    let measured = events.turns("measured");
    let (faults, touched) = (sum(&events, "faults", &measured), sum(&events, "touched", &measured));
    // Each call causes twenty faults, which count in proportion to the timed share of a turn.
    assert!(faults > 2.0 * iterations(&measured), "{faults} in {} calls", iterations(&measured));
    assert!(touched < faults / 10.0, "{touched} of {faults}");
}

#[test]
fn a_collection_that_gives_memory_back_is_not_forced_unless_asked_for() {
    let place = Place::new();
    let of = |args: &[&str]| {
        let all = [&["--set", "processes=1"][..], args, &["--", "--gives-back"]].concat();
        phases(&events(&place, &all))
    };
    // The harness does not declare a collector, which might then run in any turn.
    let untold = events(&place, &["--set", "processes=1"]);
    assert_eq!(untold.of("process-started")[0]["collector"], "untold");
    assert_eq!(of(&[]), ["warm-up measured"]);
    assert_eq!(of(&["--set", "gc=process"]), ["warm-up collection measured"]);
}

#[test]
fn a_collector_that_becomes_rarer_is_waited_for() {
    let place = Place::new();
    let events =
        events(&place, &["--set", "processes=1", "--", "--cost-ns=1000", "--collects=20", UNSETTLED]);
    let measured = events.turns("measured");
    assert!(events.of("process-started").iter().all(|process| process["collector"] == "counted"));
    let per_call = sum(&events, "gc", &measured) / iterations(&measured);
    // The rate starts at .2 and ends at .05. Warm-up waits while it falls by 10 % from one quarter to the
    // next. On a busy machine, a quarter has fewer calls, and the rate falls by less.
    assert!(per_call < 0.18, "{per_call} collections a call");
}
