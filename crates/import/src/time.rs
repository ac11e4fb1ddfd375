//! Parses dates as tools write them, and returns milliseconds since the epoch.

/// Returns the number of days since 1970-01-01. Years are counted from March, which puts leap days last.
pub(crate) fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap + (153 * month + 2) / 5 + day - 1 - 719_468
}

pub(crate) fn ms(parts: [i64; 6]) -> Option<i64> {
    let [year, month, day, hour, minute, second] = parts;
    let plausible = (1970..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    plausible.then(|| (((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000)
}

/// Parses `2026-11-26T12:30:05.250+01:00` and its variations: a space instead of the T, no fraction, `Z`, or
/// no zone, which means UTC.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, rest) = text.split_once(['T', ' '])?;
    let whole = |text: &str| if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None };
    let date: Vec<i64> = date.split('-').map(whole).collect::<Option<_>>()?;
    let end = rest.find(['Z', 'z', '+', '-', ' ']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(end);
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let clock: Vec<i64> = clock.split(':').map(whole).collect::<Option<_>>()?;
    let ([year, month, day], [hour, minute]) =
        (date.get(..)?.try_into().ok()?, clock.get(..2)?.try_into().ok()?);
    let second = clock.get(2).copied().unwrap_or(0);
    let millis: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(ms([year, month, day, hour, minute, second])? + millis - offset(zone.trim())?)
}

/// Parses a date with or without a time of day, such as `2026-11-26`. Returns milliseconds since the epoch.
pub fn date_ms(text: &str) -> Option<i64> {
    parse(text).or_else(|| parse(&format!("{}T00:00:00Z", text.trim())))
}

/// Parses an offset in ms: `Z`, `+01:00`, `+0100`, `+01` or nothing.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.chars().next() {
        None | Some('Z' | 'z') => return Some(0),
        Some('+') => 1,
        Some('-') => -1,
        Some(_) => return if zone == "UTC" { Some(0) } else { None },
    };
    let digits: String = zone[1..].chars().filter(|letter| *letter != ':').collect();
    let part = |range| digits.get(range).map_or(Some(0), |text: &str| text.parse::<i64>().ok());
    let (hours, minutes) = (part(0..2)?, part(2..4)?);
    Some(sign * (hours * 60 + minutes) * 60_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_every_tool() {
        let noon = 951_825_600_000;
        assert_eq!(parse("2000-02-29T12:00:00Z"), Some(noon));
        assert_eq!(parse("2000-02-29 13:00:00+01:00"), Some(noon));
        assert_eq!(parse("2000-02-29T12:00:00.250000+00:00"), Some(noon + 250));
        assert_eq!(parse("2000-02-29 12:00"), Some(noon));
        assert_eq!(parse("2000-02-29T07:30:00-0430"), Some(noon));
        for no in ["", "today", "2000-13-29T12:00:00", "2000-02-29", "2000-02-29T1é:00", "-1-2-3T4:5"] {
            assert_eq!(parse(no), None, "{no}");
        }
        assert_eq!(date_ms(" 2000-02-29 "), Some(noon - 43_200_000));
        assert_eq!((date_ms("2000-02-29 12:00"), date_ms("2000")), (Some(noon), None));
    }
}
