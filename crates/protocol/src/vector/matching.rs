//! Matches a line of a harness against a line of a transcript.

use crate::escape::unescape;
use crate::metric::{Kind, Metric, PREFIX};
use crate::number;

/// Returns true if `line` matches `pattern`.
///
/// The verb and the positional words must agree one by one. The line must have each `key=value` field
/// of the pattern, with the `p.` fields in the same order. It may have other fields. The words of a
/// metric, declared or not (`v.`), may be in any order, and a default kind may be omitted.
///
/// The pattern may contain placeholders. `{int}`, `{float}` and `{any}` match one word or one value.
/// `{counters}` matches `counters` words, each of which is a counter or `-`.
#[must_use]
pub fn matches(pattern: &str, line: &str, counters: usize) -> bool {
    let (wanted_words, wanted_fields) = parts(pattern);
    let (words, fields) = parts(line);
    let kind = if words.first() == Some(&"derny") { Kind::Total } else { Kind::Level };
    words_match(&wanted_words, &words, counters) && fields_match(&wanted_fields, &fields, kind)
}

type Parts<'a> = (Vec<&'a str>, Vec<(&'a str, &'a str)>);

fn parts(line: &str) -> Parts<'_> {
    let (mut words, mut fields) = (Vec::new(), Vec::new());
    for word in line.split(' ') {
        match word.split_once('=') {
            Some(field) => fields.push(field),
            None => words.push(word),
        }
    }
    (words, fields)
}

fn words_match(wanted: &[&str], words: &[&str], counters: usize) -> bool {
    let mut words = words.iter().copied();
    for pattern in wanted {
        let count = if *pattern == "{counters}" { counters } else { 1 };
        for _ in 0..count {
            match words.next() {
                Some(word) if word_matches(pattern, word) => {}
                _ => return false,
            }
        }
    }
    words.next().is_none()
}

fn fields_match(wanted: &[(&str, &str)], fields: &[(&str, &str)], kind: Kind) -> bool {
    let all_there = wanted.iter().all(|(key, pattern)| {
        let value = fields.iter().find(|(name, _)| name == key || is_same_report(key, name));
        value.is_some_and(|(_, value)| match *key {
            "metrics" => metrics_match(pattern, value, kind),
            _ => word_matches(pattern, value),
        })
    });
    let params = |fields: &[(&str, &str)]| {
        let keys = fields.iter().map(|(key, _)| *key).filter(|key| key.starts_with("p."));
        keys.map(str::to_owned).collect::<Vec<_>>()
    };
    // Parameters identify a case, so they must be the same, in the same order.
    all_there && params(wanted) == params(fields)
}

/// Returns true if two keys name the same undeclared value.
fn is_same_report(wanted: &str, key: &str) -> bool {
    let parse = |key: &str| Metric::parse(key.strip_prefix(PREFIX)?, Kind::Level).ok();
    parse(wanted).is_some_and(|wanted| parse(key) == Some(wanted))
}

fn metrics_match(pattern: &str, items: &str, kind: Kind) -> bool {
    let parse =
        |items: &str| items.split(',').map(|item| Metric::parse(item, kind)).collect::<Result<Vec<_>, _>>();
    parse(pattern).is_ok_and(|wanted| parse(items).is_ok_and(|items| items == wanted))
}

fn word_matches(pattern: &str, word: &str) -> bool {
    match pattern {
        "{any}" => !word.is_empty(),
        "{int}" => number::integer(word.as_bytes()).is_some(),
        "{float}" => number::float(word).is_some(),
        "{counters}" => word == "-" || number::float(word).is_some(),
        // Compare decoded values, because a harness may encode more than necessary.
        _ => unescape(pattern).is_ok_and(|pattern| unescape(word).is_ok_and(|word| word == pattern)),
    }
}
