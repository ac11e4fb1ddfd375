//! Reads JSON as tools write it, including non-finite numbers, which standard JSON lacks. They may be bare or
//! quoted.

use crate::{Input, ReadError};
use derny_model::param_text;
use serde::Deserialize;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A number that may be NaN or infinite: bare, quoted, or in JMH's spelling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number(pub f64);

impl Number {
    pub(crate) fn finite(self) -> Option<f64> {
        Some(self.0).filter(|value| value.is_finite())
    }

    /// Returns the number if it is a valid time: finite and not negative.
    pub(crate) fn time(self) -> Option<f64> {
        self.finite().filter(|value| *value >= 0.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Number, E> {
                match value.trim_start_matches('+') {
                    "NaN" | "nan" => Ok(Number(f64::NAN)),
                    "Infinity" | "inf" | "INF" => Ok(Number(f64::INFINITY)),
                    "-Infinity" | "-inf" | "-INF" => Ok(Number(f64::NEG_INFINITY)),
                    _ => Err(E::custom(format!("`{value}` is not a number"))),
                }
            }
        }
        deserializer.deserialize_any(Any)
    }
}

pub(crate) fn document<T: DeserializeOwned>(input: &Input<'_>) -> Result<T, ReadError> {
    part(input.bytes)
}

pub(crate) fn part<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(&quoted(bytes)).map_err(|error| wrong(&error))
}

fn wrong(error: &serde_json::Error) -> ReadError {
    let why = error.to_string();
    let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why);
    let what = if error.is_data() { "unexpected content" } else { "not valid JSON" };
    ReadError::at(error.line().max(1), format!("{what}: {why}"))
}

/// Receives the elements of a list. An error stops the reading.
pub(crate) type Take<'a, T> = &'a mut dyn FnMut(T) -> Result<(), ReadError>;

/// Passes the elements of a list to `take` as they are read, so that a large file is never completely in
/// memory. The list is the document, or the value of `key`.
///
/// # Errors
///
/// Fails like [`document`], or with the error of `take`.
pub(crate) fn each<T: DeserializeOwned>(
    input: &Input<'_>,
    key: Option<&'static str>,
    take: Take<'_, T>,
) -> Result<(), ReadError> {
    let mut refused = None;
    walk(input, Elements { key, take, refused: &mut refused, kind: PhantomData })
        .map_err(|why| refused.unwrap_or(why))
}

/// Passes the members of an object to `take`. The object is the document, or the value of `key`.
///
/// # Errors
///
/// Fails like [`each`].
pub(crate) fn members<T: DeserializeOwned>(
    input: &Input<'_>,
    key: Option<&'static str>,
    take: Take<'_, (String, T)>,
) -> Result<(), ReadError> {
    let mut refused = None;
    walk(input, Members { key, take, refused: &mut refused, kind: PhantomData })
        .map_err(|why| refused.unwrap_or(why))
}

/// Passes the elements of all lists in the object `key` to `take`, each with the name of its list.
///
/// # Errors
///
/// Fails like [`each`].
pub(crate) fn each_of<T: DeserializeOwned>(
    input: &Input<'_>,
    key: &'static str,
    take: Take<'_, (String, T)>,
) -> Result<(), ReadError> {
    let mut refused = None;
    walk(input, Lists { key: Some(key), take, refused: &mut refused, kind: PhantomData })
        .map_err(|why| refused.unwrap_or(why))
}

pub(crate) fn walk<'s, S>(input: &Input<'_>, seed: S) -> Result<(), ReadError>
where
    S: for<'de> DeserializeSeed<'de, Value = ()> + 's,
{
    let bytes = input.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input.bytes);
    let bytes = quoted(bytes);
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    seed.deserialize(&mut reader).and_then(|()| reader.end()).map_err(|error| wrong(&error))
}

struct Elements<'a, T> {
    key: Option<&'static str>,
    take: Take<'a, T>,
    refused: &'a mut Option<ReadError>,
    kind: PhantomData<T>,
}

fn give<T, E: Error>(take: Take<'_, T>, refused: &mut Option<ReadError>, element: T) -> Result<(), E> {
    take(element).map_err(|why| {
        *refused = Some(why);
        E::custom("it was refused")
    })
}

fn under<'de, A: MapAccess<'de>>(
    mut object: A,
    wanted: &'static str,
    read: impl FnOnce(&mut A) -> Result<(), A::Error>,
) -> Result<(), A::Error> {
    let mut read = Some(read);
    while let Some(key) = object.next_key::<Cow<'_, str>>()? {
        match read.take_if(|_| key == wanted) {
            Some(read) => read(&mut object)?,
            None => _ = object.next_value::<IgnoredAny>()?,
        }
    }
    if read.is_none() { Ok(()) } else { Err(A::Error::missing_field(wanted)) }
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Elements<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.key.is_some() {
            deserializer.deserialize_map(self)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Elements<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.key.is_some() { "an object" } else { "a list" })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            give(self.take, self.refused, element)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<(), A::Error> {
        let Some(wanted) = self.key else {
            return Err(A::Error::custom("an object instead of a list"));
        };
        under(object, wanted, |object| object.next_value_seed(Elements { key: None, ..self }))
    }
}

struct Members<'a, T> {
    key: Option<&'static str>,
    take: Take<'a, (String, T)>,
    refused: &'a mut Option<ReadError>,
    kind: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Members<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Members<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        if let Some(wanted) = self.key {
            return under(object, wanted, |object| object.next_value_seed(Members { key: None, ..self }));
        }
        while let Some(member) = object.next_entry()? {
            give(self.take, self.refused, member)?;
        }
        Ok(())
    }
}

struct Lists<'a, T> {
    key: Option<&'static str>,
    take: Take<'a, (String, T)>,
    refused: &'a mut Option<ReadError>,
    kind: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Lists<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Lists<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        if let Some(wanted) = self.key {
            return under(object, wanted, |object| object.next_value_seed(Lists { key: None, ..self }));
        }
        let Lists { take, refused, .. } = self;
        while let Some(name) = object.next_key::<String>()? {
            let mut named = |element: T| take((name.clone(), element));
            let list = Elements { key: None, take: &mut named, refused: &mut *refused, kind: PhantomData };
            object.next_value_seed(list)?;
        }
        Ok(())
    }
}

/// Quotes bare `NaN`, `Infinity` and `-Infinity`. Returns other documents unchanged.
fn quoted(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Option<Vec<u8>> = None;
    let (mut at, mut kept, mut within) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if within => at += 1,
            b'"' => within = !within,
            b'N' | b'I' | b'i' | b'n' | b'-' if !within => {
                if let Some(word) = bare(&bytes[at..]) {
                    let out = out.get_or_insert_default();
                    out.extend_from_slice(&bytes[kept..at]);
                    out.push(b'"');
                    out.extend_from_slice(&bytes[at..at + word]);
                    out.push(b'"');
                    at += word;
                    kept = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    match out {
        None => Cow::Borrowed(bytes),
        Some(mut out) => {
            out.extend_from_slice(&bytes[kept.min(bytes.len())..]);
            Cow::Owned(out)
        }
    }
}

/// Returns the length of a word such as `NaN` at the beginning of `bytes`, or `None` if there is none.
fn bare(bytes: &[u8]) -> Option<usize> {
    const WORDS: [&[u8]; 6] = [b"NaN", b"nan", b"Infinity", b"-Infinity", b"inf", b"-inf"];
    let word = WORDS.iter().rev().find(|word| bytes.starts_with(word))?;
    let ends = bytes.get(word.len()).is_none_or(|next| !next.is_ascii_alphanumeric());
    ends.then_some(word.len())
}

pub(crate) fn text(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a parameter's value as text. Quotes a string that would otherwise parse as another type.
pub(crate) fn typed(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| param_text(text).into_owned())
}

/// Returns true if a file begins with the text `with`. Ignores whitespace and the byte order mark.
pub(crate) fn begins(input: &Input<'_>, with: &str) -> bool {
    let mut bare =
        input.head().trim_start_matches('\u{feff}').chars().filter(|letter| !letter.is_whitespace());
    with.chars().all(|letter| bare.next() == Some(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have() {
        let all: Vec<Option<Number>> =
            part(br#"[NaN, -Infinity, Infinity, "NaN", "-INF", "+INF", null, 1, -2.5, nan, -inf]"#).unwrap();
        let all: Vec<String> =
            all.iter().map(|one| one.map_or("none".to_owned(), |one| one.0.to_string())).collect();
        assert_eq!(all, ["NaN", "-inf", "inf", "NaN", "-inf", "inf", "none", "1", "-2.5", "NaN", "-inf"]);
        // Quoted text stays unchanged.
        let texts: Vec<String> = part(br#"["NaN, Infinity", "a\"NaN", "-"]"#).unwrap();
        assert_eq!(texts, ["NaN, Infinity", "a\"NaN", "-"]);
        let error = part::<Vec<Number>>(b"[1,\n2,\n\"x\"]").unwrap_err();
        assert_eq!((error.line, error.reason.contains("`x` is not a number")), (Some(3), true), "{error}");
        assert!(part::<Vec<Number>>(b"[1,").unwrap_err().reason.starts_with("not valid JSON"));
    }

    #[test]
    fn elements_are_handed_out_until_one_is_refused() {
        let read = |text: &str, key| {
            let mut seen = Vec::new();
            let input = Input { bytes: text.as_bytes(), name: "x", parts: &[] };
            let done = each(&input, key, &mut |number: u32| {
                seen.push(number);
                if number == 9 { Err(ReadError::whole("nine")) } else { Ok(()) }
            });
            (seen, done.err().map(|why| why.to_string()))
        };
        assert_eq!(read("[1, 2]", None), (vec![1, 2], None));
        assert_eq!(read("{\"a\": {\"b\": []}, \"b\": [1, 2], \"c\": 1}", Some("b")), (vec![1, 2], None));
        assert_eq!(read("[1, 9, \"x\"]", None), (vec![1, 9], Some("nine".to_owned())));
        let why = |text: &str, key| read(text, key).1.unwrap();
        assert_eq!(why("[1,\n\"x\"]", None).split(':').next(), Some("line 2"));
        assert!(why("{\"a\": 1}", Some("b")).contains("missing field `b`"));
        assert!(why("{}", None).contains("an object instead of a list"));
        assert!(why("[]", Some("b")).contains("expected an object"));
        assert!(why("[1] 2", None).contains("trailing characters"));
        assert!(why("[1", None).contains("not valid JSON"));
    }

    #[test]
    fn members_are_handed_out_in_their_order() {
        let read = |text: &str| {
            let mut seen = Vec::new();
            let input = Input { bytes: text.as_bytes(), name: "x", parts: &[] };
            let done = members(&input, Some("b"), &mut |(name, number): (String, u32)| {
                seen.push(name);
                if number == 9 { Err(ReadError::whole("nine")) } else { Ok(()) }
            });
            (seen.join(" "), done.err().map(|why| why.to_string()))
        };
        assert_eq!(read(r#"{"a": 1, "b": {"z": 1, "y": 2}, "b": {}}"#), ("z y".to_owned(), None));
        assert_eq!(read(r#"{"b": {"z": 9, "y": "x"}}"#), ("z".to_owned(), Some("nine".to_owned())));
        assert!(read(r#"{"b": {"z": "x"}}"#).1.unwrap().contains("unexpected content"));
        assert!(read("{}").1.unwrap().contains("missing field `b`"));
        assert!(read("[]").1.unwrap().contains("expected an object"));
    }
}
