//! The data of a page: compressed JSON in separate elements.
//!
//! Neighbouring cases share an element, because keys, names and repeated figures compress well. The script
//! decompresses an element when one of its cases is viewed.

use super::parts;
use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Maximum size of the JSON in one element, in bytes. The browser can decompress this much between two
/// frames.
const ROOM: usize = 1 << 18;

pub(super) struct Chunks {
    name: &'static str,
    starts: Vec<usize>,
    values: usize,
    open: String,
}

impl Chunks {
    pub(super) fn new(name: &'static str) -> Self {
        Chunks { name, starts: Vec::new(), values: 0, open: String::new() }
    }

    /// Writes the current element once it is full.
    pub(super) fn push(&mut self, value: &impl Serialize, to: &mut dyn Write) -> io::Result<()> {
        if self.open.is_empty() {
            self.starts.push(self.values);
        }
        self.open.push(if self.open.is_empty() { '[' } else { ',' });
        self.open.push_str(&text(value));
        self.values += 1;
        if self.open.len() >= ROOM { self.close(to) } else { Ok(()) }
    }

    fn close(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.open.push(']');
        let id = format!("{}-{}", self.name, self.starts.len() - 1);
        element(to, &id, &self.open)?;
        self.open.clear();
        Ok(())
    }

    pub(super) fn finish(mut self, to: &mut dyn Write) -> io::Result<(&'static str, Vec<usize>)> {
        if !self.open.is_empty() {
            self.close(to)?;
        }
        Ok((self.name, self.starts))
    }
}

/// Returns a value as JSON with the reduced precision of the page.
pub(super) fn text(value: &impl Serialize) -> String {
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
        let short = if value.fract() == 0.0 { value } else { parts::digits(value, 8) };
        CompactFormatter.write_f64(to, short)
    }
}

/// Writes an element that the browser ignores until the script reads it. It contains a JSON string with
/// compressed JSON in base 64, so that no name in it can become markup.
pub(super) fn element(to: &mut dyn Write, id: &str, json: &str) -> io::Result<()> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(json.as_bytes())?;
    let mut text = String::new();
    base64(&mut text, &encoder.finish()?);
    writeln!(to, "<script type=\"application/json\" id=\"{id}\">\"{text}\"</script>")
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
