//! Reads the output of `go test -json`, which is one JSON event per line, and restores the output of each
//! package.

use crate::ReadError;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    action: Cow<'a, str>,
    package: Option<Cow<'a, str>>,
    output: Option<String>,
}

/// Returns true if a file begins with an event. Its keys may be in any order.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    line.is_some_and(|line| serde_json::from_slice::<Event<'_>>(line).is_ok())
}

/// Returns the output of all packages one after the other. In the file they are interleaved.
///
/// # Errors
///
/// Fails if a line is not an event.
pub(super) fn output(bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    let mut packages: Vec<String> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        // Skip other output, such as the linker's, which is not JSON.
        if !line.trim_ascii_start().starts_with(b"{") {
            continue;
        }
        let event: Event<'_> = serde_json::from_slice(line)
            .map_err(|why| ReadError::at(number, format!("not an event of `go test -json`: {why}")))?;
        let Some(output) = event.output.filter(|_| event.action == "output") else { continue };
        let package = event.package.unwrap_or_default().into_owned();
        let place = *places.entry(package.clone()).or_insert_with(|| {
            // In the output, a package applies until the next `pkg:` line.
            packages.push(format!("pkg: {package}\n"));
            packages.len() - 1
        });
        packages[place].push_str(&output);
    }
    Ok(packages.concat().into_bytes())
}
