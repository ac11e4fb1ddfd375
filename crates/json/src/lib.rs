//! The JSON of what is stored, streamed and printed. Knows no file and no database.
//!
//! What reads or writes a large type is many functions, and each crate that calls `serde_json` with the type compiles them again. Here they
//! are compiled once; the crates above call them.

use derny_model::{
    Builds, Case, CaseResult, Comparison, Document, Event, Failure, FleetPlan, Identity, Look, Metric,
    Observation, PlannedShard, ProcessEnd, ProcessStart, RunHeader, Scaling, Settings, VisitReport,
};
pub use serde_json::Error;
use serde_json::Value;
use std::io::{self, BufWriter, Write};

/// A type that is read from JSON.
pub trait FromJson: Sized {
    /// Returns the value that the text describes.
    ///
    /// # Errors
    /// The text is no JSON, or not that of this type.
    fn from_json(text: &str) -> Result<Self, Error>;
}

/// A type that is written as JSON.
pub trait ToJson {
    /// Returns the value as one line.
    ///
    /// # Errors
    /// None for a type of the model: only a map with keys that are no text fails.
    fn to_json(&self) -> Result<String, Error>;
}

/// A type that is printed for people too.
pub trait Pretty {
    /// Writes the value with indents.
    ///
    /// # Errors
    /// Those of `to`.
    fn write_pretty(&self, to: &mut dyn Write) -> io::Result<()>;
}

// `inline(never)`: inlined into a crate above, they would be compiled there.
macro_rules! read {
    ($($of:ty),* $(,)?) => {$(
        impl FromJson for $of {
            #[inline(never)]
            fn from_json(text: &str) -> Result<Self, Error> {
                serde_json::from_str(text)
            }
        }
    )*};
}

macro_rules! write {
    ($($of:ty),* $(,)?) => {$(
        impl ToJson for $of {
            #[inline(never)]
            fn to_json(&self) -> Result<String, Error> {
                serde_json::to_string(self)
            }
        }
    )*};
}

macro_rules! pretty {
    ($($of:ty),* $(,)?) => {$(
        impl Pretty for $of {
            #[inline(never)]
            fn write_pretty(&self, to: &mut dyn Write) -> io::Result<()> {
                // Hundreds of millions of pieces, most of them a byte or two: a call of `to` for each would cost as much as making them.
                let mut to = BufWriter::with_capacity(1 << 16, to);
                serde_json::to_writer_pretty(&mut to, self)?;
                to.flush()
            }
        }
    )*};
}

read!(
    Builds,
    Case,
    CaseResult,
    Document,
    Event,
    Failure,
    FleetPlan,
    Look,
    Observation,
    ProcessEnd,
    ProcessStart
);
read!(RunHeader, Value, Vec<Case>, Vec<Metric>, VisitReport);
write!(
    Builds,
    Case,
    CaseResult, Event, Failure, FleetPlan, Identity, Look, Observation, ProcessEnd, ProcessStart
);
write!(RunHeader, Settings, VisitReport, [Case], [Metric], [PlannedShard]);
pretty!(Comparison, Document, Scaling);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let event = Event::VisitEnded { visit: 7 };
        let text = event.to_json().unwrap();
        assert_eq!(text, r#"{"event":"visit-ended","visit":7}"#);
        assert_eq!(Event::from_json(&text).unwrap(), event);
        assert!(Event::from_json("{}").is_err());
    }
}
