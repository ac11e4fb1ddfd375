//! Formats the checks of `derny doctor`, one line each.

use crate::Style;
use crate::style::{Paint, columns, wrap};
use serde::Serialize;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// No action is needed.
    Ok,
    /// The check is not available on this system.
    Unknown,
    /// Results will be noisier or contain less information.
    Warn,
    /// Measuring is impossible.
    Fail,
}

/// A check of the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// Status of the check.
    pub status: Status,
    /// Subject of the check, in one word.
    pub name: String,
    /// Result of the check, in words.
    pub text: String,
    /// Code that `derny dev explain` accepts.
    pub code: Option<String>,
}

/// Returns all checks as a table, in the given order.
pub fn table(checks: &[Check], style: &Style) -> String {
    let name = checks.iter().map(|check| columns(&check.name)).max().unwrap_or(0);
    let text = |check: &Check| style.prose(&check.text);
    let widest = checks.iter().filter(|check| check.code.is_some()).map(|check| columns(&text(check))).max();
    let room = style.width.unwrap_or(usize::MAX).saturating_sub(name + 8);
    let column = widest.unwrap_or(0).min(room.saturating_sub(7));
    checks.iter().map(|check| line(check, (name, column), style)).collect()
}

fn line(check: &Check, (name, column): (usize, usize), style: &Style) -> String {
    let (word, paint) = match check.status {
        Status::Ok => ("ok  ", Paint::Dim),
        Status::Unknown => ("?   ", Paint::Dim),
        Status::Warn => ("warn", Paint::Warning),
        Status::Fail => ("fail", Paint::Error),
    };
    let indent = name + 8;
    let pad = " ".repeat(name - columns(&check.name));
    let narrow = Style { width: style.width.map(|w| w.saturating_sub(indent).max(20)), ..*style };
    let text = wrap(&style.prose(&check.text), &narrow, 0);
    let last = columns(text.lines().last().unwrap_or(""));
    let text = text.replace('\n', &format!("\n{}", " ".repeat(indent)));
    let code = check.code.as_ref().map_or(String::new(), |code| {
        format!("{}  {}", " ".repeat(column.saturating_sub(last)), style.paint(Paint::Dim, code))
    });
    format!("{}  {}{pad}  {text}{code}\n", style.paint(paint, word), check.name)
}

/// Returns the checks as a JSON array.
pub fn json(checks: &[Check]) -> String {
    crate::json::pretty(&checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: Status, name: &str, text: &str, code: Option<&str>) -> Check {
        Check { status, name: name.into(), text: text.into(), code: code.map(String::from) }
    }

    #[test]
    fn codes_stand_in_a_column() {
        let checks = [
            check(Status::Ok, "clock", "1 ns", None),
            check(Status::Unknown, "smt", "unknown", None),
            check(Status::Warn, "governor", "powersave", Some("DY104")),
            check(Status::Fail, "store", "cannot be written", Some("DY121")),
        ];
        assert_eq!(
            table(&checks, &Style::default()),
            "ok    clock     1 ns\n\
             ?     smt       unknown\n\
             warn  governor  powersave          DY104\n\
             fail  store     cannot be written  DY121\n"
        );
        let narrow = Style { width: Some(30), ..Style::default() };
        let text = table(&[check(Status::Ok, "clock", "a fact that takes more than a line", None)], &narrow);
        assert_eq!(text, "ok    clock  a fact that takes\n             more than a line\n");
    }
}
