//! Numbers in lines: plain decimal integers and finite decimal fractions.

/// Parses a decimal integer without a sign. Returns `None` for any other text, or on overflow.
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

/// Parses a finite decimal number: optional `-`, digits, optional fraction, optional exponent.
pub(crate) fn float(text: &str) -> Option<f64> {
    // Rust's parser also accepts `inf`, `nan` and a leading `+`, which the protocol does not allow.
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'));
    if !plain || text.starts_with('+') {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Parses integers separated by single spaces. Returns `None` if any is malformed.
///
/// Used for `times`, the only line that arrives hundreds of times per second.
pub(crate) fn integers(text: &str) -> Option<Vec<u64>> {
    // A batch of 10 to 50 µs has five digits, so six bytes per number are a good estimate.
    let mut values = Vec::with_capacity(text.len() / 6 + 1);
    for word in text.as_bytes().split(|byte| *byte == b' ') {
        values.push(integer(word)?);
    }
    Some(values)
}
