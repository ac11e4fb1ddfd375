//! Recognises benchmark files by their text, such as an import in any form that the language allows.
//!
//! A pattern in an `sdk.toml` is a sequence of tokens. Tokens are words, signs, and texts in double quotes,
//! which match a text in any quotes. Whitespace and comments are ignored. Words and signs do not match within
//! quoted text.
//!
//! `word*` matches any word with that prefix. `...` matches anything within one statement, but the next token
//! must not be part of a longer path (`a.word`). ` && ` separates patterns that must all match.

use serde::Deserialize;

/// The comments and quoted texts of a language. This is not a complete grammar, but a wrong token
/// usually affects only one line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Syntax {
    /// Extensions of the files with this syntax. If empty, it applies to all other files.
    pub endings: Vec<String>,
    /// Signs that start a comment until the end of the line.
    pub comments: Vec<String>,
    /// Signs that start and end a block comment.
    pub block_comments: Vec<(String, String)>,
    /// Quotes that start and end a text. A longer quote precedes a shorter one that it starts with.
    pub quotes: Vec<String>,
}

impl Syntax {
    /// Returns the syntax of a file.
    pub fn of<'a>(all: &'a [Syntax], file: &str) -> Option<&'a Syntax> {
        let named = |syntax: &&Syntax| syntax.endings.iter().any(|ending| file.ends_with(ending.as_str()));
        all.iter().find(named).or_else(|| all.iter().find(|syntax| syntax.endings.is_empty()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind<'a> {
    Word(&'a str),
    Sign(char),
    Text(&'a str),
}

#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    kind: TokenKind<'a>,
    /// Number of whitespace characters at the beginning of the token's line.
    indent: usize,
    line: usize,
    /// True if a backslash after the token continues the line.
    goes_on: bool,
}

/// The text of a file. It is split into tokens only if a pattern may match.
#[derive(Debug)]
pub struct Said<'a> {
    text: &'a str,
    syntax: Syntax,
    tokens: std::cell::OnceCell<Vec<Token<'a>>>,
}

impl<'a> Said<'a> {
    /// Wraps the text of a file in a language with this syntax.
    pub fn new(text: &'a str, syntax: Option<&Syntax>) -> Self {
        Said { text, syntax: syntax.cloned().unwrap_or_default(), tokens: std::cell::OnceCell::new() }
    }

    /// Returns true if the text matches at least one of these patterns.
    pub fn any(&self, patterns: &[String]) -> bool {
        patterns.iter().any(|pattern| pattern.split(" && ").all(|pattern| self.has(pattern)))
    }

    fn has(&self, pattern: &str) -> bool {
        let own = Syntax { quotes: vec!["\"".to_owned()], ..Syntax::default() };
        let pattern = elements(&tokens(pattern, &own));
        let is_there = |element: &Element<'_>| match element {
            Element::Is(TokenKind::Word(word) | TokenKind::Text(word)) | Element::Begins(word) => {
                self.text.contains(word)
            }
            Element::Is(TokenKind::Sign(sign)) => self.text.contains(*sign),
            Element::Anything => true,
        };
        if !pattern.iter().all(is_there) {
            return false;
        }
        let tokens = self.tokens.get_or_init(|| tokens(self.text, &self.syntax));
        (0..tokens.len()).any(|at| begins(&pattern, tokens, at, at))
    }
}

#[derive(Debug, Clone, Copy)]
enum Element<'a> {
    Is(TokenKind<'a>),
    Begins(&'a str),
    Anything,
}

fn elements<'a>(tokens: &[Token<'a>]) -> Vec<Element<'a>> {
    let mut elements = Vec::new();
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        let sign = |at: usize| matches!(after.get(at), Some(Token { kind: TokenKind::Sign('.'), .. }));
        rest = after;
        elements.push(match (first.kind, after.first().map(|next| next.kind)) {
            (TokenKind::Sign('.'), _) if sign(0) && sign(1) => {
                rest = &after[2..];
                Element::Anything
            }
            (TokenKind::Word(word), Some(TokenKind::Sign('*'))) => {
                rest = &after[1..];
                Element::Begins(word)
            }
            (kind, _) => Element::Is(kind),
        });
    }
    elements
}

/// Returns true if the pattern matches at the token `at`, in a statement that starts at `start`.
fn begins(pattern: &[Element<'_>], tokens: &[Token<'_>], at: usize, start: usize) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return true };
    let Some(token) = tokens.get(at) else { return false };
    match (first, token.kind) {
        (Element::Anything, _) => {
            let is_free = |at: usize| !matches!(tokens[at - 1].kind, TokenKind::Sign('.'));
            statement(tokens, start)
                .filter(|next| *next >= at)
                .any(|next| is_free(next) && begins(rest, tokens, next, start))
        }
        (Element::Is(wanted), kind) => *wanted == kind && begins(rest, tokens, at + 1, start),
        (Element::Begins(wanted), TokenKind::Word(word)) => {
            word.starts_with(wanted) && begins(rest, tokens, at + 1, start)
        }
        (Element::Begins(_), _) => false,
    }
}

/// Returns the indices of a statement's tokens, except the first. A statement continues within brackets,
/// on an indented line, and after a backslash at the end of a line.
fn statement<'t>(tokens: &'t [Token<'_>], start: usize) -> impl Iterator<Item = usize> + 't {
    let mut depth = 0_i32;
    let first = tokens[start];
    (start + 1..tokens.len()).take_while(move |at| {
        let (before, token) = (tokens[at - 1], tokens[*at]);
        let is_inside =
            depth > 0 || token.line == before.line || before.goes_on || token.indent > first.indent;
        match token.kind {
            TokenKind::Sign('(' | '[' | '{') => depth += 1,
            TokenKind::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        is_inside && depth >= 0 && (depth > 0 || token.kind != TokenKind::Sign(';'))
    })
}

fn tokens<'a>(text: &'a str, syntax: &Syntax) -> Vec<Token<'a>> {
    let mut found: Vec<Token<'a>> = Vec::new();
    let (mut at, mut line, mut indent) = (0, 0, None);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let starts = |begin: &&String| rest.starts_with(begin.as_str());
        let mut length = c.len_utf8();
        let mut kind = None;
        if syntax.comments.iter().any(|begin| rest.starts_with(begin.as_str())) {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if let Some((begin, end)) = syntax.block_comments.iter().find(|(begin, _)| starts(&begin)) {
            length =
                rest[begin.len()..].find(end.as_str()).map_or(rest.len(), |to| begin.len() + to + end.len());
        } else if let Some(quote) = syntax.quotes.iter().find(starts) {
            let inner = quoted(&rest[quote.len()..], quote);
            kind = Some(TokenKind::Text(inner));
            length = (quote.len() + inner.len() + quote.len()).min(rest.len());
            if !rest[..length].ends_with(quote.as_str()) {
                length = quote.len() + inner.len();
            }
        } else if is_of_word(c) {
            length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            kind = Some(TokenKind::Word(&rest[..length]));
        } else if c == '\\' && rest[1..].trim_start_matches('\r').starts_with('\n') {
            if let Some(last) = found.last_mut() {
                last.goes_on = true;
            }
        } else if !c.is_whitespace() {
            kind = Some(TokenKind::Sign(c));
        }
        if let Some(kind) = kind {
            let own = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let indent =
                *indent.get_or_insert_with(|| text[own..].chars().take_while(|c| c.is_whitespace()).count());
            found.push(Token { kind, indent, line, goes_on: false });
        }
        let lines = text[at..at + length].matches('\n').count();
        if lines > 0 {
            (line, indent) = (line + lines, None);
        }
        at += length;
    }
    found
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Returns the text before the closing quote. A text in backquotes, or in quotes of several characters, may
/// span lines. Any other text ends with its line, even if the closing quote is missing.
fn quoted<'a>(text: &'a str, quote: &str) -> &'a str {
    let is_long = quote.len() > 1 || quote == "`";
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && text[at..].starts_with(quote) || !is_long && c == '\n' {
            return &text[..at];
        }
        escaped = c == '\\' && !escaped;
    }
    text
}

#[cfg(test)]
mod tests;
