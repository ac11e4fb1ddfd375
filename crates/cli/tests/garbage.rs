//! Tests a cost that affects only a few turns. Two JavaScript bodies have the same typical time, and one of
//! them leaves ten times as much garbage.

#![cfg(unix)]

use crate::place::{Place, number};

const BENCH: &str = "import { bench } from 'derny';
const many = Number(process.env.MANY);
let calls = 0, sum = 0, kept;
bench('work', () => {
  for (let i = 0; i < 100; i++) sum = (sum * 31 + i) | 0;
  if (++calls % 30_000 === 0) kept = Array.from({ length: many }, (_, i) => ({ i, text: 'x' + i }));
  return sum;
});
";

/// Typical time alone would show no difference, because it does not include the cost. The difference in mean
/// time is so large that no other program on the machine can hide it.
#[test]
fn ten_times_the_garbage_of_a_javascript_body_is_never_the_same() {
    let place = Place::new();
    place.write("derny.toml", "");
    place.write("a.bench.mjs", BENCH);
    let variants = ["-x", "once+MANY=50000", "-x", "tenfold+MANY=500000", "--precise", "--margin", "10%"];
    let plan = ["--set", "processes=8", "--set", "rounds=60", "--budget", "12s", "-f", "json"];
    let done = place.derny(&[&["run"][..], &variants, &plan].concat()).expect(0);
    let document: serde_json::Value = serde_json::from_str(&done.out).expect("a document");
    let side = &document["comparison"]["cases"][0]["sides"][0];
    let change = |statistic: &str| {
        let all = side["changes"].as_array().expect("changes").iter();
        let mut of_it = all.filter(|change| change["statistic"] == statistic);
        of_it.next().expect(statistic)["change"].clone()
    };
    assert_ne!(side["verdict"], "same", "{side:#}");
    assert!(number(&change("typical")["value"]).abs() < 0.1, "{side:#}");
    // The true factor is above two. With too few whole cycles, there is no interval, and the value may be
    // anything.
    let interval = &change("mean")["interval"];
    assert!(interval.is_null() || number(&interval["hi"]) > 0.0, "{side:#}");
}
