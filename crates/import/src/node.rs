//! Common parts of the CSV files of Node's benchmark scripts: names, configurations, and samples of rate and
//! time.

use crate::csv::number;
use crate::{Foreign, ReadError, Sample};

/// Suite of a checkout's files in live runs. Imported results use it too, to have the same names.
pub(crate) const SUITE: &str = "benchmark";

pub(crate) fn foreign(script: &str) -> Foreign {
    let mut foreign = Foreign::new(script, "javascript");
    foreign.says("version of Node.js");
    foreign
}

/// Creates a self-timed sample, whose operations are rate multiplied by time.
///
/// # Errors
///
/// Fails if a field is not a number, or if the time or the rate is not positive.
pub(crate) fn sample(line: usize, rate: &str, time: &str) -> Result<Sample, ReadError> {
    let (rate, time) = (number(line, "rate", rate)?, number(line, "time", time)?);
    if rate <= 0.0 || time <= 0.0 {
        return Err(ReadError::at(line, format!("a rate of {rate} in {time} s is not usable")));
    }
    let time_ns = (time * 1e9).round().max(1.0);
    Ok(Sample { time_ns: time_ns as u64, operations: Some(rate * time_ns / 1e9), ..Sample::default() })
}

/// Parses a configuration such as `n=1000 type='a b' text="x\"y"`: keys, and values in the notation of JSON
/// or of Node's `util.inspect`.
///
/// # Errors
///
/// Fails if a word has no `=`, or if a quote is not terminated.
pub(crate) fn configuration(line: usize, text: &str) -> Result<Vec<(String, String)>, ReadError> {
    let mut params = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((key, after)) = rest.split_once('=') else {
            return Err(ReadError::at(line, format!("`{rest}` of the configuration has no `=`")));
        };
        let (value, after) = match after.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => quoted(&after[1..], quote)
                .ok_or_else(|| ReadError::at(line, format!("the value of `{key}` is unterminated")))?,
            _ => bare(after),
        };
        params.push((key.trim().to_owned(), value));
        rest = after.trim_start();
    }
    Ok(params)
}

fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((value, &text[at + c.len_utf8()..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'v' => '\u{b}',
                'x' => code(&mut chars, 2)?,
                'u' => code(&mut chars, 4)?,
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

fn code(chars: &mut std::str::CharIndices<'_>, digits: usize) -> Option<char> {
    let text: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
    Some(u32::from_str_radix(&text, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'))
}

/// Returns the text before the next ` key=`, and the rest. The text is a number, a word, or an array as
/// `inspect` writes it.
fn bare(text: &str) -> (String, &str) {
    let end = text.match_indices(' ').map(|(at, _)| at).find(|at| {
        let word = text[*at..].trim_start();
        let key = word.split(['=', ' ', '\'', '"']).next().unwrap_or("");
        !key.is_empty() && word[key.len()..].starts_with('=')
    });
    let end = end.unwrap_or(text.len());
    (text[..end].trim_end().to_owned(), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        configuration(1, text).unwrap()
    }

    #[test]
    fn values_are_those_of_json_and_of_inspect() {
        let expected = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(pairs("n=100000 pathext=''"), expected(&[("n", "100000"), ("pathext", "")]));
        assert_eq!(
            pairs("type=\"a \\\"b\\\"\\u00e9\" ok=true"),
            expected(&[("type", "a \"b\"é"), ("ok", "true")])
        );
        assert_eq!(pairs("a=`it's \"x\"` b='k=v w'"), expected(&[("a", "it's \"x\""), ("b", "k=v w")]));
        assert_eq!(pairs("list=[ 1, 2 ] n=-1.5e6"), expected(&[("list", "[ 1, 2 ]"), ("n", "-1.5e6")]));
        assert_eq!(pairs(" "), expected(&[]));
    }

    #[test]
    fn broken_configurations_are_named() {
        assert!(
            configuration(7, "n=1 word").is_ok_and(|pairs| pairs == [("n".to_owned(), "1 word".to_owned())])
        );
        assert_eq!(configuration(7, "word").unwrap_err().line, Some(7));
        assert!(configuration(7, "a='x").unwrap_err().reason.contains("is unterminated"));
    }
}
