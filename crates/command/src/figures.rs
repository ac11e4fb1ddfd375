//! Metrics for the figures that commands print: their units and directions of improvement.

use crate::printed::checked;
use derny_model::{Problem, problem};
use derny_protocol::{Direction, Kind};
use serde::{Deserialize, Serialize};

/// Name of the metric that is the wall time of a run.
pub const ELAPSED: &str = "elapsed";

/// Units. For each: the words for it in `--metric` and at the end of a metric's name, the unit to record, and
/// the factor that converts a printed value to it. Times are recorded in ns, and sizes in bytes.
const UNITS: [(&[&str], &str, f64); 15] = [
    (&["rps"], "requests/s", 1.0),
    (&["qps"], "queries/s", 1.0),
    (&["ns", "nanos"], "ns", 1.0),
    (&["us", "µs", "μs", "micros"], "ns", 1e3),
    (&["ms", "millis"], "ns", 1e6),
    (&["s", "sec", "secs", "seconds"], "ns", 1e9),
    (&["bytes", "B"], "B", 1.0),
    (&["kb", "kB", "KB"], "B", 1e3),
    (&["mb", "MB"], "B", 1e6),
    (&["gb", "GB"], "B", 1e9),
    (&["kib", "KiB"], "B", 1024.0),
    (&["mib", "MiB"], "B", 1_048_576.0),
    (&["gib", "GiB"], "B", 1_073_741_824.0),
    (&["pct", "percent", "%"], "%", 1.0),
    (&["count", ""], "count", 1.0),
];

/// The direction in which a change of a metric is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Better {
    /// A lower value is better.
    Lower,
    /// A higher value is better.
    Higher,
}

/// A description of a metric: a value of `--metric`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Name of the metric.
    pub name: String,
    /// Unit, if the user gave one.
    pub unit: Option<String>,
    /// Direction of improvement.
    pub better: Better,
}

impl Wanted {
    /// Parses `NAME[:UNIT]:higher|lower`.
    ///
    /// # Errors
    /// Fails if the name is empty or invalid, or if the direction is missing.
    pub fn parse(text: &str) -> Result<Wanted, Problem> {
        let wrong = |problem: Problem| problem.place(format_args!("--metric {text}"));
        let (rest, better) = match text.rsplit_once(':') {
            Some((rest, "higher")) => (rest, Better::Higher),
            Some((rest, "lower")) => (rest, Better::Lower),
            _ => {
                let what = problem!("`{text}` does not say which change is better");
                return Err(wrong(what.remedy("use NAME:higher, NAME:lower or NAME:UNIT:lower")));
            }
        };
        let (name, unit) = rest.split_once(':').map_or((rest, None), |(name, unit)| (name, Some(unit)));
        Ok(Wanted { name: checked(name).map_err(wrong)?, unit: unit.map(str::to_owned), better })
    }
}

/// A metric that commands print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Name of the metric.
    pub name: String,
    /// Unit of the recorded values.
    pub unit: String,
    /// Factor by which printed values are multiplied.
    pub factor: f64,
    /// Direction of improvement, if the user gave one.
    pub better: Option<Better>,
    /// True if each command printed the same value in all of its first runs.
    pub exact: bool,
}

impl Metric {
    /// Returns the metric for the figure `name`. Its unit is that of `wanted`, or else the one that the name
    /// ends with, such as `ms` in `latency_ms`.
    pub fn new(name: &str, wanted: Option<&Wanted>, exact: bool) -> Metric {
        let (unit, factor) = match wanted.and_then(|wanted| wanted.unit.as_deref()) {
            Some(unit) => of_word(unit),
            None => of_name(name),
        };
        Metric { name: name.to_owned(), unit, factor, better: wanted.map(|wanted| wanted.better), exact }
    }

    /// Returns the metric in the form in which harnesses declare it.
    pub fn declared(&self) -> derny_protocol::Metric {
        derny_protocol::Metric {
            name: self.name.clone(),
            unit: self.unit.clone(),
            kind: Kind::Level,
            direction: match self.better {
                Some(Better::Lower) => Direction::Less,
                Some(Better::Higher) => Direction::More,
                None => Direction::None,
            },
            exact: self.exact,
        }
    }
}

/// Returns the unit to record for a unit word, and the factor that converts to it. An unknown word is itself
/// the unit, with the factor 1.
fn of_word(word: &str) -> (String, f64) {
    let known = UNITS.iter().find(|(words, ..)| words.contains(&word));
    known.map_or((word.to_owned(), 1.0), |(_, unit, factor)| ((*unit).to_owned(), *factor))
}

/// Returns the unit that a name ends with, as in `latency_ms` or `mb_per_s`, and the factor that converts to
/// it. Without a known unit, it is `count`.
fn of_name(name: &str) -> (String, f64) {
    let words: Vec<&str> = name.split(['_', '.']).collect();
    if let [.., what, "per", "s" | "sec" | "second"] = words[..] {
        return (format!("{what}/s"), 1.0);
    }
    let last = words.last().filter(|last| UNITS.iter().any(|(words, ..)| words.contains(last)));
    last.map_or_else(|| of_word(""), |last| of_word(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_come_from_names_or_from_the_user() {
        for (name, unit, factor) in [
            ("p99_ms", "ns", 1e6),
            ("lat_µs", "ns", 1e3),
            ("wall_s", "ns", 1e9),
            ("ops_per_s", "ops/s", 1.0),
            ("in.mb_per_sec", "mb/s", 1.0),
            ("qps", "queries/s", 1.0),
            ("size_kb", "B", 1e3),
            ("coverage_pct", "%", 1.0),
            ("tests", "count", 1.0),
            ("bus", "count", 1.0),
        ] {
            assert_eq!(of_name(name), (unit.to_owned(), factor), "{name}");
        }
        let unit = |text: &str| Metric::new("a", Some(&Wanted::parse(text).unwrap()), false).unit;
        assert_eq!((unit("a:ms:lower"), unit("a:points:higher")), ("ns".to_owned(), "points".to_owned()));
        for bad in ["a", "a:up", ":lower", "a,b:lower"] {
            assert!(Wanted::parse(bad).unwrap_err().to_string().contains(bad), "{bad}");
        }
    }
}
