//! Formats a verb and its fields as an encoded line, without the LF.

use crate::escape::{escape_also, escaped};
use crate::metric::Metric;
use std::fmt::{Display, Write};

pub(crate) struct Line(pub(crate) String);

impl Line {
    pub(crate) fn new(verb: impl Display) -> Self {
        Self(verb.to_string())
    }

    /// Appends a positional word, which must not need encoding.
    pub(crate) fn word(&mut self, word: impl Display) -> &mut Self {
        // Writing to a String cannot fail.
        let _ = write!(self.0, " {word}");
        self
    }

    fn raw(&mut self, key: &str, value: impl Display) -> &mut Self {
        let _ = write!(self.0, " {}={value}", escaped(key));
        self
    }

    pub(crate) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.raw(key, escaped(value))
    }

    pub(crate) fn number(&mut self, key: &str, value: impl Display) -> &mut Self {
        self.raw(key, value)
    }

    pub(crate) fn maybe_text(&mut self, key: &str, value: Option<&String>) -> &mut Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    pub(crate) fn maybe_number(&mut self, key: &str, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.number(key, value),
            None => self,
        }
    }

    pub(crate) fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        if value { self.raw(key, 1) } else { self }
    }

    /// Appends a list. An empty list is omitted, and `key=` is a list with one empty item.
    pub(crate) fn items<S: AsRef<str>>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = S>,
    ) -> &mut Self {
        let encoded: Vec<String> = items.into_iter().map(|item| escape_also(item.as_ref(), b",")).collect();
        if encoded.is_empty() { self } else { self.raw(key, encoded.join(",")) }
    }

    pub(crate) fn pairs(&mut self, key: &str, pairs: &[(String, String)]) -> &mut Self {
        self.items(key, pairs.iter().map(|(name, value)| format!("{name}={value}")))
    }

    pub(crate) fn metrics(&mut self, metrics: &[Metric]) -> &mut Self {
        let encoded: Vec<String> = metrics.iter().map(ToString::to_string).collect();
        if encoded.is_empty() { self } else { self.raw("metrics", encoded.join(",")) }
    }

    pub(crate) fn params(&mut self, params: &[(String, String)]) -> &mut Self {
        for (name, value) in params {
            self.text(&format!("p.{name}"), value);
        }
        self
    }
}
