//! Importers of other tools' results.
//!
//! 1. `guess` recognises the format. Each format has a file here and a row in `FORMATS`.
//! 2. `outline` finds the keys of a JSON file, by which `guess` recognises its format.
//! 3. An importer, such as `jmh`, reads the bytes into `foreign`: processes, `cases` and their `samples`.
//! 4. `single` returns the figures of a file with a single value for each figure, as most histories have.
//! 5. `events` converts the results to the event stream of a run, which the store treats like any other run.
//! 6. `live` finds the name of a case in live runs, if Derny can also measure the tool's files.
//!
//! An importer notes missing data, and never invents any. The crate uses no I/O, clock or statistics.

mod asv;
mod benchee;
mod benchfella;
mod benchfmt;
mod benchmark_action;
mod benchmark_dotnet;
mod bmf;
mod cargo_criterion;
mod cases;
mod catch2;
mod criterion_csv;
mod criterion_json;
mod criterion_rs;
mod csv;
mod error;
mod events;
mod foreign;
mod google_benchmark;
mod gzip;
mod hyperfine;
mod input;
mod jmh;
mod json;
pub mod live;
mod mitata;
mod node;
mod node_bench;
mod node_compare;
mod node_run;
mod node_scatter;
mod outline;
mod pyperf;
mod pytest;
mod python;
mod rebar3;
mod sample;
mod samples;
mod single;
mod term;
mod time;
mod tinybench;
mod units;
mod vitest;

pub use cases::Cases;
pub use error::ReadError;
pub use events::{Origin, events};
pub use foreign::{Foreign, TakeResult};
pub use gzip::inflated;
pub use input::{Input, Part};
use outline::Outline;
pub use sample::Sample;
pub use single::Single;
pub use time::date_ms;

/// Reads the results of all commits in a file.
pub type ReadHistory = fn(&Input<'_>, TakeResult<'_>) -> Result<(), ReadError>;

#[derive(Debug, Clone, Copy)]
enum Looks {
    Bytes(fn(&Input<'_>) -> bool),
    Json(&'static [&'static [&'static str]]),
    /// The beginning is recognised, or the file is JSON with these keys.
    Either(fn(&Input<'_>) -> bool, &'static [&'static [&'static str]]),
}

/// A file format of another tool.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// Description for the help.
    pub about: &'static str,
    /// Test that recognises the format.
    looks: Looks,
    /// Reads a file of this format.
    pub read: fn(&Input<'_>) -> Result<Foreign, ReadError>,
    /// Names of additional files to read, next to the file or in its parent folder.
    pub beside: &'static [&'static str],
    /// For a format that is a folder: returns true for the paths in it that are read.
    pub folder: Option<fn(&str) -> bool>,
    /// Reads the results of all commits, if a file can have several, or if a history needs other data than a
    /// run.
    history: Option<ReadHistory>,
}

impl Format {
    /// Passes the results of each commit in a file to `take`, in the order of the file.
    ///
    /// # Errors
    ///
    /// Fails with the error of the format, or with that of `take`.
    pub fn history(&self, input: &Input<'_>, take: TakeResult<'_>) -> Result<(), ReadError> {
        match self.history {
            Some(history) => history(input, take),
            None => take((self.read)(input)?),
        }
    }

    const fn file(
        name: &'static str,
        about: &'static str,
        matches: fn(&Input<'_>) -> bool,
        read: fn(&Input<'_>) -> Result<Foreign, ReadError>,
    ) -> Format {
        Format { name, about, looks: Looks::Bytes(matches), read, beside: &[], folder: None, history: None }
    }

    const fn json(
        name: &'static str,
        about: &'static str,
        keys: &'static [&'static [&'static str]],
        read: fn(&Input<'_>) -> Result<Foreign, ReadError>,
    ) -> Format {
        Format { name, about, looks: Looks::Json(keys), read, beside: &[], folder: None, history: None }
    }

    fn matches(&self, input: &Input<'_>, outline: &Outline) -> bool {
        let has_keys = |rows: &[&[&str]]| rows.iter().any(|row| outline.has(row));
        match self.looks {
            Looks::Bytes(matches) => matches(input),
            Looks::Json(rows) => has_keys(rows),
            Looks::Either(matches, rows) => matches(input) || has_keys(rows),
        }
    }
}

/// All formats, in the order in which they are tried.
pub const FORMATS: [Format; 25] = [
    Format::file("benchfella", "a snapshot of Elixir's Benchfella", benchfella::matches, benchfella::read),
    Format::file("rebar3-bench", "a baseline of Erlang's rebar3_bench", rebar3::matches, rebar3::read),
    Format::json(
        "criterion-json",
        "the JSON report of Haskell's criterion (--json, or --template json)",
        criterion_json::KEYS,
        criterion_json::read,
    ),
    Format::file(
        "criterion-csv",
        "the CSV of Haskell's criterion (--csv)",
        criterion_csv::matches,
        criterion_csv::read,
    ),
    Format::file(
        "node-compare",
        "the CSV of Node's benchmark/compare.js",
        node_compare::matches,
        node_compare::read,
    ),
    Format::file(
        "node-run",
        "the CSV of Node's benchmark/run.js --format csv",
        node_run::matches,
        node_run::read,
    ),
    Format::file(
        "node-scatter",
        "the CSV of Node's benchmark/scatter.js",
        node_scatter::matches,
        node_scatter::read,
    ),
    Format::file(
        "node-bench",
        "the lines of node:bench, --bench-reporter=json",
        node_bench::matches,
        node_bench::read,
    ),
    Format::json("hyperfine", "the JSON of hyperfine (--export-json)", hyperfine::KEYS, hyperfine::read),
    Format::json(
        "pytest-benchmark",
        "the JSON of pytest-benchmark (--benchmark-json, --benchmark-save)",
        pytest::KEYS,
        pytest::read,
    ),
    Format::json("pyperf", "the JSON of pyperf (-o)", pyperf::KEYS, pyperf::read),
    Format {
        beside: asv::BESIDE,
        history: Some(asv::history),
        ..Format::json("asv", "a result of asv, or a folder of them", asv::KEYS, asv::read)
    },
    Format::json(
        "google-benchmark",
        "the JSON of Google Benchmark (--benchmark_out)",
        google_benchmark::KEYS,
        google_benchmark::read,
    ),
    Format::json("jmh", "the JSON of JMH (-rf json)", jmh::KEYS, jmh::read),
    Format {
        folder: Some(criterion_rs::wanted),
        ..Format::file(
            "criterion-rs",
            "the folder of criterion.rs (target/criterion)",
            criterion_rs::matches,
            criterion_rs::read,
        )
    },
    Format {
        history: Some(benchmark_action::history),
        ..Format::file(
            "github-action-benchmark",
            "the newest entry of the data.js of github-action-benchmark",
            benchmark_action::matches,
            benchmark_action::read,
        )
    },
    Format::json(
        "cargo-criterion",
        "the messages of cargo-criterion (--message-format json)",
        cargo_criterion::KEYS,
        cargo_criterion::read,
    ),
    Format::json(
        "benchmark-dotnet",
        "the full JSON of BenchmarkDotNet (JsonExporter.Full)",
        benchmark_dotnet::KEYS,
        benchmark_dotnet::read,
    ),
    Format {
        looks: Looks::Either(benchee::matches, benchee::KEYS),
        ..Format::file("benchee", "a suite that Benchee saved, or its JSON", benchee::matches, benchee::read)
    },
    Format::file("catch2", "the XML of Catch2 2 or 3 (-r xml)", catch2::matches, catch2::read),
    Format::json("vitest", "the JSON of `vitest bench --outputJson`", vitest::KEYS, vitest::read),
    Format::json(
        "tinybench",
        "tasks of tinybench with their results, or its table, as JSON",
        tinybench::KEYS,
        tinybench::read,
    ),
    Format::json("mitata", "the JSON of mitata (format: 'json')", mitata::KEYS, mitata::read),
    Format::file("bmf", "Bencher Metric Format", bmf::matches, bmf::read),
    Format {
        history: Some(benchfmt::history),
        ..Format::file("benchfmt", "the output of Go's `go test -bench`", benchfmt::matches, benchfmt::read)
    },
];

/// Returns the format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Returns the first format that a file matches.
pub fn guess(input: &Input<'_>) -> Option<&'static Format> {
    matching(input).next()
}

/// Returns all formats that a file matches.
pub fn matching(input: &Input<'_>) -> impl Iterator<Item = &'static Format> {
    let outline = Outline::of(input.bytes);
    FORMATS.iter().filter(move |format| format.matches(input, &outline))
}
