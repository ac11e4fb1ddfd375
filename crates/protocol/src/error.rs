//! Errors in a received line.

use std::fmt;

/// The reason why a line cannot be parsed. The message is a lower-case clause.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// The line has no verb.
    Empty,
    /// The verb does not exist in this version. A harness answers the command with `unsupported
    /// verb=…`.
    UnknownVerb(String),
    /// A required key is missing.
    Missing {
        /// Verb of the message.
        verb: &'static str,
        /// Name of the missing key.
        key: &'static str,
    },
    /// A key that may occur only once occurs twice.
    Repeated(String),
    /// A field is not `key=value`: there are two consecutive spaces, a trailing space, no `=`, more than one
    /// `=`, or no key.
    Field(String),
    /// A `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.
    Encoding(String),
    /// The line contains an unencoded control character.
    Control(u8),
    /// A number or word is malformed.
    Value {
        /// Name of the key, or the verb of a positional line.
        key: String,
        /// The invalid value.
        value: String,
        /// Description of a valid value.
        wanted: &'static str,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the line is empty"),
            Self::UnknownVerb(verb) => write!(f, "unknown verb `{verb}`"),
            Self::Missing { verb, key } => write!(f, "`{verb}` lacks the key `{key}`"),
            Self::Repeated(key) => write!(f, "the key `{key}` appears twice"),
            Self::Field(field) => {
                write!(f, "the field `{field}` is not key=value (fields are separated by one space)")
            }
            Self::Encoding(text) => write!(f, "bad percent-encoding in `{text}`"),
            Self::Control(byte) => write!(f, "the control character 0x{byte:02x} must be percent-encoded"),
            Self::Value { key, value, wanted } => write!(f, "`{key}` is `{value}`, not {wanted}"),
        }
    }
}

impl std::error::Error for ParseError {}

/// Truncates received text to `LIMIT` characters, for quotation in an error message.
pub(crate) fn quote(text: &str) -> String {
    const LIMIT: usize = 60;
    match text.char_indices().nth(LIMIT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

pub(crate) fn value(key: &str, value: &str, wanted: &'static str) -> ParseError {
    ParseError::Value { key: key.to_owned(), value: quote(value), wanted }
}
