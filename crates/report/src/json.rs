//! The document as JSON: one object, two-space indent, `format` first.

use derny_model::Document;

/// The whole document. Its `format` is [`Document::FORMAT`]; keys are added within a format, never renamed.
pub fn document(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_else(|error| unreachable(&error));
    text.push('\n');
    text
}

/// Only a map with keys that are not strings could fail, and the model has none.
fn unreachable(error: &serde_json::Error) -> String {
    panic!("the document has no JSON form: {error}")
}
