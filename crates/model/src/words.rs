//! Figures in sentences, with the same wording in warnings, notices and reports. The text is Unicode. A
//! reporter that writes ASCII has to transliterate it.

/// Formats a share in per cent with two digits, such as `6.1 %`. A share below 0.005 % is `0 %`.
pub fn percent(share: f64) -> String {
    with_decimals(share, decimals(share))
}

/// Formats two different shares in per cent. Adds up to three decimals if they would otherwise look
/// equal.
pub fn percents(shares: [f64; 2]) -> [String; 2] {
    let texts = |more: usize| shares.map(|share| with_decimals(share, decimals(share) + more));
    (0..3).map(texts).find(|[one, other]| one != other).unwrap_or_else(|| texts(3))
}

fn decimals(share: f64) -> usize {
    match (share * 100.0).abs() {
        size if !(0.005..9.95).contains(&size) => 0,
        size if size >= 0.095 => 1,
        _ => 2,
    }
}

fn with_decimals(share: f64, decimals: usize) -> String {
    let value = share * 100.0;
    format!("{value:.decimals$} %").replace('-', "−")
}

/// Formats a count with the singular `one` or the plural `many`, such as `1 case` or `2 cases`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Formats a duration, such as `41 s`, `2 min 5 s` or `1 h 10 min`.
pub fn wall(ns: u64) -> String {
    let seconds = (ns as f64 / 1e9).round() as u64;
    match seconds {
        0 if ns < 950_000_000 => format!("{:.1} s", ns as f64 / 1e9),
        0..60 => format!("{seconds} s"),
        60..3600 if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ if seconds % 3600 < 60 => format!("{} h", seconds / 3600),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Returns the probability that the range of this many process values contains the true median: 1 − 2^(1
/// − n). Returns `None` below three processes, because the range means little, and from six on, because
/// there is an interval.
pub fn range_holds(processes: u32) -> Option<&'static str> {
    match processes {
        3 => Some("75 %"),
        4 => Some("87 %"),
        5 => Some("94 %"),
        _ => None,
    }
}

/// Formats the date of a time in UTC: `2026-01-31`. `ms` is the time in milliseconds since the Unix epoch.
pub fn date(ms: i64) -> String {
    // Years begin in March, so that the leap day is the last one. An era has 400 years.
    let days = ms.div_euclid(86_400_000) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) =
        (era * 400 + year + i64::from(month > 9), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_time_reads_like_speech() {
        assert_eq!(wall(41_200_000_000), "41 s");
        assert_eq!(wall(300_000_000), "0.3 s");
        assert_eq!(wall(125_000_000_000), "2 min 5 s");
        assert_eq!(wall(4_200_000_000_000), "1 h 10 min");
    }

    #[test]
    fn shares_have_two_digits() {
        let shown = [0.0, 0.061, 0.34, 0.0004, 0.099_6, -0.02].map(percent);
        assert_eq!(shown, ["0 %", "6.1 %", "34 %", "0.04 %", "10 %", "−2.0 %"]);
    }

    #[test]
    fn two_shares_that_differ_do_not_read_alike() {
        assert_eq!(percents([0.0104, 0.01]), ["1.04 %", "1.00 %"]);
        assert_eq!(percents([0.05, 0.01]), ["5.0 %", "1.0 %"]);
        assert_eq!(percents([0.01, 0.01]), ["1.0000 %", "1.0000 %"]);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "pair", "pairs")), ["0 pairs", "1 pair", "2 pairs"]);
    }

    #[test]
    fn dates_are_those_of_the_gregorian_calendar() {
        let day = |days: i64| date(days * 86_400_000);
        assert_eq!(
            [day(0), day(-1), day(11_016), day(11_017), day(19_782), day(20_786)],
            ["1970-01-01", "1969-12-31", "2000-02-29", "2000-03-01", "2024-02-29", "2026-11-29"]
        );
    }
}
