//! Declared metrics, such as `cpu:ns:total`, `rate:requests/s:rate:more` or `allocated:B:total:less:exact`.

use crate::error::{ParseError, quote, value};
use crate::escape::{escape_also, unescape};
use crate::number;
use std::fmt;

/// The rule by which the values of a metric combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sum over all operations of a turn. It is divided by the number of operations.
    Total,
    /// A state at the end of a turn, such as a size or a score. It is compared unchanged.
    Level,
    /// A maximum. The value of a process is the largest value of its turns.
    Peak,
    /// A quotient, such as requests per second. It is compared unchanged.
    Rate,
}

/// The direction in which a change of a metric is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Less is better.
    Less,
    /// More is better.
    More,
    /// Neither direction is better.
    #[default]
    None,
}

/// A quantity whose value is in the line that ends every turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// Name of the metric. The specification lists the reserved names.
    pub name: String,
    /// Unit, such as `ns`, `count`, `B` or `requests/s`.
    pub unit: String,
    /// Rule by which the metric's values combine.
    pub kind: Kind,
    /// Direction of improvement.
    pub direction: Direction,
    /// True if equal work gives equal values, so that any difference is real.
    pub exact: bool,
}

impl Metric {
    /// Parses an item of `metrics`. `kind` is the default. Ignores unknown words.
    ///
    /// # Errors
    /// Fails if the name or the unit is missing, or if the item has two kinds, two directions or two
    /// `exact`.
    pub(crate) fn parse(item: &str, kind: Kind) -> Result<Self, ParseError> {
        Self::parse_under("metrics", item, kind)
    }

    fn parse_under(key: &str, item: &str, kind: Kind) -> Result<Self, ParseError> {
        let wrong = || value(key, item, "name:unit[:total|level|peak|rate][:less|more|none][:exact]");
        let mut parts = item.split(':');
        let mut text = || parts.next().filter(|part| !part.is_empty()).ok_or_else(wrong).and_then(unescape);
        let (name, unit) = (text()?, text()?);
        let (mut kinds, mut directions, mut exact) = (Vec::new(), Vec::new(), 0);
        for word in parts {
            match unescape(word)?.as_str() {
                "total" => kinds.push(Kind::Total),
                "level" => kinds.push(Kind::Level),
                "peak" => kinds.push(Kind::Peak),
                "rate" => kinds.push(Kind::Rate),
                "less" => directions.push(Direction::Less),
                "more" => directions.push(Direction::More),
                "none" => directions.push(Direction::None),
                "exact" => exact += 1,
                _ => {}
            }
        }
        if kinds.len() > 1 || directions.len() > 1 || exact > 1 {
            return Err(wrong());
        }
        let kind = kinds.first().copied().unwrap_or(kind);
        let direction = directions.first().copied().unwrap_or_default();
        Ok(Self { name, unit, kind, direction, exact: exact == 1 })
    }
}

/// An undeclared value, such as `v.allocs:count:total=12`, on the line that ends a turn or closes a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Reported {
    /// The metric, parsed from the key.
    pub metric: Metric,
    /// Value of the metric.
    pub value: f64,
}

impl Reported {
    /// Returns the undeclared values among the words of a line, in order. Ignores other words. The keys
    /// are still encoded, with `%3A` for a colon in a name.
    ///
    /// # Errors
    /// Fails if a key lacks a name or a unit, or has two kinds, two directions or two `exact`. Also
    /// fails if a value is not a finite number, or if a name is repeated.
    pub(crate) fn all<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Self>, ParseError> {
        let mut all: Vec<Self> = Vec::new();
        for (key, raw) in words.filter_map(|word| word.split_once('=')) {
            let Some(item) = key.strip_prefix(PREFIX) else { continue };
            let metric = Metric::parse_under(key, item, Kind::Level)?;
            let number = number::float(raw).ok_or_else(|| value(key, raw, "a finite number"))?;
            if all.iter().any(|other| other.metric.name == metric.name) {
                return Err(ParseError::Repeated(quote(key)));
            }
            all.push(Self { metric, value: number });
        }
        Ok(all)
    }
}

pub(crate) const PREFIX: &str = "v.";

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}={}", self.metric, self.value)
    }
}

impl fmt::Display for Metric {
    /// Always writes the kind, because its default depends on the line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", escape_also(&self.name, b",:"), escape_also(&self.unit, b",:"))?;
        f.write_str(match self.kind {
            Kind::Total => ":total",
            Kind::Level => ":level",
            Kind::Peak => ":peak",
            Kind::Rate => ":rate",
        })?;
        f.write_str(match self.direction {
            Direction::Less => ":less",
            Direction::More => ":more",
            Direction::None => "",
        })?;
        f.write_str(if self.exact { ":exact" } else { "" })
    }
}
