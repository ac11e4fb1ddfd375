//! Interned words that occur in every case of a run: names of statistics and metrics, units, labels.
//! Each is stored only once.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A word of a vocabulary that does not grow with the number of cases. Text that differs between cases
/// is a `String`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Word(&'static str);

/// All words so far. They are never freed, because there are only as many as metrics, statistics and
/// units.
#[derive(Default)]
struct Known {
    numbers: HashMap<&'static str, u32>,
    words: Vec<&'static str>,
}

static KNOWN: LazyLock<RwLock<Known>> = LazyLock::new(RwLock::default);

impl Word {
    /// Returns the word with this text.
    pub fn new(text: &str) -> Word {
        Word::known(text).map_or_else(|| Word::learnt(text).0, |(word, _)| word)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &'static str {
        self.0
    }

    /// Returns the number of the word in this process.
    pub(crate) fn number(self) -> u32 {
        Word::known(self.0).map_or_else(|| Word::learnt(self.0).1, |(_, number)| number)
    }

    /// Returns the word with a number that [`Word::number`] returned in this process.
    pub(crate) fn numbered(number: u32) -> Option<Word> {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        known.words.get(number as usize).map(|text| Word(text))
    }

    fn known(text: &str) -> Option<(Word, u32)> {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        known.numbers.get_key_value(text).map(|(text, number)| (Word(text), *number))
    }

    fn learnt(text: &str) -> (Word, u32) {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        if let Some((text, number)) = known.numbers.get_key_value(text) {
            return (Word(text), *number);
        }
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        let number = known.words.len() as u32;
        known.words.push(text);
        known.numbers.insert(text, number);
        (Word(text), number)
    }
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        self.0
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        Word::new(text)
    }
}

impl From<&String> for Word {
    fn from(text: &String) -> Word {
        Word::new(text)
    }
}

impl From<String> for Word {
    fn from(text: String) -> Word {
        Word::new(&text)
    }
}

impl From<Word> for String {
    fn from(word: Word) -> String {
        word.0.to_owned()
    }
}

impl PartialEq<str> for Word {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Word {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<String> for Word {
    fn eq(&self, other: &String) -> bool {
        self.0 == other
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(to)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.pad(self.0)
    }
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
        Cow::<str>::deserialize(from).map(|text| Word::new(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_the_same_word() {
        let (one, two) = (Word::new("op/s"), Word::from(String::from("op/s")));
        assert!(std::ptr::eq(one.as_str(), two.as_str()));
        assert_eq!(Word::numbered(one.number()), Some(two));
        assert_ne!(one, Word::new("ns"));
        assert_eq!(serde_json::to_string(&one).unwrap(), "\"op/s\"");
        assert_eq!(serde_json::from_str::<Word>("\"op/s\"").unwrap(), one);
        assert_eq!(Word::default().number(), Word::new("").number());
    }
}
