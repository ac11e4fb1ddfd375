//! Transcripts: the vectors of `protocol/vectors/`, and the `transcript` fences of the specification.
//!
//! Parses transcripts, and matches lines of a harness against them. Does not start harnesses.

mod embedded;
mod matching;

pub use embedded::ALL;
pub use matching::matches;

use std::fmt;

/// A transcript of a conversation, or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// Name of the file, without its extension.
    pub name: String,
    /// Description of the transcript, in one sentence.
    pub title: String,
    /// Capabilities that the harness needs for the transcript: words of `can`, `mode:NAME`, `case:BENCHMARK`.
    pub needs: Vec<String>,
    /// True if an engine would send these commands. A transcript with `engine: never` shows how a
    /// harness answers commands that no engine sends.
    pub engine_sends: bool,
    /// True if printing the parsed lines reproduces the text exactly. Unknown keys and unnecessary
    /// encoding are not reproduced.
    pub canonical: bool,
    /// The lines in order.
    pub steps: Vec<Step>,
}

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `> …`: a line that the engine sends.
    Send(String),
    /// `< …`: a line that the harness must answer.
    Expect(String),
    /// `< ...`: any number of `case` lines that do not match the next expected line.
    Any,
}

/// The reason why a text is not a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorError {
    /// Name of the transcript.
    pub name: String,
    /// Line number, counted from 1.
    pub line: usize,
    /// Description of the problem with the line.
    pub what: &'static str,
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.name, self.line, self.what)
    }
}

impl std::error::Error for VectorError {}

impl Vector {
    /// Parses a transcript: a `#` line with its title, headers in the form `key: value`, and the lines
    /// of the conversation. A line that starts with `//` is a comment.
    ///
    /// # Errors
    /// Fails if a line has an unknown form, if a header follows the first line of the conversation, or
    /// if there are no lines.
    pub fn parse(name: &str, text: &str) -> Result<Self, VectorError> {
        let mut vector = Self {
            name: name.to_owned(),
            title: String::new(),
            needs: Vec::new(),
            engine_sends: true,
            canonical: true,
            steps: Vec::new(),
        };
        let wrong = |line, what| VectorError { name: name.to_owned(), line, what };
        for (index, line) in text.lines().enumerate() {
            let wrong = |what| wrong(index + 1, what);
            if let Some(command) = line.strip_prefix("> ") {
                vector.steps.push(Step::Send(command.to_owned()));
            } else if line == "< ..." {
                vector.steps.push(Step::Any);
            } else if let Some(reply) = line.strip_prefix("< ") {
                vector.steps.push(Step::Expect(reply.to_owned()));
            } else if line.is_empty() || line.starts_with("//") {
            } else if !vector.steps.is_empty() {
                return Err(wrong("only `> ` and `< ` lines may follow the first of them"));
            } else if let Some(title) = line.strip_prefix("# ") {
                vector.title = title.to_owned();
            } else {
                vector.header(line).map_err(wrong)?;
            }
        }
        if vector.steps.is_empty() { Err(wrong(1, "the transcript is empty")) } else { Ok(vector) }
    }

    fn header(&mut self, line: &str) -> Result<(), &'static str> {
        match line.split_once(": ") {
            Some(("needs", words)) => self.needs = words.split(' ').map(str::to_owned).collect(),
            Some(("engine", "never")) => self.engine_sends = false,
            Some(("canonical", "no")) => self.canonical = false,
            _ => return Err("headers are `needs: …`, `engine: never` and `canonical: no`"),
        }
        Ok(())
    }

    /// Returns true if the transcript includes the hello, rather than starting after it.
    #[must_use]
    pub fn greets(&self) -> bool {
        matches!(self.steps.first(), Some(Step::Expect(line)) if line.starts_with("derny "))
    }
}

/// Returns the `transcript` fences of a Markdown text, each with the number of its first line.
#[must_use]
pub fn fences(markdown: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in markdown.lines().enumerate() {
        match &mut open {
            None if line == "```transcript" => open = Some((index + 2, String::new())),
            None => {}
            Some(_) if line == "```" => found.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    found
}
