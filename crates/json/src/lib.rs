//! Converts everything that is stored, streamed or printed to and from JSON. Uses no files and no
//! database.
//!
//! 1. `ToJson` writes an event, a header or a setting as one line, for the store and for streams.
//! 2. `FromJson` reads a line.
//! 3. `Pretty` prints a document or a comparison with indentation, for people.
//!
//! Serialising a large type compiles many functions, and each crate that calls `serde_json` with it
//! compiles them again. This crate compiles them once for all other crates.

use derny_model::{
    Builds, Case, CaseResult, Comparison, Document, Event, Failure, FleetPlan, HistoryEntry, HistorySeries,
    Identity, Look, Metric, Observation, PlannedShard, ProcessEnd, ProcessStart, RunHeader, Scaling,
    Settings, VisitReport,
};
pub use serde_json::Error;
use serde_json::Value;
use std::io::{self, BufWriter, Write};

/// A type that can be read from JSON.
pub trait FromJson: Sized {
    /// Parses a value.
    ///
    /// # Errors
    ///
    /// Fails if the text is not JSON or does not describe this type.
    fn from_json(text: &str) -> Result<Self, Error>;
}

/// A type that can be written as JSON.
pub trait ToJson {
    /// Returns the value as one line of JSON.
    ///
    /// # Errors
    ///
    /// Never fails for a type of the model. Only maps whose keys are not text cannot be written.
    fn to_json(&self) -> Result<String, Error>;
}

/// A type that can be printed for people.
pub trait Pretty {
    /// Writes the value with indentation.
    ///
    /// # Errors
    ///
    /// Fails if writing to `to` fails.
    fn write_pretty(&self, to: &mut dyn Write) -> io::Result<()>;
}

// `inline(never)`, because an inlined function would be compiled again in each calling crate.
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
                // The serialiser writes many pieces of one or two bytes. Without a buffer, calling `to`
                // would take as long as serialising.
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
read!(HistoryEntry, HistorySeries);
read!(RunHeader, Value, Vec<Case>, Vec<Metric>, VisitReport);
write!(
    Builds,
    Case,
    CaseResult, Event, Failure, FleetPlan, Identity, Look, Observation, ProcessEnd, ProcessStart
);
write!(HistoryEntry, HistorySeries);
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
