//! Parses quantities as users type them: `10s`, `1%`, `0.95`, `2G`, `0,2-3`. Formats sizes for messages.

/// Parses a duration and returns it in ns. It is a number followed by `ns`, `us`, `µs`, `ms`, `s`, `m`, `min`
/// or `h`, or a 0 without a unit.
pub fn duration_ns(text: &str) -> Result<u64, String> {
    if text.trim() == "0" {
        return Ok(0);
    }
    let wrong = || format!("`{text}` is not a duration; write 500ms, 10s, 5m or 1h");
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let scale = match unit {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" | "min" => 60e9,
        "h" => 3600e9,
        _ => return Err(wrong()),
    };
    finite(number * scale, text)
}

/// Parses a share above 0 and below 10, such as `1%` or `0.01`.
pub fn share(text: &str) -> Result<f64, String> {
    let share = match split(text) {
        Some((number, "%")) => number / 100.0,
        Some((number, "")) => number,
        _ => return Err(format!("`{text}` is not a share; write 1% or 0.01")),
    };
    if share > 0.0 && share < 10.0 {
        Ok(share)
    } else {
        Err(format!("`{text}` must be above 0 and below 1000%"))
    }
}

/// Parses a confidence level of at least 0.5 and below 1, such as `95`, `95%` or `0.95`.
pub fn confidence(text: &str) -> Result<f64, String> {
    let level = match split(text) {
        Some((number, "%")) => number / 100.0,
        Some((number, "")) if number > 1.0 => number / 100.0,
        Some((number, "")) => number,
        _ => f64::NAN,
    };
    if (0.5..1.0).contains(&level) {
        Ok(level)
    } else {
        Err(format!("`{text}` is not a confidence level; write 95 or 0.95 (at least 50 %)"))
    }
}

/// Parses a size in bytes: a number, optionally followed by `K`, `M` or `G` (powers of 1,024), and then
/// optionally by `B` or `iB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size; write 512M or 2G");
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let scale = match unit.trim_end_matches('B').trim_end_matches('i').to_ascii_uppercase().as_str() {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1024.0 * 1024.0,
        "G" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    finite(number * scale, text)
}

/// Parses a set of processors: `0,2-3`.
pub fn processors(text: &str) -> Result<Vec<u32>, String> {
    let bad = || format!("`{text}` is not a set of processors; write 0,2-3 or none");
    let mut set = std::collections::BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) =
            (first.trim().parse().map_err(|_| bad())?, last.trim().parse().map_err(|_| bad())?);
        if last < first || last > 4095 {
            return Err(bad());
        }
        set.extend(first..=last);
    }
    Ok(set.into_iter().collect())
}

/// Formats a size for a message, such as `12.3 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

fn finite(value: f64, text: &str) -> Result<u64, String> {
    if value.is_finite() && (0.0..1e18).contains(&value) {
        Ok(value.round() as u64)
    } else {
        Err(format!("`{text}` is out of range"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_people_type_them() {
        assert_eq!(duration_ns("10s"), Ok(10_000_000_000));
        assert_eq!(duration_ns("1.5 ms"), Ok(1_500_000));
        assert_eq!(duration_ns("20us"), Ok(20_000));
        assert_eq!(duration_ns("0"), Ok(0));
        assert!(duration_ns("10").is_err() && duration_ns("s").is_err() && duration_ns("1e99h").is_err());
        assert_eq!(share("1%"), Ok(0.01));
        assert_eq!(share("0.02"), Ok(0.02));
        assert!(share("-1%").is_err() && share("0").is_err());
        assert_eq!(confidence("95"), Ok(0.95));
        assert_eq!(confidence("0.99"), Ok(0.99));
        assert!(confidence("100").is_err() && confidence("30").is_err());
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("512 MiB"), Ok(512 << 20));
        assert_eq!(processors("0,2-3"), Ok(vec![0, 2, 3]));
        assert!(processors("3-1").is_err() && processors("x").is_err());
    }
}
