//! Splits a command into words like a shell, for commands that run without one.

use derny_model::{Problem, problem};

/// Characters that a shell interprets outside quotes, anywhere in a word.
const OPERATORS: &str = "|&;<>()$`*?[";
/// Characters that a shell interprets at the start of a word.
const BEGINNINGS: &str = "~#";

/// Splits a text at whitespace outside quotes.
///
/// # Errors
/// Fails if a quote is not closed, if the text ends in a backslash, or if the text has no words.
pub fn split(text: &str) -> Result<Vec<String>, Problem> {
    Ok(words(text)?.into_iter().map(|word| word.text).collect())
}

/// Returns the words that a shell would interpret, such as `&&`, `>out`, `$HOME` or `*.c`. Empty if the text
/// cannot be split.
pub fn for_a_shell(text: &str) -> Vec<String> {
    let all = words(text).unwrap_or_default().into_iter();
    all.filter(|word| word.is_for_a_shell).map(|word| word.text).collect()
}

#[derive(Default)]
struct Word {
    text: String,
    is_for_a_shell: bool,
}

fn words(text: &str) -> Result<Vec<Word>, Problem> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => quoted(&mut chars, &mut word.get_or_insert_default().text, text)?,
            '"' => double_quoted(&mut chars, word.get_or_insert_default(), text)?,
            '\\' => {
                let next = chars.next().ok_or_else(|| format!("`{text}` ends in a backslash"))?;
                word.get_or_insert_default().text.push(next);
            }
            c => {
                let begins = word.is_none() && BEGINNINGS.contains(c);
                let word = word.get_or_insert_default();
                word.is_for_a_shell |= begins || OPERATORS.contains(c);
                word.text.push(c);
            }
        }
    }
    words.extend(word);
    if words.is_empty() { Err(Problem::new("the command is empty")) } else { Ok(words) }
}

fn quoted(chars: &mut std::str::Chars<'_>, word: &mut String, text: &str) -> Result<(), Problem> {
    for c in chars {
        match c {
            '\'' => return Ok(()),
            c => word.push(c),
        }
    }
    Err(open(text, '\''))
}

/// Reads a double-quoted text. A backslash escapes only the characters that are special within quotes.
fn double_quoted(chars: &mut std::str::Chars<'_>, word: &mut Word, text: &str) -> Result<(), Problem> {
    while let Some(c) = chars.next() {
        match c {
            '"' => return Ok(()),
            '\\' => match chars.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => word.text.push(c),
                Some('\n') => {}
                Some(c) => word.text.extend(['\\', c]),
                None => break,
            },
            c => {
                word.is_for_a_shell |= matches!(c, '$' | '`');
                word.text.push(c);
            }
        }
    }
    Err(open(text, '"'))
}

fn open(text: &str, quote: char) -> Problem {
    problem!("`{text}` has an unclosed {quote}")
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

    #[test]
    fn what_only_a_shell_understands_is_found() {
        let found = |text: &str| for_a_shell(text).join(" ");
        for (text, words) in [
            ("true && sleep 1", "&&"),
            ("seq 9 | wc -l", "|"),
            ("sort <in.txt >out.txt 2>&1", "<in.txt >out.txt 2>&1"),
            ("a; b & c", "a; &"),
            ("ls $HOME \"${HOME}/x\" ~/y `pwd`", "$HOME ${HOME}/x ~/y `pwd`"),
            ("cat *.c a?.h [ab].h", "*.c a?.h [ab].h"),
            ("(true) # why", "(true) #"),
        ] {
            assert_eq!(found(text), words, "{text}");
        }
        // A quoted or escaped word is an argument, as in a shell.
        for text in [
            "grep '|' x",
            "find . -name '*.c'",
            r"echo \&\& a~b a#b",
            r#"awk "{ print \$1 }" "a & b""#,
            "x --y=1",
        ] {
            assert_eq!(found(text), "", "{text}");
        }
    }
}
