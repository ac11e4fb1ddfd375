//! Numbers in arguments.

use std::str::FromStr;

/// Parses a number, or fails with a sentence.
pub fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key}={value} is not a number that fits"))
}
