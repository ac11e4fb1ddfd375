//! A declared metric: `cpu:ns`, `rate:requests/s:more`, `allocated:B:less:exact`.

use crate::error::{ParseError, value};
use crate::escape::{escape_also, unescape};
use std::fmt;

/// Which change of a metric is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Less is better.
    Less,
    /// More is better.
    More,
    /// Not said. For the reserved names the engine knows; for others no change is good or bad.
    #[default]
    None,
}

/// A counter that closes every turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// Its name; the reserved ones are listed in the specification.
    pub name: String,
    /// Its unit: `ns`, `count`, `B`, `requests/s`, …
    pub unit: String,
    /// Which change is an improvement.
    pub direction: Direction,
    /// Whether equal work gives equal values, so that any difference is real.
    pub exact: bool,
}

impl Metric {
    pub(crate) fn parse(item: &str) -> Result<Self, ParseError> {
        let wrong = || value("metrics", item, "name:unit[:less|more|none[:exact]]");
        let mut parts = item.split(':');
        let mut text = || parts.next().filter(|part| !part.is_empty()).ok_or_else(wrong).and_then(unescape);
        let (name, unit) = (text()?, text()?);
        let direction = match parts.next() {
            Some("less") => Direction::Less,
            Some("more") => Direction::More,
            None | Some("none") => Direction::None,
            Some(_) => return Err(wrong()),
        };
        let exact = match parts.next() {
            None => false,
            Some("exact") => true,
            Some(_) => return Err(wrong()),
        };
        if parts.next().is_some() {
            return Err(wrong());
        }
        Ok(Self { name, unit, direction, exact })
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", escape_also(&self.name, b",:"), escape_also(&self.unit, b",:"))?;
        match (self.direction, self.exact) {
            (Direction::Less, _) => f.write_str(":less")?,
            (Direction::More, _) => f.write_str(":more")?,
            // `exact` is the fourth part, so the third must be there.
            (Direction::None, true) => f.write_str(":none")?,
            (Direction::None, false) => {}
        }
        if self.exact { f.write_str(":exact") } else { Ok(()) }
    }
}
