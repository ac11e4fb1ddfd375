//! Edges at which an ordinary day goes on: benchmarks that print, disks that are full, folders that cannot be written.

mod place;

use place::{Place, TINY};

const CHATTY: &str = "
import { bench } from 'derny';
import fs from 'node:fs';
const line = 'x'.repeat(100_000);
bench('stream', () => { console.log(line); console.error(line); return 1; });
bench('descriptor', () => { process.stdout.write('y'); return fs.writeSync(1, line) + fs.writeSync(2, line); });
";

/// It failed with EAGAIN, or with what was not written filling the memory.
#[test]
fn a_body_that_prints_megabytes_is_measured() {
    let place = Place::new();
    place.write("chatty.bench.mjs", CHATTY);
    let done = place.derny(&[&["run", "-f", "json", "--batch-time", "20ms"], &TINY[..]].concat()).expect(0);
    let document = done.json();
    let cases = document["suites"][0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    for case in cases {
        assert!(case["state"]["measured"].is_string(), "{}", case["state"]);
    }
    assert_eq!(document["failures"].as_array().map(Vec::len), Some(0));
}
