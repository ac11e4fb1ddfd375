//! Parses `--since`: a date, an age, or a revision.

use derny_model::problem;
use derny_workbench::Result;
use derny_workbench::project::git::{git, resolve};
use std::path::Path;

const DAY_MS: i64 = 86_400_000;

/// The earliest point to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since {
    /// Time, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// Full hash of the commit, if a revision was given.
    pub commit: Option<String>,
}

/// Parses `2026-01-31`, an age such as `90d` or `6w`, or a tag or commit.
///
/// # Errors
///
/// Fails if the text is none of these.
pub fn since(text: &str, root: &Path, now_ms: i64) -> Result<Since> {
    let day = date(text).map(|days| days * DAY_MS);
    if let Some(at_ms) = day.or_else(|| Some(now_ms - age(text)?.saturating_mul(DAY_MS))) {
        return Ok(Since { at_ms, commit: None });
    }
    let revision = resolve(root, text).ok().and_then(|hash| {
        let seconds: i64 = git(root, &["show", "-s", "--format=%ct", &hash]).ok()?.trim().parse().ok()?;
        Some(Since { at_ms: seconds.saturating_mul(1000), commit: Some(hash) })
    });
    revision.ok_or_else(|| {
        problem!("`{text}` is neither a date, nor an age, nor a revision")
            .place("--since")
            .remedy("use a date such as 2026-01-31, an age such as 90d or 6w, or a tag")
            .into()
    })
}

/// Returns the number of days in an age such as `90d` or `6w`.
pub fn age(text: &str) -> Option<i64> {
    let (number, days) = match text.strip_suffix('d') {
        Some(number) => (number, 1),
        None => (text.strip_suffix('w')?, 7),
    };
    number.parse::<u32>().ok().map(|number| i64::from(number) * days)
}

/// Returns the days since the Unix epoch of a date in the proleptic Gregorian calendar.
fn date(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_date = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    // Years begin in March, so that the leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    is_date.then_some(days - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_ages_and_nothing_else_are_times() {
        let root = Path::new("/");
        let days = |text: &str| since(text, root, 100 * DAY_MS).ok().map(|since| since.at_ms / DAY_MS);
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-03-01"), Some(11_017));
        assert_eq!(days("2024-02-29"), Some(19_782));
        assert_eq!((days("30d"), days("2w")), (Some(70), Some(86)));
        for wrong in ["", "2024", "2024-13-01", "x", "5y", "-3d", "2024-01-x"] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }
}
