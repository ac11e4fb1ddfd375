//! The words of a command, as a shell parts them, for commands that run without one.

/// Parts a text at blanks outside quotes.
///
/// # Errors
/// A quote that is not closed, a backslash at the end, a text without a word.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => quoted(&mut chars, word.get_or_insert_default(), text)?,
            '"' => double_quoted(&mut chars, word.get_or_insert_default(), text)?,
            '\\' => word
                .get_or_insert_default()
                .push(chars.next().ok_or_else(|| format!("`{text}` ends in a backslash"))?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty".to_owned()) } else { Ok(words) }
}

fn quoted(chars: &mut std::str::Chars<'_>, word: &mut String, text: &str) -> Result<(), String> {
    for c in chars {
        match c {
            '\'' => return Ok(()),
            c => word.push(c),
        }
    }
    Err(open(text, '\''))
}

/// A backslash keeps its meaning before the characters that mean something here.
fn double_quoted(chars: &mut std::str::Chars<'_>, word: &mut String, text: &str) -> Result<(), String> {
    while let Some(c) = chars.next() {
        match c {
            '"' => return Ok(()),
            '\\' => match chars.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                Some('\n') => {}
                Some(c) => word.extend(['\\', c]),
                None => break,
            },
            c => word.push(c),
        }
    }
    Err(open(text, '"'))
}

fn open(text: &str, quote: char) -> String {
    format!("`{text}` has a {quote} that is not closed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_keep_blanks() {
        assert_eq!(
            split(r#"a 'b c' "d \"e\" $x" f\ g '' h"i"j"#).unwrap(),
            ["a", "b c", "d \"e\" $x", "f g", "", "hij"]
        );
        for bad in ["", "  ", "a 'b", "a \"b", "a \\"] {
            assert!(split(bad).is_err(), "{bad}");
        }
    }
}
