//! Style of text output: width, character set and colour. The caller chooses it, because this crate never
//! examines a terminal.

use anstyle::{AnsiColor, Color, Effects};
pub(crate) use derny_model::shown::visible;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The capabilities of the output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Maximum width of a line in columns; `None` for no limit.
    pub width: Option<usize>,
    /// True to use only ASCII: `us`, `+-`, `..`, `|-`.
    pub ascii: bool,
    /// True to use ANSI colour codes.
    pub colour: bool,
}

/// The meaning of a colour. The text always shows the same meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Strong,
    Dim,
    Warning,
    Error,
    Better,
    Worse,
}

impl Style {
    /// Returns `text` in the colour for this meaning, or unchanged if the style has no colours.
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let style = match paint {
            Paint::Strong => anstyle::Style::new().effects(Effects::BOLD),
            Paint::Dim => anstyle::Style::new().effects(Effects::DIMMED),
            Paint::Warning => plain(AnsiColor::Yellow),
            Paint::Better => plain(AnsiColor::Green),
            Paint::Worse => plain(AnsiColor::Red),
            Paint::Error => plain(AnsiColor::Red).effects(Effects::BOLD),
        };
        format!("{style}{text}{style:#}")
    }

    pub(crate) fn pick(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { unicode }
    }

    pub(crate) fn dot(&self) -> &'static str {
        self.pick(" · ", " - ")
    }

    pub(crate) fn ellipsis(&self) -> &'static str {
        self.pick("…", "..")
    }

    /// Makes control characters visible, and replaces typographic characters if the style is ASCII.
    pub(crate) fn prose(&self, text: &str) -> String {
        let clean = visible(text);
        if !self.ascii {
            return clean.into_owned();
        }
        let mut out = String::with_capacity(clean.len());
        for c in clean.chars() {
            match c {
                '·' => out.push('-'),
                '×' => out.push('x'),
                '…' => out.push_str(".."),
                '−' | '–' | '—' => out.push('-'),
                '±' => out.push_str("+-"),
                'µ' | 'μ' => out.push('u'),
                'σ' => out.push_str("sd"),
                '→' => out.push_str("->"),
                '≈' => out.push('~'),
                '≤' => out.push_str("<="),
                '≥' => out.push_str(">="),
                '²' => out.push('2'),
                '‘' | '’' => out.push('\''),
                '“' | '”' => out.push('"'),
                '\u{a0}' | '\u{202f}' => out.push(' '),
                c if c.is_ascii() => out.push(c),
                c => out.extend(c.escape_unicode()),
            }
        }
        out
    }
}

fn plain(colour: AnsiColor) -> anstyle::Style {
    anstyle::Style::new().fg_color(Some(Color::Ansi(colour)))
}

pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Shortens `text` to at most `width` columns. Removes the middle, because the ends of names distinguish
/// them.
pub(crate) fn shorten(text: &str, width: usize, style: &Style) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mark = style.ellipsis();
    let room = width.saturating_sub(columns(mark));
    let (head_room, tail_room) = (room.div_ceil(2), room / 2);
    let head = take(text.chars(), head_room);
    let tail: String = take(text.chars().rev(), tail_room).chars().rev().collect();
    format!("{head}{mark}{tail}")
}

fn take(chars: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}

/// Wraps `text` at the style's width, and indents all lines after the first by `indent` columns. Keeps the
/// spaces within a line. A word longer than a line gets a separate line.
pub(crate) fn wrap(text: &str, style: &Style, indent: usize) -> String {
    let Some(width) = style.width else { return text.to_owned() };
    let mut out = String::with_capacity(text.len() + 16);
    let mut used = 0;
    for (index, word) in words(text).enumerate() {
        let length = columns(word);
        if index > 0 {
            if used + 1 + length > width && used > indent {
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                used = indent;
            } else {
                out.push(' ');
                used += 1;
            }
        }
        out.push_str(word);
        used += length;
    }
    out
}

/// Splits text at the spaces where a line may break. A number and its `%` stay together.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.match_indices(' ').map(|(at, _)| at).find(|at| !text[at + 1..].starts_with('%'));
        rest = end.map(|at| &text[at + 1..]);
        Some(end.map_or(text, |at| &text[..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { width: None, ascii: false, colour: false };

    #[test]
    fn names_are_shortened_in_the_middle() {
        assert_eq!(shorten("string_decoder", 9, &PLAIN), "stri…oder");
        assert_eq!(shorten("short", 9, &PLAIN), "short");
        assert_eq!(shorten("string_decoder", 9, &Style { ascii: true, ..PLAIN }), "stri..der");
        assert_eq!(columns(&shorten("汉字汉字汉字", 7, &PLAIN)), 5, "a wide sign is never cut in half");
    }

    #[test]
    fn a_line_ends_between_words_and_not_before_a_percent_sign() {
        let narrow = Style { width: Some(12), ..PLAIN };
        assert_eq!(wrap("apart from 1 %. End", &narrow, 2), "apart from\n  1 %. End");
        assert_eq!(wrap(" two  blanks", &PLAIN, 0), " two  blanks");
        assert_eq!(words(" a  b").collect::<Vec<_>>(), ["", "a", "", "b"]);
    }

    #[test]
    fn prose_wraps_at_words_with_an_indent() {
        let style = Style { width: Some(12), ..PLAIN };
        assert_eq!(wrap("one two three four", &style, 2), "one two\n  three four");
        assert_eq!(wrap("one two three four", &PLAIN, 2), "one two three four");
    }

    #[test]
    fn prose_has_an_ascii_form() {
        let style = Style { ascii: true, ..PLAIN };
        assert_eq!(style.prose("−3 … 4 µs × 2"), "-3 .. 4 us x 2");
        assert!(style.prose("汉").is_ascii());
    }

    #[test]
    fn colour_only_when_asked() {
        assert_eq!(PLAIN.paint(Paint::Error, "x"), "x");
        let painted = Style { colour: true, ..PLAIN }.paint(Paint::Error, "x");
        assert!(painted.starts_with('\x1b') && painted.contains('x') && painted.ends_with("\x1b[0m"));
    }
}
