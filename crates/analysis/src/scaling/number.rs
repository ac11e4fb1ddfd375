//! Parses numbers in the notations that parameters use.

/// Parses a number such as `1000`, `1_000`, `1e6`, `2^23`, `64 KiB` or `4k`. Prefixes are decimal, or binary
/// with an `i`. Ignores a unit of bytes, and any other word after a space. Returns `None` for anything else.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.replace('_', "");
    if let Some(value) = finite(&plain) {
        return Some(value);
    }
    if let Some((base, exponent)) = plain.split_once("**").or_else(|| plain.split_once('^')) {
        let power = libm::pow(finite(base.trim())?, finite(exponent.trim())?);
        return power.is_finite().then_some(power);
    }
    let digits = plain.find(|c: char| !(c.is_ascii_digit() || c == '.')).filter(|end| *end > 0)?;
    let (value, rest) = (finite(&plain[..digits])?, &plain[digits..]);
    let word = rest.trim_start();
    let apart = word.len() < rest.len();
    let prefix = ["k", "m", "g", "t"].iter().position(|prefix| word.to_ascii_lowercase().starts_with(prefix));
    let unit = |text: &str| matches!(text, "" | "B" | "b" | "iB" | "i" | "bytes" | "Bytes");
    match prefix {
        Some(place) if unit(&word[1..]) => {
            let base: f64 = if word[1..].starts_with('i') { 1024.0 } else { 1000.0 };
            Some(value * base.powi(place as i32 + 1))
        }
        _ if unit(word) || (apart && word.chars().all(char::is_alphabetic)) => Some(value),
        _ => None,
    }
}

fn finite(text: &str) -> Option<f64> {
    let digits = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    text.parse().ok().filter(|value: &f64| digits && value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, value) in [
            ("1000", 1000.0),
            ("1_000", 1000.0),
            ("1e6", 1e6),
            ("-2.5", -2.5),
            ("2^23", 8_388_608.0),
            ("10**3", 1000.0),
            ("4k", 4000.0),
            ("64 KiB", 65_536.0),
            ("64KB", 64_000.0),
            ("1.5 MB", 1.5e6),
            ("2Gi", 2_147_483_648.0),
            ("512 B", 512.0),
            ("12 items", 12.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["", "k", "abc", "inf", "NaN", "12-14", "12items", "2^", "4 k/s", "é12"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
