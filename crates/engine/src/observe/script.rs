//! Scripted observations of the machine, which replace the real ones in tests.

use derny_model::Yardstick;
use std::ffi::OsString;

/// Environment variable with the path of a script. Each line is a yardstick (name, ns per step, standard
/// error in ns), or `steal`, `others` or `load` followed by a number.
const SCRIPT: &str = "DERNY_YARDSTICKS";

/// The observations of a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Readings of the yardsticks.
    pub yardsticks: Vec<Yardstick>,
    /// Share of processor time that was stolen.
    pub steal: f64,
    /// Share of processor time that other programs used.
    pub others: f64,
    /// One-minute load average.
    pub load: Option<f64>,
}

/// Returns the path of the script, if a test has set one.
pub fn file() -> Option<OsString> {
    std::env::var_os(SCRIPT)
}

/// Reads the script, if a test has set one.
pub fn read() -> Option<Script> {
    Some(parse(&std::fs::read_to_string(file()?).unwrap_or_default()))
}

/// Parses a script. Ignores invalid lines.
fn parse(text: &str) -> Script {
    let mut script = Script::default();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(name) = words.next() else { continue };
        let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
        match (name, numbers.as_deref()) {
            ("steal", Some([share])) => script.steal = *share,
            ("others", Some([share])) => script.others = *share,
            ("load", Some([load])) => script.load = Some(*load),
            (_, Some([time_ns, error_ns])) => {
                let (name, time_ns, error_ns) = (name.to_owned(), *time_ns, *error_ns);
                script.yardsticks.push(Yardstick { name, time_ns, error_ns });
            }
            _ => {}
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_has_a_line_for_each() {
        let read = parse("integer 0.25 0.001\n\nmemory 80 x\nothers 0.5\ncache 4 0.1\nload 3\n");
        let values: Vec<(&str, f64, f64)> =
            read.yardsticks.iter().map(|one| (one.name.as_str(), one.time_ns, one.error_ns)).collect();
        assert_eq!(values, [("integer", 0.25, 0.001), ("cache", 4.0, 0.1)]);
        assert_eq!((read.steal, read.others, read.load), (0.0, 0.5, Some(3.0)));
    }
}
