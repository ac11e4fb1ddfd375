//! The `key=value` fields of a line, read by key. Unknown keys are ignored.

use crate::error::{ParseError, quote, value};
use crate::escape::decode;
use crate::metric::{Kind, Metric};
use crate::number;
use std::borrow::Cow;
use std::collections::BTreeSet;

pub(crate) struct Fields<'a> {
    verb: &'static str,
    pairs: Vec<(Cow<'a, str>, &'a str)>,
}

impl<'a> Fields<'a> {
    /// Parses the fields after the verb. `rest` is `None` for a line that consists of the verb only.
    pub(crate) fn parse(verb: &'static str, rest: Option<&'a str>) -> Result<Self, ParseError> {
        let mut pairs = Vec::new();
        for field in rest.into_iter().flat_map(|rest| rest.split(' ')) {
            let (key, raw) = field.split_once('=').ok_or_else(|| ParseError::Field(quote(field)))?;
            if key.is_empty() || raw.contains('=') {
                return Err(ParseError::Field(quote(field)));
            }
            if let Some(byte) = raw.bytes().find(u8::is_ascii_control) {
                return Err(ParseError::Control(byte));
            }
            pairs.push((decode(key)?, raw));
        }
        Ok(Self { verb, pairs })
    }

    fn raw(&self, key: &str) -> Result<Option<&'a str>, ParseError> {
        let mut found = self.pairs.iter().filter(|(name, _)| name == key).map(|(_, raw)| *raw);
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some(_) => Err(ParseError::Repeated(key.to_owned())),
        }
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, ParseError> {
        self.raw(key)?.map(|raw| decode(raw).map(Cow::into_owned)).transpose()
    }

    pub(crate) fn need<T>(&self, key: &'static str, found: Option<T>) -> Result<T, ParseError> {
        found.ok_or(ParseError::Missing { verb: self.verb, key })
    }

    pub(crate) fn needed_text(&self, key: &'static str) -> Result<String, ParseError> {
        self.need(key, self.text(key)?)
    }

    pub(crate) fn integer<T: TryFrom<u64>>(&self, key: &str) -> Result<Option<T>, ParseError> {
        let Some(raw) = self.raw(key)? else { return Ok(None) };
        let parsed = number::integer(raw.as_bytes()).and_then(|number| T::try_from(number).ok());
        parsed.map(Some).ok_or_else(|| value(key, raw, "an integer in range"))
    }

    pub(crate) fn needed_integer<T: TryFrom<u64>>(&self, key: &'static str) -> Result<T, ParseError> {
        self.need(key, self.integer(key)?)
    }

    pub(crate) fn float(&self, key: &str) -> Result<Option<f64>, ParseError> {
        let Some(raw) = self.raw(key)? else { return Ok(None) };
        number::float(raw).map(Some).ok_or_else(|| value(key, raw, "a finite number"))
    }

    pub(crate) fn flag(&self, key: &str) -> Result<bool, ParseError> {
        match self.raw(key)? {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(raw) => Err(value(key, raw, "0 or 1")),
        }
    }

    /// Returns the items of a list. A missing key is an empty list, and `key=` is a list with one empty item.
    pub(crate) fn items(&self, key: &str) -> Result<Vec<String>, ParseError> {
        self.raw(key)?.map_or(Ok(Vec::new()), split_items)
    }

    /// Returns a list of `NAME=VALUE` items as pairs. A value may contain further `=`.
    pub(crate) fn pairs(&self, key: &str) -> Result<Vec<(String, String)>, ParseError> {
        let pair = |item: String| match item.split_once('=') {
            Some((name, text)) if !name.is_empty() => Ok((name.to_owned(), text.to_owned())),
            _ => Err(value(key, &item, "NAME=VALUE, with its = encoded as %3D")),
        };
        self.items(key)?.into_iter().map(pair).collect()
    }

    pub(crate) fn metrics(&self, kind: Kind) -> Result<Vec<Metric>, ParseError> {
        let Some(raw) = self.raw("metrics")? else { return Ok(Vec::new()) };
        raw.split(',').map(|item| Metric::parse(item, kind)).collect()
    }

    fn prefixed(&self) -> Result<Vec<(String, &'a str)>, ParseError> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for (key, raw) in &self.pairs {
            let Some(name) = key.strip_prefix("p.") else { continue };
            if name.is_empty() {
                return Err(ParseError::Field(quote(key)));
            }
            if !seen.insert(name) {
                return Err(ParseError::Repeated(quote(key)));
            }
            found.push((name.to_owned(), *raw));
        }
        Ok(found)
    }

    pub(crate) fn params(&self) -> Result<Vec<(String, String)>, ParseError> {
        self.prefixed()?.into_iter().map(|(name, raw)| Ok((name, decode(raw)?.into_owned()))).collect()
    }

    pub(crate) fn param_lists(&self) -> Result<Vec<(String, Vec<String>)>, ParseError> {
        self.prefixed()?.into_iter().map(|(name, raw)| Ok((name, split_items(raw)?))).collect()
    }
}

fn split_items(raw: &str) -> Result<Vec<String>, ParseError> {
    raw.split(',').map(|item| decode(item).map(Cow::into_owned)).collect()
}
