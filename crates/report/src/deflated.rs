//! Data of HTML pages as letters: JSON, compressed and in base 64. No name in it can become markup or end a
//! script.

use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Compression level for a page, which is read at once.
pub(crate) const SMALL: u32 = 6;
/// Compression level for large data. It takes half the time, and the result is nearly as small.
pub(crate) const FAST: u32 = 4;

/// Returns compressed JSON as letters, digits, `+`, `/` and `=`.
pub(crate) fn letters(json: &str, level: u32) -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(json.as_bytes())?;
    let mut text = String::new();
    base64(&mut text, &encoder.finish()?);
    Ok(text)
}

/// Returns a value as JSON with the reduced precision of pages.
pub(crate) fn json(value: &impl Serialize) -> String {
    let mut serializer = Serializer::with_formatter(Vec::new(), Short);
    // Serialising cannot fail: writing to a vector succeeds, and the model has no maps with keys other than
    // strings.
    let written = value.serialize(&mut serializer);
    let text = String::from_utf8(serializer.into_inner()).unwrap_or_default();
    written.map(|()| text).unwrap_or_default()
}

/// A JSON formatter with eight significant digits. Integers keep all digits, because some are compared
/// exactly.
struct Short;

impl Formatter for Short {
    fn write_f64<W: ?Sized + Write>(&mut self, to: &mut W, value: f64) -> io::Result<()> {
        let short = if value.fract() == 0.0 { value } else { digits(value, 8) };
        CompactFormatter.write_f64(to, short)
    }
}

/// Returns a value with `count` significant digits.
pub(crate) fn digits(value: f64, count: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let place = 10f64.powi(count - 1 - value.abs().log10().floor() as i32);
    let short = (value * place).round() / place;
    if short.is_finite() { short } else { value }
}

fn base64(to: &mut String, bytes: &[u8]) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    to.reserve(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let whole =
            three.iter().fold(0, |whole, byte| whole << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(whole >> (18 - 6 * place)) as usize & 63];
            to.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn base_64_is_that_of_the_standard() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut text = String::new();
            super::base64(&mut text, plain.as_bytes());
            assert_eq!(text, coded);
        }
    }
}
