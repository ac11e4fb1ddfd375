//! Reads Benchfella snapshots: a line of options, a line of titles, and a line per test with its iterations
//! and their total time. A snapshot has one sample per test, and says nothing about the machine.

use crate::cases::CaseIdentity;
use crate::{Foreign, Input, ReadError, Sample, time};
use std::sync::Arc;

const TITLES: &str = "module;test;tags;iterations;elapsed";

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let mut lines = input.head().lines();
    lines.next().is_some_and(|line| line.starts_with("duration:")) && lines.next() == Some(TITLES)
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let text = input.text()?;
    let mut lines = (1..).zip(text.lines());
    let options = lines.next().map_or("", |(_, line)| line);
    if !options.starts_with("duration:") {
        return Err(ReadError::at(1, "the file does not begin with `duration:`"));
    }
    if lines.next().map(|(_, line)| line) != Some(TITLES) {
        return Err(ReadError::at(2, format!("the titles are not `{TITLES}`")));
    }
    let mut foreign = Foreign::new("benchfella", "elixir");
    foreign.started_ms = date(input.name);
    foreign.says("variation of times (a snapshot has one sample per test)");
    foreign.says("versions of Elixir and Erlang");
    let process = foreign.process(0, 0);
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [module, test, _tags, iterations, elapsed] = fields[..] else {
            let found = fields.len();
            return Err(ReadError::at(number, format!("expected 5 fields separated by tabs, found {found}")));
        };
        let iterations = count(number, "iterations", iterations)?;
        let elapsed_us = count(number, "elapsed", elapsed)?;
        if iterations == 0 {
            return Err(ReadError::at(number, "iterations are 0"));
        }
        let case = foreign.case(CaseIdentity::Row, module, test, Vec::new());
        foreign.cases.change(case, |own| own.module = Some(module.to_owned()));
        let sample = Sample { time_ns: elapsed_us.saturating_mul(1000), iterations, ..Sample::default() };
        foreign.visit((process, case), &Arc::default(), &[sample], Vec::new());
    }
    Ok(foreign)
}

fn count(line: usize, name: &str, text: &str) -> Result<u64, ReadError> {
    text.trim().parse().map_err(|_| ReadError::at(line, format!("{name} `{text}` is not a whole number")))
}

/// Parses a file name such as `2026-11-22_03-04-05.snapshot` as ms since the epoch. The time is local, but
/// its zone is unknown, so it is read as UTC.
fn date(name: &str) -> Option<i64> {
    let stem = name.strip_suffix(".snapshot")?;
    let parts: Vec<i64> = stem.split(['-', '_']).map(str::parse).collect::<Result<_, _>>().ok()?;
    time::ms(parts.try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_snapshot_is_its_date() {
        assert_eq!(date("1970-01-01_00-00-01.snapshot"), Some(1000));
        assert_eq!(date("2000-02-29_12-00-00.snapshot"), Some(951_825_600_000));
        assert_eq!(date("2026-11-22_03-21-34.snapshot"), Some(1_795_317_694_000));
        assert_eq!(date("last.snapshot"), None);
        assert_eq!(date("2026-13-22_03-21-34.snapshot"), None);
    }
}
