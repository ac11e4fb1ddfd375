//! The measurements of a bisection, as a text in the store. The same command finds them again.

use crate::bisect::search::Fact;
use derny_model::{Direction, problem};
use derny_store::Store;
use derny_workbench::Result;
use serde::{Deserialize, Serialize};

/// Version of the text in the store.
const FORMAT: u32 = 1;

/// The bisected quantity of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Full name of the case.
    pub case: String,
    /// `typical`, or the name of a metric.
    pub quantity: String,
    /// Direction of improvement.
    pub better: Direction,
}

/// A bisection, as stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// Version of this format.
    pub format: u32,
    /// The bisected quantity. Absent before the first measurement.
    pub subject: Option<Subject>,
    /// The measurements, in their order.
    pub facts: Vec<Fact>,
}

impl Log {
    /// Returns the log of a bisection that has measured nothing.
    pub fn new() -> Log {
        Log { format: FORMAT, ..Log::default() }
    }
}

/// The place of a bisection in the store.
pub struct Place<'a> {
    store: &'a Store,
    key: String,
}

impl<'a> Place<'a> {
    /// Returns the place of the bisection with this identity: its commits, and the words that say what to
    /// measure.
    pub fn of(store: &'a Store, identity: &[String]) -> Place<'a> {
        Place { store, key: format!("bisect:{}", identity.join("\u{1f}")) }
    }

    /// Reads the measurements of the bisection. Returns an empty log if there are none.
    ///
    /// # Errors
    /// Fails if the store cannot be read, or if a newer derny wrote the text.
    pub fn read(&self) -> Result<Log> {
        let text = self.store.text(&self.key)?.filter(|text| !text.is_empty());
        let Some(text) = text else { return Ok(Log::new()) };
        let unreadable = |why: &dyn std::fmt::Display| {
            problem!("the stored measurements of this bisection cannot be read")
                .why(why)
                .remedy("use --reset to start over")
        };
        let log: Log = serde_json::from_str(&text).map_err(|why| unreadable(&why))?;
        if log.format > FORMAT {
            return Err(
                unreadable(&format_args!("a newer derny wrote them, in format {}", log.format)).into()
            );
        }
        Ok(log)
    }

    /// Stores the bisection.
    ///
    /// # Errors
    /// Fails if the store cannot be written.
    pub fn write(&self, log: &Log) -> Result<()> {
        let text = serde_json::to_string(log).expect("a log has only text keys");
        Ok(self.store.change_text(&self.key, |_| text.clone())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{Estimate, Interval};

    #[test]
    fn a_log_reads_back_as_it_was_written() {
        let change = |interval| Estimate { value: 0.1, interval };
        let fact = |change| Fact::Measured { from: 0, to: 3, confirms: false, change, run: "r".into() };
        let facts = vec![
            fact(change(Some(Interval { lo: 0.05, hi: 0.15 }))),
            fact(change(None)),
            Fact::Skipped { at: 2, why: "it does not build".into() },
        ];
        let subject = Subject { case: "a/b".into(), quantity: "typical".into(), better: Direction::Less };
        let log = Log { format: FORMAT, subject: Some(subject), facts };
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let place = |word: &str| Place::of(&store, &[word.to_owned()]);
        assert_eq!(place("x").read().unwrap().facts, []);
        place("x").write(&log).unwrap();
        assert_eq!(place("x").read().unwrap(), log);
        assert_eq!(place("y").read().unwrap().facts, [], "another bisection");
        place("x").write(&Log { format: FORMAT + 1, ..log }).unwrap();
        assert!(place("x").read().unwrap_err().to_string().contains("--reset"));
    }
}
