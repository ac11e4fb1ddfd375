//! Formats settings with their origins.

use crate::Style;
use crate::style::{Paint, columns, visible};
use serde::Serialize;

/// A setting in effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingRow {
    /// Name of the setting.
    pub key: String,
    /// Value of the setting, as typed.
    pub value: String,
    /// Origin of the value: `default`, `command line`, a variable, or a file and its table.
    pub origin: String,
    /// Description of the setting.
    pub about: String,
}

/// Returns one line per setting: name, value, origin, description. Omits the description if the line would be
/// too long.
pub fn table(rows: &[SettingRow], style: &Style) -> String {
    let width = |pick: fn(&SettingRow) -> &str| {
        rows.iter().map(|row| columns(&visible(pick(row)))).max().unwrap_or(0)
    };
    let widths = (width(|row| &row.key), width(|row| &row.value), width(|row| &row.origin));
    let pad = |text: &str, width: usize| {
        let text = visible(text).into_owned();
        format!("{text}{}", " ".repeat(width - columns(&text).min(width)))
    };
    let mut out = String::new();
    for row in rows {
        let line = format!(
            "{}  {}  {}",
            pad(&row.key, widths.0),
            pad(&row.value, widths.1),
            pad(&row.origin, widths.2)
        );
        let about = style.prose(&row.about);
        let fits = style.width.is_none_or(|width| columns(&line) + 2 + columns(&about) <= width);
        if fits && !about.is_empty() {
            out.push_str(&format!("{line}  {}", style.paint(Paint::Dim, &about)));
        } else {
            out.push_str(line.trim_end());
        }
        out.push('\n');
    }
    out
}

/// Returns the settings as a JSON array.
pub fn json(rows: &[SettingRow]) -> String {
    crate::json::pretty(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings_give_way_to_a_narrow_terminal() {
        let row = |key: &str, value: &str| SettingRow {
            key: key.into(),
            value: value.into(),
            origin: "default".into(),
            about: "what it means".into(),
        };
        let rows = [row("gc", "process"), row("budget", "10s")];
        let wide = table(&rows, &Style::default());
        assert_eq!(
            wide,
            "gc      process  default  what it means\nbudget  10s      default  what it means\n"
        );
        let narrow = table(&rows, &Style { width: Some(30), ..Style::default() });
        assert_eq!(narrow, "gc      process  default\nbudget  10s      default\n");
    }
}
