//! Formats documents as indented JSON, and other data as one line each.

use derny_json::Pretty;
use derny_model::Document;
use serde::Serialize;
use std::io::{self, Write};

/// Returns the document as indented JSON. Its `format` is [`Document::FORMAT`]. Within a format, keys may be
/// added but are never renamed.
pub fn document(document: &Document) -> String {
    printed(document)
}

pub(crate) fn printed(value: &impl Pretty) -> String {
    let mut bytes = Vec::new();
    if let Err(error) = value.write_pretty(&mut bytes) {
        impossible(&error);
    }
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes the document without holding its text in memory, which can be half a gigabyte for ten thousand
/// cases.
///
/// # Errors
///
/// Fails if writing to `to` fails.
pub fn write(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    document.write_pretty(to)?;
    to.write_all(b"\n")
}

/// Returns an answer of `derny judge`, or the states of sessions, as indented JSON with a final line break.
pub fn answer(value: &impl Serialize) -> String {
    pretty(value)
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_else(|error| impossible(&error));
    text.push('\n');
    text
}

pub(crate) fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| impossible(&error))
}

/// Panics, because this error cannot occur. Only maps with keys other than strings have no JSON form, and the
/// model has none.
fn impossible(error: &dyn std::fmt::Display) -> String {
    panic!("a value has no JSON form: {error}")
}
