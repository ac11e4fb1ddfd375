//! Fuzzing: random mutations of every format's own files. Reading may fail, but must not panic, take long, or
//! use much memory. `corpus/` contains inputs that once broke a reader. `make test` continues for 40 seconds,
//! and `tests/fuzz.sh` until it is stopped.

use derny_import::{FORMATS, Foreign, Format, Input, Origin, Part, events, format, matching};
use std::collections::BTreeSet;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Number of mutated files per sample if no time is set. In a debug build they take about a second in total.
const SHORT: usize = 200;
const LONGEST: usize = 64 * 1024;
/// Time limit for a file. Reading it takes milliseconds, but the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// Limit of resident memory, for all tests of this program.
const MEMORY: u64 = 512 << 20;

const WORDS: [&[u8]; 24] = [
    b"NaN",
    b"Infinity",
    b"-1",
    b"0",
    b"1e400",
    b"-1e-400",
    b"18446744073709551616",
    b"9223372036854775808",
    b"4294967296",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"[[[[[[[[",
    b"\"\"",
    b"\"",
    b"\\",
    b"\xff\xfe",
    b"\0",
    b"\n",
    b"\r\n",
    b",",
    b"\xef\xbb\xbf",
    b"99999999999999999999999999",
];

#[derive(Clone)]
struct Sample {
    format: &'static str,
    bytes: Vec<u8>,
    parts: Vec<Part>,
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.next() % end as u64) as usize }
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

const FORMS: [(&str, &[u8]); 4] = [
    ("benchee", include_bytes!("files/benchee.json")),
    ("catch2", include_bytes!("files/catch2-v2.xml")),
    ("tinybench", include_bytes!("files/tinybench-table.json")),
    ("benchfmt", include_bytes!("files/go-bench.txt")),
];

fn samples() -> Vec<Sample> {
    let files = crate::formats::files().into_iter();
    let mut all: Vec<Sample> =
        files.map(|(format, bytes)| Sample { format, bytes, parts: Vec::new() }).collect();
    let form =
        |(format, bytes): (&'static str, &[u8])| Sample { format, bytes: bytes.to_vec(), parts: Vec::new() };
    all.extend(FORMS.map(form));
    all.push(Sample { format: "criterion-rs", bytes: Vec::new(), parts: crate::json::criterion() });
    let asv = all.iter().find(|sample| sample.format == "asv").unwrap().bytes.clone();
    let units = Part {
        path: "benchmarks.json".to_owned(),
        bytes: include_bytes!("files/asv-benchmarks.json").to_vec(),
    };
    all.push(Sample { format: "asv", bytes: asv, parts: vec![units] });
    for own in FORMATS.iter() {
        assert!(all.iter().any(|sample| sample.format == own.name), "there is no file of {}", own.name);
    }
    all
}

/// Returns inputs that once broke a reader: `FORMAT.NAME`, or `FORMAT.NAME.PART` with the number of a part of
/// the format's own sample.
fn kept() -> Vec<Sample> {
    let Ok(folder) = std::fs::read_dir(corpus()) else { return Vec::new() };
    let mut all = Vec::new();
    // Sort the paths, so that a seed selects the same files everywhere.
    let paths: BTreeSet<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let words: Vec<&str> = name.split('.').collect();
        let known = format(words[0]).unwrap_or_else(|| panic!("{name} is of no format"));
        let bytes = std::fs::read(&path).unwrap();
        match words.get(2).and_then(|part| part.parse::<usize>().ok()) {
            Some(part) => {
                let mut sample = samples().into_iter().rfind(|one| one.format == known.name).unwrap();
                sample.parts[part].bytes = bytes;
                all.push(sample);
            }
            None => all.push(Sample { format: known.name, bytes, parts: Vec::new() }),
        }
    }
    all
}

/// Mutates one of the files of a sample, once or a few times. Returns its index.
fn change(sample: &mut Sample, others: &[Sample], rng: &mut Rng) -> Option<usize> {
    let files = sample.parts.len() + usize::from(!sample.bytes.is_empty());
    let which = rng.below(files);
    let part = if sample.bytes.is_empty() { Some(which) } else { which.checked_sub(1) };
    let other = &others[rng.below(others.len())].bytes;
    let bytes = match part {
        Some(part) => &mut sample.parts[part].bytes,
        None => &mut sample.bytes,
    };
    for _ in 0..1 + rng.below(4) {
        damage(bytes, other, rng);
    }
    bytes.truncate(LONGEST);
    part
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    let end = at + rng.below((bytes.len() - at).min(64) + 1);
    let word = WORDS[rng.below(WORDS.len())];
    match rng.below(9) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let again = bytes[at..end].repeat(1 + rng.below(50));
            drop(bytes.splice(at..at, again));
        }
        3 => drop(bytes.splice(at..at, word.iter().copied())),
        4 => drop(bytes.splice(at..end, word.iter().copied())),
        5 => {
            let from = rng.below(other.len());
            let piece = &other[from..(from + rng.below(200)).min(other.len())];
            drop(bytes.splice(at..at, piece.iter().copied()));
        }
        // Replace a number with another.
        6 => {
            let is_digit = |byte: &u8| byte.is_ascii_digit();
            let Some(start) = bytes[at..].iter().position(is_digit).map(|place| at + place) else { return };
            let length = bytes[start..].iter().take_while(|byte| is_digit(byte)).count();
            drop(bytes.splice(start..start + length, word.iter().copied()));
        }
        _ if at < bytes.len() => bytes[at] = rng.next() as u8,
        _ => {}
    }
}

/// Reads a sample in its format, and produces the event stream of a run.
fn read(sample: &Sample) -> Result<(), String> {
    let known: &Format = format(sample.format).unwrap();
    let input = Input { bytes: &sample.bytes, name: "x", parts: &sample.parts };
    let origin = Origin {
        id: "k3fz".to_owned(),
        format: known.name.to_owned(),
        file: "x".to_owned(),
        time_ms: 0,
        derny: "0".to_owned(),
        args: Vec::new(),
        note: None,
        hash: String::new(),
        name_template: None,
    };
    let start = Instant::now();
    let whole = || {
        let _ = matching(&input).count();
        let mut take = |foreign: Foreign| {
            assert!(foreign.singles().is_none_or(|all| all.iter().all(|one| one.value.is_finite())));
            let (_, cases, events) = events(foreign, &origin);
            assert!(cases.iter().count() == cases.len() && events.count() >= 1);
            Ok(())
        };
        let _ = (known.read)(&input).and_then(&mut take);
        let _ = known.history(&input, &mut take);
    };
    let done = catch_unwind(AssertUnwindSafe(whole));
    if done.is_err() {
        return Err("it panics".to_owned());
    }
    let took = start.elapsed();
    if took > PATIENCE { Err(format!("it takes {took:?}")) } else { Ok(()) }
}

fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).unwrap_or(0) << 10
}

#[test]
fn what_once_broke_a_reader_is_an_error_or_a_result() {
    for sample in kept() {
        assert_eq!(read(&sample), Ok(()), "a kept file of {}", sample.format);
    }
}

/// Reads a number of mutated files of each format, or as many as fit in DERNY_FUZZ_SECONDS. DERNY_FUZZ_SEED
/// sets the seed, and DERNY_FUZZ_FORMAT selects one format.
#[test]
fn what_may_break_a_reader_is_an_error_or_a_result() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let (seconds, seed) = (number("DERNY_FUZZ_SECONDS"), number("DERNY_FUZZ_SEED").unwrap_or(1));
    let only = std::env::var("DERNY_FUZZ_FORMAT").ok();
    let mut all = samples();
    all.extend(kept());
    let own: Vec<&Sample> =
        all.iter().filter(|sample| only.as_ref().is_none_or(|only| sample.format == only)).collect();
    assert!(!own.is_empty(), "there is no such format");
    let (mut rng, start, mut tried, mut found) = (Rng(seed), Instant::now(), 0, Vec::new());
    let is_enough = |tried: usize| match seconds {
        Some(seconds) => start.elapsed() >= Duration::from_secs(seconds),
        None => tried >= SHORT * own.len(),
    };
    while !is_enough(tried) && found.len() < 20 {
        let mut changed = own[tried % own.len()].clone();
        let part = change(&mut changed, &all, &mut rng);
        tried += 1;
        let before = peak();
        let told = read(&changed).and_then(|()| match peak() {
            now if now < MEMORY || before >= MEMORY => Ok(()),
            now => Err(format!("it takes {now} bytes")),
        });
        if let Err(what) = told {
            let bytes = part.map_or(&changed.bytes, |part| &changed.parts[part].bytes);
            let end = part.map_or(String::new(), |part| format!(".{part}"));
            let file = corpus().join(format!("{}.{seed}-{tried}{end}", changed.format));
            std::fs::create_dir_all(corpus()).unwrap();
            std::fs::write(&file, bytes).unwrap();
            found.push(format!("{}: {what}", file.display()));
        }
    }
    let _ = writeln!(std::io::stdout(), "{tried} files in {:?}, {} bytes at most", start.elapsed(), peak());
    assert!(found.is_empty(), "{found:#?}");
}
