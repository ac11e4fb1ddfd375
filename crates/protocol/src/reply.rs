//! The lines from the harness to the engine.

use crate::case::Case;
use crate::error::{ParseError, quote, value};
use crate::escape::{cut, unescape};
use crate::fields::Fields;
use crate::hello::Hello;
use crate::line::Line;
use crate::metric::Reported;
use crate::{MAX_DETAIL, number};
use std::fmt;

/// Maximum size of a message, in bytes before encoding. Truncating longer messages ensures that an `error`
/// fits into a line.
const MAX_MESSAGE: usize = 4096;

/// The line that ends a turn or a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct End {
    /// Values of the declared counters, in order. `None` for a counter that could not be read. Empty
    /// for a list.
    pub counters: Vec<Option<f64>>,
    /// Hash of the last result, if it was requested.
    pub hash: Option<String>,
    /// True if the runtime has not yet fully compiled the body.
    pub pending: bool,
    /// Id of the measuring thread, if the body moved to another thread.
    pub thread: Option<u32>,
    /// Undeclared values, in order.
    pub reported: Vec<Reported>,
}

/// A line from the harness to the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// `derny 1 …`, which is the first line and occurs once.
    Hello(Hello),
    /// A case of a list.
    Case(Box<Case>),
    /// The end of a turn, or the end of a list, which has no counters.
    End(End),
    /// The case is set up.
    Opened {
        /// Id of the thread that measures this case, if it differs from the hello's.
        thread: Option<u32>,
        /// True if the body is called only once, so that this call is the measurement.
        once: bool,
    },
    /// The case does not apply on this machine.
    Skip {
        /// Reason why the case does not apply.
        reason: String,
    },
    /// The body ran once.
    Checked {
        /// Hash of its result.
        hash: Option<String>,
    },
    /// Time of every batch, in nanoseconds.
    Times(Vec<u64>),
    /// `times -`: the turn has values but no times.
    NoTimes,
    /// Number of operations of every batch, in the order of the times.
    Ops(Vec<f64>),
    /// The garbage collector ran.
    Collected {
        /// Duration of the collection, in ns.
        ns: u64,
    },
    /// The heap has grown to the size that it would have after some seconds of running.
    Settled {
        /// Duration of settling, in ns.
        ns: u64,
    },
    /// The case was torn down.
    Closed {
        /// Number of operations since the case was opened, if the turns do not include all of them.
        ops: Option<f64>,
        /// Undeclared values for the time since the case was opened.
        reported: Vec<Reported>,
        /// Names and texts that the benchmark reports about the case.
        texts: Vec<(String, String)>,
    },
    /// The command failed.
    Error {
        /// One sentence with the class and the message of the exception.
        message: String,
        /// Stack trace or other long text.
        detail: Option<String>,
        /// True if the process cannot continue.
        fatal: bool,
    },
    /// A line for the user.
    Log {
        /// Text of the message.
        message: String,
    },
    /// The harness does not support this verb.
    Unsupported {
        /// Name of the unsupported verb.
        verb: String,
    },
}

impl Reply {
    /// Creates an `error` that fits into a line. Truncates the message to 4 KiB, and the detail to
    /// [`MAX_DETAIL`].
    #[must_use]
    pub fn error(message: &str, detail: Option<&str>, fatal: bool) -> Self {
        let detail = detail.map(|detail| cut(detail, MAX_DETAIL).to_owned());
        Self::Error { message: cut(message, MAX_MESSAGE).to_owned(), detail, fatal }
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
            "times" => times(rest),
            "end" => end(rest).map(Self::End),
            "ops" => ops(rest).map(Self::Ops),
            "derny" => Hello::parse(rest).map(Self::Hello),
            "case" => Case::parse(rest).map(|case| Self::Case(Box::new(case))),
            _ => keyed(verb, rest),
        }
    }

    /// Returns the first word of the line.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Hello(_) => "derny",
            Self::Case(_) => "case",
            Self::End(_) => "end",
            Self::Opened { .. } => "opened",
            Self::Skip { .. } => "skip",
            Self::Checked { .. } => "checked",
            Self::Times(_) | Self::NoTimes => "times",
            Self::Ops(_) => "ops",
            Self::Collected { .. } => "collected",
            Self::Settled { .. } => "settled",
            Self::Closed { .. } => "closed",
            Self::Error { .. } => "error",
            Self::Log { .. } => "log",
            Self::Unsupported { .. } => "unsupported",
        }
    }

    fn line(&self) -> Line {
        let mut line = Line::new(self.verb());
        match self {
            Self::Hello(hello) => return hello.line(),
            Self::Case(case) => return case.line(),
            Self::Times(times) => times.iter().for_each(|time| _ = line.word(time)),
            Self::NoTimes => _ = line.word('-'),
            Self::Ops(ops) => ops.iter().for_each(|value| _ = line.word(value)),
            Self::End(end) => end_line(&mut line, end),
            Self::Opened { thread, once } => _ = line.maybe_number("thread", *thread).flag("once", *once),
            Self::Skip { reason } => _ = line.text("reason", reason),
            Self::Checked { hash } => _ = line.maybe_text("hash", hash.as_ref()),
            Self::Collected { ns } | Self::Settled { ns } => _ = line.number("ns", ns),
            Self::Closed { ops, reported, texts } => {
                line.maybe_number("ops", *ops).pairs("texts", texts);
                reported.iter().for_each(|one| _ = line.word(one));
            }
            Self::Error { message, detail, fatal } => {
                line.text("message", message).maybe_text("detail", detail.as_ref()).flag("fatal", *fatal);
            }
            Self::Log { message } => _ = line.text("message", message),
            Self::Unsupported { verb } => _ = line.text("verb", verb),
        }
        line
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line().0)
    }
}

fn end_line(line: &mut Line, end: &End) {
    for counter in &end.counters {
        match counter {
            Some(value) => line.word(value),
            None => line.word('-'),
        };
    }
    line.maybe_text("hash", end.hash.as_ref())
        .flag("pending", end.pending)
        .maybe_number("thread", end.thread);
    end.reported.iter().for_each(|one| _ = line.word(one));
}

fn times(rest: Option<&str>) -> Result<Reply, ParseError> {
    match rest {
        None => Ok(Reply::Times(Vec::new())),
        Some("-") => Ok(Reply::NoTimes),
        Some(rest) => number::integers(rest)
            .map(Reply::Times)
            .ok_or_else(|| value("times", rest, "integers separated by single spaces")),
    }
}

fn words(rest: Option<&str>) -> impl Iterator<Item = &str> {
    rest.into_iter().flat_map(|rest| rest.split(' '))
}

fn ops(rest: Option<&str>) -> Result<Vec<f64>, ParseError> {
    words(rest).map(|word| number::float(word).ok_or_else(|| value("ops", word, "a finite number"))).collect()
}

fn end(rest: Option<&str>) -> Result<End, ParseError> {
    let reported = Reported::all(words(rest))?;
    let mut end = End { reported, ..End::default() };
    // The counters come first, followed by fields.
    let mut fields = Vec::new();
    for word in words(rest) {
        if let Some((key, raw)) = word.split_once('=') {
            let decoded = unescape(raw)?;
            match key {
                "hash" | "pending" | "thread" if fields.contains(&key) => {
                    return Err(ParseError::Repeated(key.to_owned()));
                }
                "hash" => end.hash = Some(decoded),
                "pending" => end.pending = decoded == "1",
                "thread" => {
                    let thread = number::integer(raw.as_bytes()).and_then(|id| u32::try_from(id).ok());
                    end.thread = Some(thread.ok_or_else(|| value("thread", raw, "an integer in range"))?);
                }
                _ => {}
            }
            fields.push(key);
        } else if !fields.is_empty() {
            return Err(ParseError::Field(quote(word)));
        } else if word == "-" {
            end.counters.push(None);
        } else {
            let counter = number::float(word).ok_or_else(|| value("end", word, "a finite number or -"))?;
            end.counters.push(Some(counter));
        }
    }
    Ok(end)
}

fn keyed(verb: &str, rest: Option<&str>) -> Result<Reply, ParseError> {
    let fields = |verb| Fields::parse(verb, rest);
    Ok(match verb {
        "opened" => {
            let fields = fields("opened")?;
            Reply::Opened { thread: fields.integer("thread")?, once: fields.flag("once")? }
        }
        "skip" => Reply::Skip { reason: fields("skip")?.needed_text("reason")? },
        "checked" => Reply::Checked { hash: fields("checked")?.text("hash")? },
        "collected" => Reply::Collected { ns: fields("collected")?.needed_integer("ns")? },
        "settled" => Reply::Settled { ns: fields("settled")?.needed_integer("ns")? },
        "closed" => {
            let fields = fields("closed")?;
            let (ops, texts) = (fields.float("ops")?, fields.pairs("texts")?);
            Reply::Closed { ops, reported: Reported::all(words(rest))?, texts }
        }
        "error" => {
            let fields = fields("error")?;
            let message = fields.needed_text("message")?;
            Reply::Error { message, detail: fields.text("detail")?, fatal: fields.flag("fatal")? }
        }
        "log" => Reply::Log { message: fields("log")?.needed_text("message")? },
        "unsupported" => Reply::Unsupported { verb: fields("unsupported")?.needed_text("verb")? },
        other => return Err(ParseError::UnknownVerb(quote(other))),
    })
}
