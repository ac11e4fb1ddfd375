//! JSON: the document as one object, other things a line each.

use derny_json::Pretty;
use derny_model::Document;
use serde::Serialize;
use std::io::{self, Write};

/// The whole document, indented. Its `format` is [`Document::FORMAT`]; keys are added within a format, never
/// renamed.
pub fn document(document: &Document) -> String {
    printed(document)
}

/// A document, a comparison or a scaling as indented JSON with a final line break.
pub(crate) fn printed(value: &impl Pretty) -> String {
    let mut bytes = Vec::new();
    if let Err(error) = value.write_pretty(&mut bytes) {
        impossible(&error);
    }
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes the same without having it as a whole: that of ten thousand cases has half a gigabyte.
///
/// # Errors
/// Those of `to`.
pub fn write(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    document.write_pretty(to)?;
    to.write_all(b"\n")
}

/// Anything else as indented JSON with a final line break.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_else(|error| impossible(&error));
    text.push('\n');
    text
}

/// Anything as one line without a line break.
pub(crate) fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| impossible(&error))
}

/// Only a map whose keys are not strings could fail, and no type of the model has one.
fn impossible(error: &dyn std::fmt::Display) -> String {
    panic!("a value has no JSON form: {error}")
}
