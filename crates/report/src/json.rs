//! JSON: the document as one object, other things a line each.

use derny_model::Document;
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// The whole document, indented. Its `format` is [`Document::FORMAT`]; keys are added within a format, never
/// renamed.
pub fn document(document: &Document) -> String {
    pretty(document)
}

/// Writes the same without having it as a whole: that of ten thousand cases has half a gigabyte.
///
/// # Errors
/// Those of `to`.
pub fn write(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    // Hundreds of millions of pieces, most of them a byte or two: a call of `to` for each would cost as much as making them.
    let mut to = BufWriter::with_capacity(1 << 16, to);
    serde_json::to_writer_pretty(&mut to, document)?;
    to.write_all(b"\n")?;
    to.flush()
}

/// Anything as indented JSON with a final line break.
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
fn impossible(error: &serde_json::Error) -> String {
    panic!("a value has no JSON form: {error}")
}
