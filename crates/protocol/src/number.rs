//! Numbers as they stand in lines: plain decimal integers and finite decimal fractions.

/// A decimal integer: digits only, no sign. `None` when it is anything else or does not fit.
pub(crate) fn integer(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() {
        return None;
    }
    let mut value: u64 = 0;
    for byte in bytes {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(value)
}

/// A finite decimal number: optional `-`, digits, optional fraction, optional exponent.
pub(crate) fn float(text: &str) -> Option<f64> {
    // Rust's parser also takes `inf`, `nan` and a leading `+`, which other languages print for their own reasons.
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    if !plain || text.starts_with('+') {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Integers parted by single spaces. `None` if any is malformed.
///
/// This is the parser of `times`, the one line that comes hundreds of times a second.
pub(crate) fn integers(text: &str) -> Option<Vec<u64>> {
    // A batch of 10 to 50 µs has five digits: six bytes a number is a good first guess.
    let mut values = Vec::with_capacity(text.len() / 6 + 1);
    for word in text.as_bytes().split(|byte| *byte == b' ') {
        values.push(integer(word)?);
    }
    Some(values)
}
