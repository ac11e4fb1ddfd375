//! Importers: results that other tools measured, in Derny's words.
//!
//! One file per format, one row in [`FORMATS`]. An importer gets the bytes of a file and gives [`Foreign`]: processes, and the
//! samples of each case in them. It says what the file does not tell, and invents nothing. [`events()`] makes the stream of a
//! run out of that, so that the store and analysis need not know that Derny did not measure it itself. No I/O, no clock, no
//! statistics.

mod benchfella;
mod criterion_csv;
mod criterion_json;
mod csv;
mod error;
mod events;
mod foreign;
mod node;
mod node_bench;
mod node_compare;
mod node_run;
mod node_scatter;
mod rebar3;
mod term;

pub use error::ReadError;
pub use events::{Origin, events};
pub use foreign::{Foreign, Sample};

/// A file as an importer gets it.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Its content.
    pub bytes: &'a [u8],
    /// Its name without folders: some formats put the date there.
    pub name: &'a str,
}

impl<'a> Input<'a> {
    /// The content as text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub(crate) fn text(&self) -> Result<&'a str, ReadError> {
        std::str::from_utf8(self.bytes).map_err(|error| {
            let line = self.bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            ReadError::at(line, "it is not UTF-8 text")
        })
    }

    /// The beginning as text, as far as it is text: enough to recognise a format by.
    pub(crate) fn head(&self) -> &'a str {
        let bytes = &self.bytes[..self.bytes.len().min(4096)];
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        }
    }
}

/// One format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// Whether a file looks like it.
    pub matches: fn(&Input<'_>) -> bool,
    /// Reads it.
    pub read: fn(&Input<'_>) -> Result<Foreign, ReadError>,
}

/// All formats, in the order in which they are tried.
pub const FORMATS: [Format; 8] = [
    Format {
        name: "benchfella",
        about: "a snapshot of Elixir's Benchfella",
        matches: benchfella::matches,
        read: benchfella::read,
    },
    Format {
        name: "rebar3-bench",
        about: "a baseline of Erlang's rebar3_bench",
        matches: rebar3::matches,
        read: rebar3::read,
    },
    Format {
        name: "criterion-json",
        about: "the JSON report of Haskell's criterion (--json, or --template json)",
        matches: criterion_json::matches,
        read: criterion_json::read,
    },
    Format {
        name: "criterion-csv",
        about: "the CSV of Haskell's criterion (--csv)",
        matches: criterion_csv::matches,
        read: criterion_csv::read,
    },
    Format {
        name: "node-compare",
        about: "the CSV of Node's benchmark/compare.js",
        matches: node_compare::matches,
        read: node_compare::read,
    },
    Format {
        name: "node-run",
        about: "the CSV of Node's benchmark/run.js --format csv",
        matches: node_run::matches,
        read: node_run::read,
    },
    Format {
        name: "node-scatter",
        about: "the CSV of Node's benchmark/scatter.js",
        matches: node_scatter::matches,
        read: node_scatter::read,
    },
    Format {
        name: "node-bench",
        about: "the lines of node:bench, --bench-reporter=json",
        matches: node_bench::matches,
        read: node_bench::read,
    },
];

/// The format of this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The format that a file looks like.
pub fn guess(input: &Input<'_>) -> Option<&'static Format> {
    FORMATS.iter().find(|format| (format.matches)(input))
}
