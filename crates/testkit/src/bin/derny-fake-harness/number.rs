use std::str::FromStr;

/// Parses the value of the argument `key`. Fails with a message if the value is not a number of this
/// type.
pub fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key}={value} is not a number that fits"))
}
