//! Escapes text from outside before it is shown: names of benchmarks, messages of harnesses, files of
//! other tools. Such text could otherwise control a terminal or the service that shows the log.
//! Independent of specific terminals and services.

use std::borrow::Cow;

/// Returns `text` as one line that hides nothing and contains no command. Escapes control characters,
/// line breaks, and characters that reorder or hide text. Also escapes commands of CI services: `##[`
/// and similar anywhere, and `::` at the start of the line.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

/// Escapes each line of a longer text as [`visible`] does, but keeps its line breaks.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    by_line(text, false)
}

/// Escapes each line as [`visible_lines`] does, but keeps Derny's own colours. Text from outside must already
/// have been escaped with [`visible`].
pub fn painted_lines(text: &str) -> Cow<'_, str> {
    by_line(text, true)
}

/// Replaces characters that hide or reorder text, and the `#` of CI commands, with JSON escapes, which do not
/// change the meaning of JSON text.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    let steers =
        |(at, c): (usize, char)| !c.is_ascii() && !is_harmless(c) || c == '#' && is_command(&text[at..]);
    if !text.char_indices().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match steers((at, c)) {
            true => {
                let units = c
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect::<String>();
                out.push_str(&units);
            }
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn by_line(text: &str, colours: bool) -> Cow<'_, str> {
    if text.split('\n').all(|line| matches!(escaped(line, colours), Cow::Borrowed(_))) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(|line| escaped(line, colours)).collect();
    Cow::Owned(lines.join("\n"))
}

fn escaped(text: &str, colours: bool) -> Cow<'_, str> {
    let command = text.trim_start().starts_with("::").then(|| text.len() - text.trim_start().len());
    let disturbs = |(at, c): (usize, char)| !is_harmless(c) || (c == '#' && is_command(&text[at..]));
    if command.is_none() && !text.char_indices().any(disturbs) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut colour_ends = 0;
    for (at, c) in text.char_indices() {
        if colours && c == '\x1b' {
            colour_ends = at + colour(&text[at..]);
        }
        match c {
            c if at < colour_ends => out.push(c),
            _ if command == Some(at) => out.push_str("\\x3a"),
            '#' if is_command(&text[at..]) => out.push_str("\\x23"),
            c if is_harmless(c) => out.push(c),
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            c if c.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

/// Returns true if a character is shown unchanged and does not affect others.
fn is_harmless(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // Joiners, zero-width spaces, direction marks, line separators, annotations and tags.
    let hides = matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    !c.is_control() && !hides
}

/// Returns true if the text starts like a command within a line: `##[group]`, `##vso[…]`, `##teamcity[…]`.
fn is_command(text: &str) -> bool {
    let name = text.strip_prefix("##").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    name.is_some_and(|rest| rest.starts_with('['))
}

/// Returns the length of the colour sequence at the start, such as `ESC [ 1 ; 31 m`. Returns 0 for any other
/// text.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\x1b[") else { return 0 };
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == ';'));
    end.filter(|end| rest[*end..].starts_with('m')).map_or(0, |end| end + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_not_sent() {
        assert_eq!(visible("a\x1b[31mb\n"), "a\\x1b[31mb\\n");
        assert_eq!(visible("a\u{202e}b\u{9b}c\u{7f}"), "a\\u{202e}b\\u{9b}c\\x7f");
        for c in ['\u{ad}', '\u{61c}', '\u{200d}', '\u{2028}', '\u{2066}', '\u{feff}', '\u{e0041}'] {
            assert_eq!(visible(&format!("x{c}y")), format!("x{}y", c.escape_unicode()));
        }
        assert!(matches!(visible("汉字 é 👍 a::b # ## [x]"), Cow::Borrowed(_)));
    }

    #[test]
    fn no_line_is_a_command_of_a_service() {
        assert_eq!(visible("::error::x"), "\\x3a:error::x");
        assert_eq!(visible("  ::add-mask::x"), "  \\x3a:add-mask::x");
        assert_eq!(visible("a ##[add-mask]b ###vso[x] ##"), "a \\x23#[add-mask]b #\\x23#vso[x] ##");
        assert_eq!(visible_lines("a\n::x::\r\nb"), "a\n\\x3a:x::\\r\nb");
        assert_eq!(visible("\x1b[0Ksection_start:1:a\r\x1b[0K"), "\\x1b[0Ksection_start:1:a\\r\\x1b[0K");
    }

    #[test]
    fn json_means_what_it_meant() {
        assert_eq!(
            visible_json("{\n \"a\u{202e}##[x]\u{e0041}é\"}"),
            "{\n \"a\\u202e\\u0023#[x]\\udb40\\udc41é\"}"
        );
        assert!(matches!(visible_json("[\"## a\"]\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn colours_of_our_own_stay_and_nothing_else_does() {
        assert_eq!(painted_lines("\x1b[1;31mx\x1b[0m\n\x1b[0m"), "\x1b[1;31mx\x1b[0m\n\x1b[0m");
        assert_eq!(painted_lines("\x1b[1mx\x1b[2J\x1b]0;t\x07"), "\x1b[1mx\\x1b[2J\\x1b]0;t\\x07");
        assert_eq!(visible_lines("\x1b[1mx"), "\\x1b[1mx");
    }
}
