//! Writes a history of many cases and commits, and measures how long it takes to read.
//!
//! `cargo run --release -p derny-history --example scale -- STORE CASES COMMITS`: STORE is a folder or an
//! address.

use derny_engine::discover::pattern::Selector;
use derny_history::{Histories, Measured, Wanted, add};
use derny_model::{CaseId, Commit, Direction, HistoryEntry, HistorySeries, HistoryValue, Interval};
use derny_store::Location;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const DAY_MS: i64 = 86_400_000;
/// Number of commits that are written in one transaction.
const AT_ONCE: usize = 25;

fn series(case: usize) -> HistorySeries {
    HistorySeries {
        case: CaseId {
            suite: format!("suite{}", case % 40),
            benchmark: format!("group{}/case{case}", case % 400),
            params: vec![("n".into(), (case % 7).to_string())],
        },
        figure: "time".into(),
        unit: "ns".into(),
        better: Direction::Less,
        host: "box".into(),
        cpu: "A processor".into(),
        runtime: "javascript node/24.1.0".into(),
        tool: "derny".into(),
        apart: None,
        against: None,
    }
}

/// Returns the time of a case at a commit, with 1 % of noise. Every tenth case becomes 5 % slower at one
/// commit.
fn value(case: usize, commit: usize) -> f64 {
    let noise = ((case * 7919 + commit * 104_729) % 1000) as f64 / 1000.0 - 0.5;
    let step = case.is_multiple_of(10) && commit > 100 + case % 1700;
    (50.0 + case as f64) * (1.0 + 0.01 * noise + if step { 0.05 } else { 0.0 })
}

fn entry(commit: usize, cases: usize) -> Measured {
    let hash = format!("{:040x}", commit as u128 * 0x9e37_79b9_7f4a_7c15);
    let entry = HistoryEntry {
        key: format!("scale:{commit}"),
        run: None,
        file: None,
        measured_ms: 1_600_000_000_000 + commit as i64 * DAY_MS / 2,
        commit: Some(Commit { hash, branch: None, dirty: false }),
        machine_ns: None,
    };
    let point = |case: usize| {
        let value = value(case, commit);
        let interval = Interval { lo: value * 0.99, hi: value * 1.01 };
        (series(case), HistoryValue { value, interval: Some(interval) })
    };
    Measured { entry, points: (0..cases).map(point).collect() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [place, cases, commits] = &words[..] else { return Err("usage: scale STORE CASES COMMITS".into()) };
    let (cases, commits): (usize, usize) = (cases.parse()?, commits.parse()?);
    let place = Location::named(Path::new(place), Path::new("."));
    let store = place.open()?;
    let start = Instant::now();
    for first in (0..commits).step_by(AT_ONCE) {
        let all: Vec<Measured> =
            (first..(first + AT_ONCE).min(commits)).map(|commit| entry(commit, cases)).collect();
        add(&store, &all)?;
    }
    let written = start.elapsed();
    let read = |patterns: Vec<String>| -> Result<(usize, usize, f64), Box<dyn Error>> {
        let start = Instant::now();
        let selector = Selector { patterns, ..Selector::default() };
        let wanted = Wanted {
            cases: &selector,
            figure: Some("time"),
            host: None,
            newest: usize::MAX,
            since: None,
            against: None,
            apart: false,
            now_ms: i64::MAX / 2,
        };
        let (mut histories, mut points) = (0, 0);
        for history in Histories::open(&store, None, wanted)?.iter() {
            histories += 1;
            points += history?.points.len();
        }
        Ok((histories, points, start.elapsed().as_secs_f64()))
    };
    let one = read(vec!["case77".into()])?;
    let all = read(Vec::new())?;
    let bytes = store.bytes()?;
    let text = format!(
        "{cases} cases, {commits} commits: written in {:.1} s, {:.0} MB; one series of {} points read in {:.2} s, all {} \
         with {} points in {:.1} s\n",
        written.as_secs_f64(),
        bytes as f64 / 1e6,
        one.1,
        one.2,
        all.0,
        all.1,
        all.2
    );
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())?;
    Ok(())
}
