//! Shortens the names of a table so that different names remain different.

use crate::Style;
use crate::style::{columns, shorten};
use std::collections::HashMap;

/// Shortens names to their widths in columns, by removing the middle. If that makes two names equal, cuts the
/// beginning instead, up to the word in which they differ.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = (&'a str, usize)>, style: &Style) -> Vec<String> {
    let names: Vec<(&str, usize)> = names.collect();
    let mut cut: Vec<String> = names.iter().map(|(name, width)| shorten(name, *width, style)).collect();
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, text) in cut.iter().enumerate().filter(|(at, text)| *text != names[*at].0) {
        alike.entry(text).or_default().push(at);
    }
    let mut again: Vec<(usize, usize)> = Vec::new();
    for group in alike.into_values() {
        again.extend(differences(&names, group));
    }
    for (at, from) in again {
        let (name, width) = names[at];
        let mark = style.ellipsis();
        let room = width.saturating_sub(columns(mark));
        cut[at] = format!("{mark}{}", shorten(&name[from..], room, style));
    }
    cut
}

/// Returns the position of the word in which each name differs from the most similar other name. Equal names
/// need no distinction.
fn differences(names: &[(&str, usize)], mut group: Vec<usize>) -> Vec<(usize, usize)> {
    group.sort_by_key(|at| names[*at].0);
    let shared = |a: &usize, b: &usize| {
        let (a, b) = (names[*a].0, names[*b].0);
        if a == b { 0 } else { common(a, b) }
    };
    let of = |place: usize| {
        let before = place.checked_sub(1).map_or(0, |before| shared(&group[before], &group[place]));
        let after = group.get(place + 1).map_or(0, |after| shared(&group[place], after));
        (group[place], before.max(after))
    };
    (0..group.len()).map(of).filter(|(_, from)| *from > 0).collect()
}

/// Returns the length in bytes of the common prefix. If the prefix contains the end of a word, only whole
/// words count.
fn common(a: &str, b: &str) -> usize {
    let same = a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b);
    let end = same.map_or(a.len().min(b.len()), |((at, _), _)| at);
    let word = a[..end].char_indices().rev().find(|(_, c)| !c.is_alphanumeric());
    word.map_or(end, |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { width: None, ascii: false, colour: false };

    fn cut(names: &[&str]) -> Vec<String> {
        distinct(names.iter().map(|name| (*name, 15)), &PLAIN)
    }

    #[test]
    fn a_name_that_is_cut_keeps_what_distinguishes_it() {
        let names = ["decoder/utf8/large/aligned", "decoder/latin1/large/aligned", "decoder/short"];
        assert_eq!(cut(&names), ["…utf8/la…ligned", "…latin1/…ligned", "decoder/short"]);
        assert_eq!(cut(&names[..1]), ["decoder…aligned"], "alone, it is cut in the middle");
        assert_eq!(cut(&[names[0], names[0]]), ["decoder…aligned"; 2], "these are the same");
    }

    #[test]
    fn a_name_of_one_word_is_cut_where_it_differs() {
        let names = ["averyveryverylongname", "averyverywerylongname"];
        assert_eq!(cut(&names), ["…verylongname", "…werylongname"]);
    }
}
