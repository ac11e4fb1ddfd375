//! Converts units of Go's benchmark format to metrics: times, directions, and `Unit` lines.

use derny_model::{Direction, Kind, Metric};
use std::collections::HashMap;

/// Units of time per operation, with their length in ns.
const TIMES: [(&str, f64); 2] = [("ns/op", 1.0), ("sec/op", 1e9)];

/// Units that match a metric of Derny's harness for Go: unit, metric, and unit of the metric.
const COUNTED: [(&str, &str, &str); 2] = [("B/op", "allocated", "B"), ("allocs/op", "allocations", "count")];

/// Metric that is shown whenever it is not zero.
pub(super) const SHOWN_ANYWAY: &str = "allocated";

#[derive(Default)]
pub(super) struct Units<'a> {
    better: HashMap<String, &'a str>,
    assume: HashMap<String, &'a str>,
}

impl<'a> Units<'a> {
    /// Parses the text after the word `Unit`. The first declaration wins.
    pub(super) fn declare(&mut self, rest: &'a str) {
        let mut fields = rest.split_whitespace();
        let Some(unit) = fields.next() else { return };
        for (key, value) in fields.filter_map(|field| field.split_once('=')) {
            let known = match key {
                "better" => &mut self.better,
                "assume" => &mut self.assume,
                _ => continue,
            };
            known.entry(base(unit)).or_insert(value);
        }
    }

    pub(super) fn metric(&self, unit: &str) -> Metric {
        let said = |known: &HashMap<String, &'a str>| known.get(&base(unit)).copied();
        let direction = match said(&self.better) {
            Some("lower") => Direction::Less,
            Some("higher") => Direction::More,
            Some(_) => Direction::None,
            None => usual(unit),
        };
        let exact = said(&self.assume) == Some("exact");
        let (name, unit, kind) = match COUNTED.iter().find(|(known, ..)| *known == unit) {
            Some((_, name, unit)) => ((*name).to_owned(), (*unit).to_owned(), Kind::Total),
            None => (unit.to_owned(), shown(unit), Kind::Level),
        };
        Metric { name, unit, kind, direction, exact }
    }
}

/// Returns the index of the time among these units, and the factor that converts it to ns.
pub(super) fn time(units: &[&str]) -> Option<(usize, f64)> {
    TIMES.iter().find_map(|(time, ns)| Some((units.iter().position(|unit| unit == time)?, *ns)))
}

fn usual(unit: &str) -> Direction {
    match unit {
        "ns/op" | "sec/op" | "B/op" | "allocs/op" => Direction::Less,
        _ if unit.ends_with("/s") || unit.ends_with("/sec") => Direction::More,
        _ => Direction::None,
    }
}

/// Returns the unit to show: `ns` for times in ns, so that `per operation` is omitted. The metric's name
/// contains the whole unit.
fn shown(unit: &str) -> String {
    match unit {
        _ if numerator(unit).any(|(word, _)| word == "ns") => "ns".to_owned(),
        _ => unit.to_owned(),
    }
}

fn numerator(unit: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut below = false;
    let mut at = 0;
    unit.split_inclusive(['/', '*', '-']).filter_map(move |part| {
        let (word, start, divided) = (part.trim_end_matches(['/', '*', '-']), at, below);
        at += part.len();
        below = match part.chars().next_back() {
            Some('/') => true,
            Some('*') => false,
            _ => below,
        };
        (!divided).then_some((word, start))
    })
}

/// Converts a unit to benchstat's base units, because `Unit sec/op` also applies to `ns/op`.
fn base(unit: &str) -> String {
    let mut text = unit.to_owned();
    let words: Vec<(&str, usize)> = numerator(unit).collect();
    for (word, at) in words.into_iter().rev() {
        match word {
            "ns" => text.replace_range(at..at + 2, "sec"),
            "MB" => text.replace_range(at..at + 2, "B"),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_decide_which_way_is_better() {
        let mut units = Units::default();
        units.declare(" p99-sec better=lower assume=exact other=x");
        units.declare(" p99-ns better=higher");
        units.declare(" B/op better=higher");
        let direction = |unit: &str| units.metric(unit).direction;
        assert_eq!((direction("p99-ns"), units.metric("p99-ns").exact), (Direction::Less, true));
        assert_eq!(direction("B/op"), Direction::More);
        assert_eq!(
            [direction("allocs/op"), direction("ns/GC"), direction("hits")],
            [Direction::Less, Direction::None, Direction::None]
        );
        assert_eq!([direction("MB/s"), direction("reqs/sec"), direction("x/s")], [Direction::More; 3]);
    }

    #[test]
    fn units_are_shown_once() {
        assert_eq!(["p99-ns", "ns/GC", "GC/ns", "MB/s"].map(shown), ["ns", "ns", "GC/ns", "MB/s"]);
        assert_eq!([base("p99-ns/GC"), base("MB/s"), base("GC/ns")], ["p99-sec/GC", "B/s", "GC/ns"]);
        assert_eq!(time(&["B/op", "sec/op", "ns/op"]), Some((2, 1.0)));
    }
}
