//! Percent-encoding of keys, values and list items.

use crate::error::{ParseError, quote};
use std::borrow::Cow;

fn push_encoded(out: &mut String, text: &str, also: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for character in text.chars() {
        match u8::try_from(character) {
            Ok(byte)
                if byte <= b' ' || byte == 0x7f || byte == b'%' || byte == b'=' || also.contains(&byte) =>
            {
                out.push('%');
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
            _ => out.push(character),
        }
    }
}

pub(crate) fn escape_also(text: &str, also: &[u8]) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_encoded(&mut out, text, also);
    out
}

/// Percent-encodes a text like [`escape`]. Borrows the text if there is nothing to encode, which is the usual
/// case.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|byte| byte > b' ' && !matches!(byte, 0x7f | b'%' | b'='));
    if plain { Cow::Borrowed(text) } else { Cow::Owned(escape(text)) }
}

/// Percent-encodes `%`, space, `=` and the control characters U+0000 to U+001F and U+007F. Keeps all other
/// characters.
#[must_use]
pub fn escape(text: &str) -> String {
    escape_also(text, &[])
}

/// Reverses [`escape`]. Accepts any encoded byte, even if encoding was unnecessary.
///
/// # Errors
/// Fails with [`ParseError::Encoding`] if a `%` is not followed by two hexadecimal digits, or if the
/// decoded bytes are not UTF-8. Fails with [`ParseError::Control`] if the text contains an unencoded
/// control character.
pub fn unescape(text: &str) -> Result<String, ParseError> {
    decode(text).map(Cow::into_owned)
}

pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, ParseError> {
    let bytes = text.as_bytes();
    if let Some(byte) = bytes.iter().find(|byte| byte.is_ascii_control()) {
        return Err(ParseError::Control(*byte));
    }
    if !bytes.contains(&b'%') {
        return Ok(Cow::Borrowed(text));
    }
    let wrong = || ParseError::Encoding(quote(text));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let pair = bytes.get(at + 1..at + 3).ok_or_else(wrong)?;
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            let (high, low) = digit(pair[0]).zip(digit(pair[1])).ok_or_else(wrong)?;
            out.push(high << 4 | low);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).map(Cow::Owned).map_err(|_| wrong())
}

/// Returns at most `max` bytes from the start of `text`, ending at a character boundary.
#[must_use]
pub fn cut(text: &str, max: usize) -> &str {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
