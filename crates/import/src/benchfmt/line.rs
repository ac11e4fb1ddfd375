//! Lines of the format: results and configuration.

use std::collections::BTreeMap;

pub(super) const PREFIX: &str = "Benchmark";

/// Key of the package. The package always becomes the suite, even if it never changes.
pub(super) const PACKAGE: &str = "pkg";

pub(super) type Configuration<'a> = BTreeMap<&'a str, &'a str>;

pub(super) fn short(line: &str) -> String {
    let mut text: String = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(60) {
        text.truncate(end);
        text.push('…');
    }
    text
}

pub(super) type Parts<'a> = (&'a str, u64, Vec<f64>, Vec<&'a str>);

/// Parses a result. Returns `None` for a line with only a name, as `go test -v` prints it. Fails if the line
/// is not a result.
pub(super) fn result(line: &str) -> Result<Option<Parts<'_>>, ()> {
    let mut fields = line.split_whitespace();
    let name = fields.next().ok_or(())?;
    let Some(iterations) = fields.next() else { return Ok(None) };
    let iterations: u64 = iterations.parse().map_err(|_| ())?;
    let (mut values, mut units) = (Vec::new(), Vec::new());
    while let Some(value) = fields.next() {
        values.push(value.parse().map_err(|_| ())?);
        units.push(fields.next().ok_or(())?);
    }
    if values.is_empty() { Err(()) } else { Ok(Some((name, iterations, values, units))) }
}

/// Parses `key: value`. The key begins with a lower-case letter and contains neither whitespace nor
/// upper-case letters. An empty value removes the key.
pub(super) fn configuration(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = key.starts_with(char::is_lowercase)
        && !key.contains(|letter: char| letter.is_whitespace() || letter.is_uppercase());
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (is_key && apart).then(|| (key, value.trim_matches([' ', '\t'])))
}
