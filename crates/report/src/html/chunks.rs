//! The data of a page: compressed JSON in separate elements.
//!
//! Neighbouring cases share an element, because keys, names and repeated figures compress well. The script
//! decompresses an element when one of its cases is viewed.

use crate::deflated;
use serde::Serialize;
use std::io::{self, Write};

/// Maximum size of the JSON in one element, in bytes. The browser can decompress this much between two
/// frames.
const ROOM: usize = 1 << 18;

pub(super) struct Chunks {
    name: &'static str,
    starts: Vec<usize>,
    values: usize,
    open: String,
}

impl Chunks {
    pub(super) fn new(name: &'static str) -> Self {
        Chunks { name, starts: Vec::new(), values: 0, open: String::new() }
    }

    /// Adds a value to the current element, and writes the element once it is full.
    pub(super) fn push(&mut self, value: &impl Serialize, to: &mut dyn Write) -> io::Result<()> {
        if self.open.is_empty() {
            self.starts.push(self.values);
        }
        self.open.push(if self.open.is_empty() { '[' } else { ',' });
        self.open.push_str(&deflated::json(value));
        self.values += 1;
        if self.open.len() >= ROOM { self.close(to) } else { Ok(()) }
    }

    fn close(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.open.push(']');
        let id = format!("{}-{}", self.name, self.starts.len() - 1);
        element(to, &id, &self.open)?;
        self.open.clear();
        Ok(())
    }

    pub(super) fn finish(mut self, to: &mut dyn Write) -> io::Result<(&'static str, Vec<usize>)> {
        if !self.open.is_empty() {
            self.close(to)?;
        }
        Ok((self.name, self.starts))
    }
}

/// Writes an element that the browser ignores until the script reads it. It contains a JSON string with
/// compressed JSON in base 64, so that no name in it can become markup.
pub(super) fn element(to: &mut dyn Write, id: &str, json: &str) -> io::Result<()> {
    let text = deflated::letters(json, deflated::SMALL)?;
    writeln!(to, "<script type=\"application/json\" id=\"{id}\">\"{text}\"</script>")
}
