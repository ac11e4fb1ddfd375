//! Tests that the files of a site are complete, harmless and small.

use derny_model::{
    CaseId, ChangeState, Direction, History, HistoryChange, HistoryConditions, HistoryPlace, Interval,
};
use derny_report::site::{About, Commit, Site, Written};
use flate2::read::DeflateDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

const HOSTILE: &str = "</script><img src=x onerror=hit()>\u{2028}\u{202e}<!--\"\\";

fn history(name: &str, values: &[f64]) -> History {
    let point = |(at, value): (usize, &f64)| HistoryPlace {
        conditions: u32::from(at >= 3),
        at_ms: 1_000_000 + at as i64 * 1000,
        measured_ms: 2_000_000 + at as i64,
        commit: format!("{at:040x}"),
        releases: Vec::new(),
        run: Some(format!("r{at}")),
        value: *value,
        interval: Some(Interval { lo: value - 1.0, hi: value + 2.0 }),
        machine_ns: None,
    };
    let conditions = |cpu: &str| HistoryConditions {
        cpu: cpu.to_owned(),
        runtime: String::new(),
        tool: "derny".to_owned(),
    };
    History {
        case: CaseId { suite: "suite".to_owned(), benchmark: name.to_owned(), params: Vec::new() },
        figure: "time".to_owned(),
        unit: "ns".to_owned(),
        better: Direction::Less,
        host: "a".to_owned(),
        apart: None,
        against: None,
        conditions: vec![conditions("old"), conditions("new")],
        points: values.iter().enumerate().map(point).collect(),
        changes: Vec::new(),
        remarks: Vec::new(),
    }
}

fn written(about: About, histories: &[History]) -> (BTreeMap<String, String>, Written) {
    let mut files = BTreeMap::new();
    let mut to = |path: &str, content: &[u8]| {
        files.insert(path.to_owned(), String::from_utf8(content.to_vec()).unwrap());
        Ok(())
    };
    let mut site = Site::new(about, &mut to);
    for history in histories {
        site.add(history).unwrap();
    }
    let written = site.finish().unwrap();
    (files, written)
}

/// Decodes a data file. Asserts that it contains only the call with encoded data.
fn data(files: &BTreeMap<String, String>, name: &str) -> Value {
    let call = files[&format!("data/{name}.js")]
        .strip_prefix("dernyData(\"")
        .unwrap()
        .strip_suffix("\")\n")
        .unwrap();
    let [own, version, text] = call.split("\",\"").collect::<Vec<_>>().try_into().unwrap();
    assert_eq!((own, version), (name, "77"));
    let letter = |letter: char| (0..64).find(|at| char::from(LETTERS[*at]) == letter).map(|at| at as u32);
    let bits: Vec<u32> =
        text.trim_end_matches('=').chars().map(|own| letter(own).expect("only letters")).collect();
    let bytes: Vec<u8> = bits
        .chunks(4)
        .flat_map(|four| {
            let whole = four.iter().fold(0, |whole, bits| whole << 6 | bits) << (6 * (4 - four.len()));
            whole.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect();
    let mut json = String::new();
    DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn about() -> About {
    About { title: "t".to_owned(), made_ms: 77, ..About::default() }
}

#[test]
fn a_site_has_its_histories_commits_and_outline() {
    let commit = |at: usize, tags: &[&str]| Commit {
        hash: format!("{at:040x}"),
        at_ms: 1_000_000 + at as i64 * 1000,
        subject: format!("subject {at}"),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
    };
    let commits = vec![commit(9, &["v0"]), commit(0, &[]), commit(1, &["v1"]), commit(2, &[])];
    let mut first = history("one", &[100.0, 101.0, 102.0, 50.0, 55.0]);
    first.changes.push(HistoryChange {
        from: first.points[0].commit.clone(),
        to: first.points[1].commit.clone(),
        at_ms: 1_001_000,
        state: ChangeState::Confirmed,
        change: 0.01,
        interval: Some(Interval { lo: 0.005, hi: 0.015 }),
        run: None,
        is_machine: false,
        note: Some("known".to_owned()),
    });
    let (files, written) = written(About { commits, ..about() }, &[first, history("two", &[f64::NAN, 7.0])]);
    assert_eq!((written.cases, written.histories, written.points, written.files), (2, 2, 6, files.len()));
    assert_eq!(written.bytes, files.values().map(String::len).sum::<usize>());
    let outline = data(&files, "outline");
    assert_eq!(outline["cases"][0], serde_json::json!(["suite", "one", []]));
    let row = &outline["rows"][0];
    assert_eq!((row[4].as_u64(), row[5].as_f64(), row[6].as_f64()), (Some(5), Some(55.0), Some(0.1)));
    assert_eq!(row[9].as_str().map(str::len), Some(6), "a letter for each point, and a break");
    assert_eq!(outline["changes"][0][1], "confirmed");
    assert_eq!(outline["commits"][0][1], "subject 1");
    assert_eq!(outline["starts"], serde_json::json!([0]));
    let series = data(&files, "series-0");
    assert_eq!(series[0]["c"], serde_json::json!([0, 0, 3, 1]), "the runs of conditions");
    assert_eq!(series[0]["e"], serde_json::json!([0, 1, 1, 1, 1]));
    assert_eq!(series[0]["rest"]["changes"][0][9], 1, "the first point after the change");
    assert_eq!(series[1]["rest"]["remarks"][0], "1 point without a finite value is left out");
    let places = data(&files, "places");
    assert_eq!(
        places["commits"][1],
        serde_json::json!([format!("{:040x}", 1), 1_001_000, "subject 1", ["v1"], 2])
    );
    assert_eq!(places["commits"][3][4], Value::Null, "a commit that is not on the branch");
    assert_eq!(places["releases"].as_array().map(Vec::len), Some(2), "releases without points count too");
}

#[test]
fn names_cannot_leave_their_place() {
    let mut own = history(HOSTILE, &[1.0, 2.0, 3.0, 4.0]);
    (own.host, own.figure, own.unit) = (HOSTILE.to_owned(), HOSTILE.to_owned(), HOSTILE.to_owned());
    own.case.params.push((HOSTILE.to_owned(), HOSTILE.to_owned()));
    own.remarks.push(HOSTILE.to_owned());
    own.points[0].commit = HOSTILE.to_owned();
    own.points[0].run = Some(HOSTILE.to_owned());
    own.points[0].releases.push(HOSTILE.to_owned());
    let (files, _) = written(About { title: HOSTILE.to_owned(), ..about() }, &[own]);
    let page = &files["index.html"];
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<img") && !page.contains('\u{2028}') && !page.contains('\u{202e}'));
    for name in ["outline", "places", "series-0"] {
        let text = data(&files, name).to_string();
        assert!(text.contains("<img") && text.contains("u{202e}"), "{name} has the name, visibly");
        assert!(!text.contains('\u{202e}') && !text.contains('\u{2028}'));
    }
}

#[test]
fn measurements_beyond_the_shared_ones_are_kept_by_their_history() {
    let values = vec![5.0; (1 << 16) + 3];
    let (files, _) = written(about(), &[history("many", &values)]);
    let series = data(&files, "series-0");
    let steps: Vec<i64> = series[0]["e"].as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    assert_eq!(steps.iter().sum::<i64>(), -3, "the last refers to the third of its own");
    assert_eq!(series[0]["rest"]["own"].as_array().map(Vec::len), Some(3));
    assert_eq!(data(&files, "places")["measurements"].as_array().map(Vec::len), Some(1 << 16));
}

#[test]
fn a_long_history_takes_few_bytes_a_point() {
    let mut seed = 1_u32;
    let mut share = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed) / f64::from(u32::MAX)
    };
    let values: Vec<f64> = (0..2000).map(|_| 5e4 * (1.0 + 0.02 * share())).collect();
    let mut own = history("long", &values);
    for point in &mut own.points {
        let half = point.value * 0.01 * (1.0 + share());
        point.interval = Some(Interval { lo: point.value - half, hi: point.value + half });
    }
    let (files, _) = written(about(), &[own]);
    let size = files["data/series-0.js"].len();
    assert!(size < 9 * values.len(), "{size} bytes");
}
