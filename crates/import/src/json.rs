//! JSON as tools write it: with numbers that JSON does not have, bare or as words.

use crate::{Input, ReadError};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A number, which may be none: `NaN` and the infinities, bare, in quotes, or as JMH writes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number(pub f64);

impl Number {
    /// The number, if it is finite.
    pub(crate) fn finite(self) -> Option<f64> {
        Some(self.0).filter(|value| value.is_finite())
    }

    /// A time, which is finite and not negative.
    pub(crate) fn time(self) -> Option<f64> {
        self.finite().filter(|value| *value >= 0.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Number, E> {
                match value.trim_start_matches('+') {
                    "NaN" | "nan" => Ok(Number(f64::NAN)),
                    "Infinity" | "inf" | "INF" => Ok(Number(f64::INFINITY)),
                    "-Infinity" | "-inf" | "-INF" => Ok(Number(f64::NEG_INFINITY)),
                    _ => Err(E::custom(format!("`{value}` is no number"))),
                }
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// The document that a file is.
///
/// # Errors
/// It is no JSON, or not of this shape: with the line.
pub(crate) fn document<T: DeserializeOwned>(input: &Input<'_>) -> Result<T, ReadError> {
    part(input.bytes)
}

/// The same of any bytes.
pub(crate) fn part<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(&quoted(bytes)).map_err(|error| {
        let why = error.to_string();
        let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why);
        let what = if error.is_data() { "it is not what such a file holds" } else { "it is no JSON" };
        ReadError::at(error.line().max(1), format!("{what}: {why}"))
    })
}

/// Bare `NaN`, `Infinity` and `-Infinity` in quotes; a document without them as it is.
fn quoted(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Option<Vec<u8>> = None;
    let (mut at, mut kept, mut within) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if within => at += 1,
            b'"' => within = !within,
            b'N' | b'I' | b'i' | b'n' | b'-' if !within => {
                if let Some(word) = bare(&bytes[at..]) {
                    let out = out.get_or_insert_default();
                    out.extend_from_slice(&bytes[kept..at]);
                    out.push(b'"');
                    out.extend_from_slice(&bytes[at..at + word]);
                    out.push(b'"');
                    at += word;
                    kept = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    match out {
        None => Cow::Borrowed(bytes),
        Some(mut out) => {
            out.extend_from_slice(&bytes[kept.min(bytes.len())..]);
            Cow::Owned(out)
        }
    }
}

/// The length of the word that is no number of JSON.
fn bare(bytes: &[u8]) -> Option<usize> {
    const WORDS: [&[u8]; 6] = [b"NaN", b"nan", b"Infinity", b"-Infinity", b"inf", b"-inf"];
    let word = WORDS.iter().rev().find(|word| bytes.starts_with(word))?;
    let ends = bytes.get(word.len()).is_none_or(|next| !next.is_ascii_alphanumeric());
    ends.then_some(word.len())
}

/// A value as text: texts as they are, anything else as JSON.
pub(crate) fn text(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether the beginning of a file, without blanks, begins so.
pub(crate) fn begins(input: &Input<'_>, with: &str) -> bool {
    let mut bare =
        input.head().trim_start_matches('\u{feff}').chars().filter(|letter| !letter.is_whitespace());
    with.chars().all(|letter| bare.next() == Some(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have() {
        let all: Vec<Option<Number>> =
            part(br#"[NaN, -Infinity, Infinity, "NaN", "-INF", "+INF", null, 1, -2.5, nan, -inf]"#).unwrap();
        let all: Vec<String> =
            all.iter().map(|one| one.map_or("none".to_owned(), |one| one.0.to_string())).collect();
        assert_eq!(all, ["NaN", "-inf", "inf", "NaN", "-inf", "inf", "none", "1", "-2.5", "NaN", "-inf"]);
        // What stands in quotes stays as it is.
        let texts: Vec<String> = part(br#"["NaN, Infinity", "a\"NaN", "-"]"#).unwrap();
        assert_eq!(texts, ["NaN, Infinity", "a\"NaN", "-"]);
        let error = part::<Vec<Number>>(b"[1,\n2,\n\"x\"]").unwrap_err();
        assert_eq!((error.line, error.reason.contains("`x` is no number")), (Some(3), true), "{error}");
        assert!(part::<Vec<Number>>(b"[1,").unwrap_err().reason.starts_with("it is no JSON"));
    }
}
