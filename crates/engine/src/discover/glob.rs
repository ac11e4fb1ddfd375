//! Globs over slash-separated names. `*` matches within a component, `**` across components, and `?` one
//! character other than a slash. There is no other syntax, and no way to escape these characters.

/// Returns true if `glob` matches all of `text`.
pub fn matches(glob: &str, text: &str) -> bool {
    match_bytes(glob.as_bytes(), text.as_bytes())
}

/// Returns true if a pattern contains `*` or `?`.
pub fn is_glob(pattern: &str) -> bool {
    pattern.contains(['*', '?'])
}

fn match_bytes(glob: &[u8], text: &[u8]) -> bool {
    // Positions for backtracking: after the last `*` and after the last `**`.
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    let mut double: Option<(usize, usize)> = None;
    // True if the pattern after the last `**` must match from the start of a component.
    let mut is_part = false;
    loop {
        if glob[g..].starts_with(b"**") {
            g += 2;
            // `**/x` matches `x` and `a/x`, but not `yx`.
            is_part = glob.get(g) == Some(&b'/') && (t == 0 || text.get(t - 1) == Some(&b'/'));
            g += usize::from(is_part);
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
            let next = match text[from..].iter().position(|byte| *byte == b'/') {
                Some(slash) if is_part => from + slash + 1,
                None if is_part => return false,
                _ => from + 1,
            };
            (double, star) = (Some((after, next)), None);
            (g, t) = (after, next);
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
            ("**/_*", "_x.js", true),
            ("**/_*", "a/_x.js", true),
            ("**/_*", "a_x/b_x.js", false),
            ("**/_*/**", "a/_b/c/d.js", true),
            ("**/_*/**", "a/b_/c.js", false),
            ("a/**/b", "a/x/y/b", true),
            ("a/**/b", "a/x/yb", false),
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
