//! Breaks the links that GitHub and GitLab create in rendered text: users, issues, merge requests, labels,
//! commits, addresses. In a comment, these links notify people and appear at their targets. A zero-width
//! space is therefore inserted where one would begin.

/// Zero-width space. It cannot be part of a name.
pub(super) const BREAK: char = '\u{200b}';

/// Shorter words are not recognised as commit hashes.
const SHORTEST: usize = 7;

/// Returns true if a zero-width space is needed after the character at `at`.
pub(super) fn is_broken_behind(all: &str, at: usize) -> bool {
    let text = &all[at..];
    let mut signs = text.chars();
    let (Some(sign), Some(next)) = (signs.next(), signs.next()) else { return false };
    match sign {
        // Users and mail addresses, issues, merge requests, snippets, epics, labels, milestones, alerts,
        // iterations.
        '#' | '!' | '$' | '&' => next.is_ascii_digit(),
        '@' | '~' | '%' => is_word(next) || matches!(next, '"' | '\''),
        // `GH-1`, `ABC-1`: issues of other trackers.
        '-' => next.is_ascii_digit() && word_before(all, at).contains(char::is_alphabetic),
        '*' => text[1..].starts_with("iteration:"),
        // Addresses, and emoji such as `:tada:`.
        ':' => next == '/' || is_picture(&text[1..]),
        '[' => is_reference(&text[1..]),
        'w' | 'W' => begins_word(all, at) && is_web(text),
        _ => false,
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn begins_word(all: &str, at: usize) -> bool {
    !all[..at].ends_with(is_word)
}

fn word_before(all: &str, at: usize) -> &str {
    let before = &all[..at];
    &before[before.trim_end_matches(is_word).len()..]
}

fn is_picture(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_+-".contains(c));
    rest.len() < text.len() && rest.starts_with(':')
}

/// Returns true if a text begins with a reference such as `vulnerability:1]`.
fn is_reference(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
    rest.len() < text.len() && rest.starts_with(':')
}

fn is_web(text: &str) -> bool {
    text.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("www."))
}

/// Returns the word at `at` if it would be recognised as a commit hash. A word with only decimal digits is a
/// number, not a hash.
pub(super) fn commit(all: &str, at: usize) -> Option<&str> {
    if !begins_word(all, at) {
        return None;
    }
    let length = all[at..].bytes().take_while(u8::is_ascii_hexdigit).count();
    let (digits, behind) = all[at..].split_at(length);
    let is_count = digits.bytes().all(|digit| digit.is_ascii_digit());
    (length >= SHORTEST && !behind.starts_with(is_word) && !is_count).then_some(digits)
}

#[cfg(test)]
mod tests {
    use crate::markdown::escape;

    #[test]
    fn nothing_becomes_a_link() {
        for (text, written) in [
            ("@octo", "\\@·octo"),
            ("@org/team", "\\@·org/team"),
            ("a#1 #22", "a\\#·1 \\#·22"),
            ("GH-7 ABC_2-12 *iteration:1", "GH-·7 ABC\\_2-·12 \\*·iteration:1"),
            ("see https://evil.example/x", "see https:·//evil.example/x"),
            ("FTP://h", "FTP:·//h"),
            ("www.evil.example", "w·ww.evil.example"),
            ("mailto:a@b.example", "mailto:a\\@·b.example"),
            (
                "0123abc+ org/repo@0123456789abcdef0123456789abcdef01234567",
                "`0123abc`+ org/repo\\@·`0123456789abcdef0123456789abcdef01234567`",
            ),
            ("!3 &4 ~bug ~\"to do\" %\"1.0\" $5", "!·3 \\&·4 \\~·bug \\~·\"to do\" %·\"1.0\" \\$·5"),
            ("[vulnerability:1] x[a-b]", "\\[·vulnerability:1\\] x\\[a-b\\]"),
            (":tada: :+1:", ":·tada: :·+1:"),
        ] {
            assert_eq!(escape(text).replace('\u{200b}', "·"), written, "{text}");
        }
    }

    /// A quadratic algorithm would take hours.
    #[test]
    fn a_long_name_takes_time_by_its_length() {
        for (unit, count) in
            [("a", 2_000_000), ("z", 2_000_000), ("w", 2_000_000), ("a-1", 500_000), (":a", 500_000)]
        {
            let text = unit.repeat(count);
            assert!(escape(&text).len() >= text.len());
        }
    }

    #[test]
    fn names_and_figures_without_links_stay_as_they_are() {
        for text in [
            "lists:reverse/1 n=1000000",
            "+4.1 % (+2 % to +6 %), p = 0.01",
            "deadbeef7x utf-x 3-4",
            "a.b/c d",
        ] {
            assert_eq!(escape(text), text);
        }
    }
}
