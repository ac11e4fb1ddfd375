//! Output formats. A verb accepts those that it can print.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Formats of a result or of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table or tree.
    Table,
    /// One name per line, in the form that patterns match.
    Plain,
    /// One JSON document.
    Json,
    /// Events as they happen, one JSON object per line.
    Ndjson,
    /// One row per case and variant; in a comparison, one per quantity too.
    Csv,
    /// A Markdown table.
    #[value(alias = "md")]
    Markdown,
    /// A Markdown table of at most 65,000 characters, to fit a pull request comment; worst changes first.
    Comment,
    /// A JUnit report of a comparison.
    Junit,
    /// Annotations for a GitHub workflow, for a comparison.
    Github,
}

use Format::{Comment, Csv, Github, Json, Junit, Markdown, Ndjson, Plain, Table};

/// Formats of a list of runs, and of checks.
pub(super) const OF_ROWS: &[Format] = &[Table, Json];
/// Formats of a list of cases.
pub(super) const OF_CASES: &[Format] = &[Table, Plain, Json];
/// Formats of a stored run, and of results by parameter.
pub(super) const OF_A_RUN: &[Format] = &[Table, Json, Csv, Markdown];
/// Formats of a comparison.
pub const OF_A_COMPARISON: &[Format] = &[Table, Json, Csv, Markdown, Comment, Junit, Github];
/// Formats of a running measurement.
pub const OF_EVENTS: &[Format] = &[Table, Json, Ndjson, Csv, Markdown, Comment, Junit, Github];

impl Format {
    /// Returns a parser that accepts only these formats.
    pub(super) fn among(forms: &[Format]) -> impl TypedValueParser<Value = Format> {
        let names: Vec<_> = forms.iter().filter_map(Format::to_possible_value).collect();
        PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false))
    }
}
