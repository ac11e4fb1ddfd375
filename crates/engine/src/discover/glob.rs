//! Globs over slash-separated names: `*` within a part, `**` over parts, `?` one character; nothing else, so that no
//! shell needs quoting beyond the usual.

/// Whether the whole of `text` matches `glob`.
pub fn matches(glob: &str, text: &str) -> bool {
    match_bytes(glob.as_bytes(), text.as_bytes())
}

/// Whether a pattern is a glob at all.
pub fn is_glob(pattern: &str) -> bool {
    pattern.contains(['*', '?'])
}

fn match_bytes(glob: &[u8], text: &[u8]) -> bool {
    // Positions to go back to: after the last `*` and after the last `**`.
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    let mut double: Option<(usize, usize)> = None;
    loop {
        if glob[g..].starts_with(b"**") {
            g += 2;
            // `**/x` also matches `x`.
            if glob.get(g) == Some(&b'/') && (t == 0 || text.get(t - 1) == Some(&b'/')) {
                g += 1;
            }
            (double, star) = (Some((g, t)), None);
        } else if glob.get(g) == Some(&b'*') {
            g += 1;
            star = Some((g, t));
        } else if t < text.len()
            && (glob.get(g) == Some(&text[t]) || (glob.get(g) == Some(&b'?') && text[t] != b'/'))
        {
            (g, t) = (g + 1, t + 1);
        } else if t == text.len() && g == glob.len() {
            return true;
        } else if let Some((after, from)) = star.filter(|&(_, from)| from < text.len() && text[from] != b'/')
        {
            star = Some((after, from + 1));
            (g, t) = (after, from + 1);
        } else if let Some((after, from)) = double.filter(|&(_, from)| from < text.len()) {
            (double, star) = (Some((after, from + 1)), None);
            (g, t) = (after, from + 1);
        } else {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stay_within_a_part_and_double_stars_do_not() {
        for (glob, text, expected) in [
            ("*.js", "a.js", true),
            ("*.js", "x/a.js", false),
            ("**/*.bench.js", "a.bench.js", true),
            ("**/*.bench.js", "x/y/a.bench.js", true),
            ("**/*.bench.js", "x/a.js", false),
            ("benchmark/*/*.js", "benchmark/url/a.js", true),
            ("benchmark/*/*.js", "benchmark/url/x/a.js", false),
            ("benchmark/fixtures/**", "benchmark/fixtures/a/b.js", true),
            ("benchmark/*/_*", "benchmark/url/_x.js", true),
            ("a?c", "abc", true),
            ("a?c", "a/c", false),
            ("**", "anything/at all", true),
            ("*url*n=10*", "url parse n=100", true),
            ("a**b*c", "a/x/b/bc", true),
            ("", "", true),
            ("", "a", false),
            ("**a", "bca", true),
        ] {
            assert_eq!(matches(glob, text), expected, "{glob} on {text}");
        }
    }
}
