//! Syntax of lines, and the two streams. Independent of verbs.

use std::env;
use std::ffi::OsString;
use std::fmt::{Display, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};

/// Maximum length of a line in bytes, including the line feed.
const LINE: usize = 65_536;
/// Maximum length of an error's message and of its detail, each in bytes before encoding.
const MESSAGE: usize = 4_096;
const DETAIL: usize = 16_384;

/// Appends `text` in the encoding of keys and values. Encodes commas only in items of lists.
fn encode(text: &str, in_list: bool, to: &mut String) {
    for c in text.chars() {
        match c {
            '%' | ' ' | '=' | '\0'..='\u{1f}' | '\u{7f}' => push_escape(c, to),
            ',' if in_list => push_escape(c, to),
            c => to.push(c),
        }
    }
}

fn push_escape(c: char, to: &mut String) {
    write!(to, "%{:02X}", c as u32).expect("writing to a string cannot fail");
}

fn decode(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    let digit = |byte: Option<u8>| (byte? as char).to_digit(16);
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
                return Err(format!("`{text}` has a % that is not followed by two hexadecimal digits"));
            };
            bytes.push((high * 16 + low) as u8);
        } else if byte < 0x20 || byte == 0x7f || byte == b'=' {
            return Err(format!("`{text}` has a character that must be encoded"));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).map_err(|_| format!("`{text}` decodes to bytes that are not valid UTF-8"))
}

pub struct Line(String);

impl Line {
    pub fn new(verb: &str) -> Line {
        Line(verb.to_owned())
    }

    /// Returns the line `error message=… detail=…`, with both values cut to their maximum lengths.
    pub fn error(message: &str, detail: Option<&str>) -> Line {
        let line = Line::new("error").field("message", cut(message, MESSAGE));
        match detail {
            Some(detail) => line.field("detail", cut(detail, DETAIL)),
            None => line,
        }
    }

    /// Appends a word without a key. It must not need encoding.
    pub fn word(mut self, word: impl Display) -> Line {
        write!(self.0, " {word}").expect("writing to a string cannot fail");
        self
    }

    pub fn field(mut self, key: &str, value: impl Display) -> Line {
        self.0.push(' ');
        encode(key, false, &mut self.0);
        self.0.push('=');
        encode(&value.to_string(), false, &mut self.0);
        self
    }

    /// Appends a list. Omits an empty one.
    pub fn list<T: AsRef<str>>(mut self, key: &str, items: &[T]) -> Line {
        for (i, item) in items.iter().enumerate() {
            match i {
                0 => write!(self.0, " {key}=").expect("writing to a string cannot fail"),
                _ => self.0.push(','),
            }
            encode(item.as_ref(), true, &mut self.0);
        }
        self
    }

    /// Returns the line without its line feed. Fails if it is too long.
    pub fn finish(self) -> Result<String, String> {
        if self.0.len() < LINE {
            return Ok(self.0);
        }
        let begin = cut(&self.0, 100);
        Err(format!("a reply of {} bytes exceeds the maximum length of a line: {begin} …", self.0.len()))
    }
}

/// Returns the longest prefix of `text` of at most `bytes` bytes.
fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

#[derive(Debug, PartialEq)]
pub struct Message {
    verb: String,
    /// Fields with decoded keys. Values are still encoded, because lists must be split first.
    fields: Vec<(String, String)>,
}

impl Message {
    pub fn verb_of(line: &str) -> &str {
        line.split(' ').next().unwrap_or(line)
    }

    pub fn parse(line: &str) -> Result<Message, String> {
        let mut words = line.split(' ');
        let verb = words.next().unwrap_or_default().to_owned();
        let mut fields: Vec<(String, String)> = Vec::new();
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                return Err(format!("{verb}: `{word}` is not of the form key=value"));
            };
            let key = decode(key).map_err(|why| format!("{verb}: {why}"))?;
            decode(value).map_err(|why| format!("{verb}: {why}"))?;
            if fields.iter().any(|(other, _)| *other == key) {
                return Err(format!("{verb}: the key {key} appears twice"));
            }
            fields.push((key, value.to_owned()));
        }
        Ok(Message { verb, fields })
    }

    pub fn get(&self, key: &str) -> Option<String> {
        let (_, value) = self.fields.iter().find(|(name, _)| name == key)?;
        decode(value).ok()
    }

    pub fn needed(&self, key: &str) -> Result<String, String> {
        self.get(key).ok_or_else(|| format!("{}: the key {key} is missing", self.verb))
    }

    pub fn integer(&self, key: &str) -> Result<u64, String> {
        let text = self.needed(key)?;
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { text.parse().ok() } else { None };
        number.ok_or_else(|| format!("{}: {key} must be an integer, not `{text}`", self.verb))
    }

    /// Returns the fields `p.NAME` in order, each with one value.
    pub fn params(&self) -> Vec<(String, String)> {
        let decoded = |(name, value): (String, &str)| Some((name, decode(value).ok()?));
        self.params_encoded().filter_map(decoded).collect()
    }

    /// Returns the fields `p.NAME` in order, each with a list of values.
    pub fn param_lists(&self) -> Vec<(String, Vec<String>)> {
        let items = |value: &str| value.split(',').filter_map(|item| decode(item).ok()).collect();
        self.params_encoded().map(|(name, value)| (name, items(value))).collect()
    }

    fn params_encoded(&self) -> impl Iterator<Item = (String, &str)> + '_ {
        self.fields
            .iter()
            .filter_map(|(key, value)| Some((key.strip_prefix("p.")?.to_owned(), value.as_str())))
    }
}

pub struct Streams {
    commands: BufReader<File>,
    replies: File,
}

impl Streams {
    /// Opens the streams that the environment names. Returns `None` if it names none, because a user started
    /// the program. Removes the variables, and prevents child processes from inheriting the streams.
    pub fn from_env() -> Result<Option<Streams>, String> {
        let names = ["DERNY_REPLIES", "DERNY_COMMANDS"];
        let [replies, commands] = names.map(env::var_os);
        let (replies, commands) = match (replies, commands) {
            (None, None) => return Ok(None),
            (Some(replies), Some(commands)) => (replies, commands),
            (replies, _) => {
                let [set, unset] = if replies.is_some() { names } else { [names[1], names[0]] };
                return Err(format!("{set} is set but {unset} is not"));
            }
        };
        names.iter().for_each(|name| env::remove_var(name));
        let wrong =
            |path: &OsString, why: io::Error| format!("cannot open {}: {why}", path.to_string_lossy());
        // Keep this order. Opening a FIFO blocks until the engine opens its other end.
        let writer = OpenOptions::new().write(true).open(&replies).map_err(|why| wrong(&replies, why))?;
        let reader = File::open(&commands).map_err(|why| wrong(&commands, why))?;
        close_inherited(&[replies, commands]);
        Ok(Some(Streams { commands: BufReader::new(reader), replies: writer }))
    }

    /// Returns the next line without its line feed, or `None` at the end of the stream. Fails if the line is
    /// too long or is not UTF-8.
    pub fn read(&mut self) -> Result<Option<String>, String> {
        let mut bytes = Vec::new();
        let mut limited = (&mut self.commands).take(LINE as u64);
        limited.read_until(b'\n', &mut bytes).map_err(|why| format!("cannot read commands: {why}"))?;
        match bytes.pop() {
            None => return Ok(None),
            Some(b'\n') => {}
            Some(_) if bytes.len() + 1 >= LINE => return Err(format!("a line is longer than {LINE} bytes")),
            // The stream ends within a line if the engine has ended.
            Some(_) => return Ok(None),
        }
        String::from_utf8(bytes).map(Some).map_err(|_| "a line is not valid UTF-8".to_owned())
    }

    pub fn write(&mut self, mut lines: String) -> io::Result<()> {
        lines.push('\n');
        self.replies.write_all(lines.as_bytes())?;
        self.replies.flush()
    }
}

/// Closes inherited descriptors that were reopened as `/dev/fd/N`. Otherwise, programs that the benchmarks
/// start would inherit the engine's pipes.
#[cfg(unix)]
#[allow(unsafe_code)] // Closing a descriptor by its number needs `from_raw_fd`.
fn close_inherited(paths: &[OsString]) {
    use std::os::unix::io::{FromRawFd, OwnedFd};
    let mut numbers: Vec<i32> = Vec::new();
    for path in paths {
        let number: Option<i32> = path.to_str().and_then(|path| path.strip_prefix("/dev/fd/")?.parse().ok());
        numbers.extend(number.filter(|number| *number > 2));
    }
    numbers.dedup();
    for number in numbers {
        // SAFETY: The engine passed this descriptor to this process, and nothing else owns it. The variables
        // that named it are removed, and no code of the benchmarks has run yet.
        drop(unsafe { OwnedFd::from_raw_fd(number) });
    }
}

#[cfg(not(unix))]
fn close_inherited(_paths: &[OsString]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let text = "a b=c%,\n\t\u{7f}é✓";
        let line = Line::new("open").field("benchmark", text).field("p.x y", text).finish().unwrap();
        assert!(!line.contains('\n') && line.matches(' ').count() == 2, "{line}");
        let message = Message::parse(&line).unwrap();
        assert_eq!(message.get("benchmark").as_deref(), Some(text));
        assert_eq!(message.params(), [("x y".to_owned(), text.to_owned())]);
    }

    #[test]
    fn commas_part_lists_but_not_values() {
        let line = Line::new("list").list("tags", &["a,b", "c"]).list::<&str>("env", &[]).finish().unwrap();
        assert_eq!(line, "list tags=a%2Cb,c");
        let message = Message::parse("list p.text=a%20b,50%25,x%2Cy p.empty=").unwrap();
        let lists = message.param_lists();
        assert_eq!(lists[0], ("text".to_owned(), vec!["a b".to_owned(), "50%".to_owned(), "x,y".to_owned()]));
        assert_eq!(lists[1].1, [""]);
    }

    #[test]
    fn malformed_lines_are_errors() {
        for line in [
            "open benchmark",
            "open a=%2",
            "open a=%zz",
            "open a=b=c",
            "open a=1 a=2",
            "open  a=1",
            "open a=%FF",
        ] {
            assert!(Message::parse(line).is_err(), "{line}");
        }
        let message = Message::parse("measure a=-1 b=many c= d=+5 e=99999999999999999999 f=7").unwrap();
        for key in ["a", "b", "c", "d", "e", "missing"] {
            assert!(message.integer(key).is_err(), "{key}");
        }
        assert_eq!(message.integer("f"), Ok(7));
    }

    #[test]
    fn long_errors_are_cut_and_long_lines_refused() {
        let long = "é".repeat(40_000);
        let line = Line::error(&long, Some(&long)).finish().unwrap();
        let message = Message::parse(&line).unwrap();
        assert_eq!(message.get("message").map(|text| text.len()), Some(MESSAGE));
        assert_eq!(message.get("detail").map(|text| text.len()), Some(DETAIL));
        assert!(Line::new("case").field("benchmark", long).finish().is_err());
    }
}
