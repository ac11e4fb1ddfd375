//! The lines from the engine to the harness.

use crate::error::{ParseError, quote, value};
use crate::escape::cut;
use crate::fields::Fields;
use crate::line::Line;
use std::fmt;

/// A line from the engine to the harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// List all cases.
    List {
        /// Values that replace the benchmarks' own parameter values. A parameter without values is
        /// omitted from the line.
        params: Vec<(String, Vec<String>)>,
        /// True to use the smallest valid input of each benchmark (`mode=test`).
        test: bool,
        /// Key of the global set-up to perform first. The process then stays alive until the end of the
        /// run.
        prepare: Option<String>,
        /// Path of the file to list, instead of all files. Only for a harness whose `can` contains
        /// `files`.
        file: Option<String>,
    },
    /// List the cases below a parent. The harness finds them by running the parent.
    Expand {
        /// Name of the benchmark.
        benchmark: String,
        /// Parameters of the case, in the order of `list`.
        params: Vec<(String, String)>,
    },
    /// Set up one case.
    Open {
        /// Name of the benchmark.
        benchmark: String,
        /// Parameters of the case, in the order of `list`.
        params: Vec<(String, String)>,
        /// Position of the case, as `list` reported it.
        at: Option<String>,
    },
    /// Call the body of the open case once, without timing it.
    Check,
    /// Run one turn.
    Measure {
        /// Number of calls per batch, at least 1.
        iterations: u64,
        /// Number of batches, from 1 to [`crate::MAX_BATCHES`].
        batches: u32,
        /// Time in ns after which no further batch begins.
        within_ns: u64,
        /// Duration of the lead in ns: batches of the same kind before the turn, which are neither
        /// timed nor counted. 0 for none.
        lead_ns: u64,
        /// Mode of measuring, from the hello's `modes`.
        mode: Option<String>,
        /// True to request a hash of the last result.
        hash: bool,
    },
    /// Run one turn of an empty body.
    Overhead {
        /// Number of calls per batch, at least 1.
        iterations: u64,
        /// Number of batches, from 1 to [`crate::MAX_BATCHES`].
        batches: u32,
    },
    /// Force a garbage collection.
    Collect,
    /// Grow the heap to the size that it would have after some seconds of running.
    Settle {
        /// Number of bytes that will be allocated until the case is closed. It limits the growth.
        /// `None` if unknown.
        bytes: Option<u64>,
    },
    /// Tear down the open case.
    Close,
    /// In attached mode, a piece of the report for the user. Has no reply.
    Report {
        /// Text of the piece.
        text: String,
        /// True if further pieces follow.
        more: bool,
    },
    /// In attached mode, a piece of the result as JSON. Has no reply.
    Result {
        /// Text of the piece.
        json: String,
        /// True if further pieces follow.
        more: bool,
    },
    /// Exit with status 0.
    Quit,
}

/// Maximum size of a piece in bytes before encoding. Encoding can triple it.
const PIECE: usize = 16 * 1024;

impl Command {
    /// Splits a report for the user into one or more pieces, each of which fits into a line.
    #[must_use]
    pub fn report(text: &str) -> Vec<Self> {
        pieces(text, |text, more| Self::Report { text, more })
    }

    /// Splits a JSON result into one or more pieces, each of which fits into a line.
    #[must_use]
    pub fn result(json: &str) -> Vec<Self> {
        pieces(json, |json, more| Self::Result { json, more })
    }

    /// Parses a line without its LF.
    ///
    /// # Errors
    /// Fails with [`ParseError::UnknownVerb`] for a verb that this version lacks, and with other
    /// variants for a malformed line.
    pub fn parse(line: &str) -> Result<Self, ParseError> {
        let (verb, rest) = line.split_once(' ').map_or((line, None), |(verb, rest)| (verb, Some(rest)));
        match verb {
            "" => Err(ParseError::Empty),
            "list" => list(&Fields::parse("list", rest)?),
            "open" => {
                let fields = Fields::parse("open", rest)?;
                let benchmark = fields.needed_text("benchmark")?;
                Ok(Self::Open { benchmark, params: fields.params()?, at: fields.text("at")? })
            }
            "expand" => {
                let fields = Fields::parse("expand", rest)?;
                Ok(Self::Expand { benchmark: fields.needed_text("benchmark")?, params: fields.params()? })
            }
            "measure" => measure(&Fields::parse("measure", rest)?),
            "overhead" => {
                let fields = Fields::parse("overhead", rest)?;
                let iterations = fields.needed_integer("iterations")?;
                Ok(Self::Overhead { iterations, batches: fields.needed_integer("batches")? })
            }
            "check" => Fields::parse("check", rest).map(|_| Self::Check),
            "collect" => Fields::parse("collect", rest).map(|_| Self::Collect),
            "settle" => Ok(Self::Settle { bytes: Fields::parse("settle", rest)?.integer("bytes")? }),
            "close" => Fields::parse("close", rest).map(|_| Self::Close),
            "report" => {
                let fields = Fields::parse("report", rest)?;
                Ok(Self::Report { text: fields.needed_text("text")?, more: fields.flag("more")? })
            }
            "result" => {
                let fields = Fields::parse("result", rest)?;
                Ok(Self::Result { json: fields.needed_text("json")?, more: fields.flag("more")? })
            }
            "quit" => Fields::parse("quit", rest).map(|_| Self::Quit),
            other => Err(ParseError::UnknownVerb(quote(other))),
        }
    }

    /// Returns the first word of the line.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match self {
            Self::List { .. } => "list",
            Self::Expand { .. } => "expand",
            Self::Open { .. } => "open",
            Self::Check => "check",
            Self::Measure { .. } => "measure",
            Self::Overhead { .. } => "overhead",
            Self::Collect => "collect",
            Self::Settle { .. } => "settle",
            Self::Close => "close",
            Self::Report { .. } => "report",
            Self::Result { .. } => "result",
            Self::Quit => "quit",
        }
    }
}

fn pieces(mut text: &str, piece: impl Fn(String, bool) -> Command) -> Vec<Command> {
    let mut commands = Vec::new();
    loop {
        let (head, rest) = text.split_at(cut(text, PIECE).len());
        commands.push(piece(head.to_owned(), !rest.is_empty()));
        text = rest;
        if text.is_empty() {
            return commands;
        }
    }
}

fn list(fields: &Fields<'_>) -> Result<Command, ParseError> {
    let test = match fields.text("mode")?.as_deref() {
        None => false,
        Some("test") => true,
        Some(other) => return Err(value("mode", other, "test")),
    };
    Ok(Command::List {
        params: fields.param_lists()?,
        test,
        prepare: fields.text("prepare")?.filter(|key| key != "0"),
        file: fields.text("file")?,
    })
}

fn measure(fields: &Fields<'_>) -> Result<Command, ParseError> {
    Ok(Command::Measure {
        iterations: fields.needed_integer("iterations")?,
        batches: fields.needed_integer("batches")?,
        within_ns: fields.needed_integer("within")?,
        lead_ns: fields.integer("lead")?.unwrap_or(0),
        mode: fields.text("mode")?,
        hash: fields.flag("hash")?,
    })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new(self.verb());
        match self {
            Self::List { params, test, prepare, file } => {
                for (name, values) in params {
                    line.items(&format!("p.{name}"), values);
                }
                if *test {
                    line.text("mode", "test");
                }
                line.maybe_text("prepare", prepare.as_ref()).maybe_text("file", file.as_ref());
            }
            Self::Open { benchmark, params, at } => {
                line.text("benchmark", benchmark).params(params).maybe_text("at", at.as_ref());
            }
            Self::Expand { benchmark, params } => {
                line.text("benchmark", benchmark).params(params);
            }
            Self::Measure { iterations, batches, within_ns, lead_ns, mode, hash } => {
                line.number("iterations", iterations)
                    .number("batches", batches)
                    .number("within", within_ns)
                    .maybe_number("lead", (*lead_ns > 0).then_some(*lead_ns))
                    .maybe_text("mode", mode.as_ref())
                    .flag("hash", *hash);
            }
            Self::Overhead { iterations, batches } => {
                line.number("iterations", iterations).number("batches", batches);
            }
            Self::Report { text, more } => _ = line.text("text", text).flag("more", *more),
            Self::Result { json, more } => _ = line.text("json", json).flag("more", *more),
            Self::Settle { bytes } => _ = line.maybe_number("bytes", *bytes),
            Self::Check | Self::Collect | Self::Close | Self::Quit => {}
        }
        f.write_str(&line.0)
    }
}
