//! Rows of comma-separated values (RFC 4180), each with the line where it begins. Blanks around fields that are not quoted
//! are no part of them: Node's scripts put one after each comma.

use crate::ReadError;

/// A row.
#[derive(Default)]
pub(crate) struct Row {
    /// Where it begins.
    pub line: usize,
    /// Its fields, without their quotes.
    pub fields: Vec<String>,
    /// Which of them are in quotes: some tools write texts so, and no numbers.
    pub quoted: Vec<bool>,
}

/// All rows that are not empty, one after the other. What cannot be read ends them: a quoted field that does not end, or goes on after
/// its closing quote.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Result<Row, ReadError>> {
    let mut reader = Reader { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    let is_row = |row: &[String]| row.len() > 1 || row.iter().any(|field| !field.is_empty());
    std::iter::from_fn(move || {
        while !reader.rest.is_empty() {
            match reader.row() {
                Ok(row) if !is_row(&row.fields) => {}
                Ok(row) => return Some(Ok(row)),
                Err(error) => {
                    reader.rest = "";
                    return Some(Err(error));
                }
            }
        }
        None
    })
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn row(&mut self) -> Result<Row, ReadError> {
        let mut row = Row { line: self.line, ..Row::default() };
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            row.quoted.push(self.rest.starts_with('"'));
            row.fields.push(self.field()?);
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest;
                continue;
            }
            self.rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
            if let Some(rest) = self.rest.strip_prefix('\n') {
                self.rest = rest;
                self.line += 1;
            }
            return Ok(row);
        }
    }

    fn field(&mut self) -> Result<String, ReadError> {
        let Some(quoted) = self.rest.strip_prefix('"') else {
            let end = self.rest.find([',', '\n', '\r']).unwrap_or(self.rest.len());
            let (field, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Ok(field.trim_end().to_owned());
        };
        let begin = self.line;
        self.rest = quoted;
        let mut field = String::new();
        loop {
            let Some(end) = self.rest.find('"') else {
                return Err(ReadError::at(begin, "a quoted field does not end"));
            };
            let (part, rest) = self.rest.split_at(end);
            field.push_str(part);
            self.line += part.matches('\n').count();
            self.rest = &rest[1..];
            match self.rest.strip_prefix('"') {
                Some(rest) => {
                    field.push('"');
                    self.rest = rest;
                }
                None => break,
            }
        }
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        if !(self.rest.is_empty() || self.rest.starts_with([',', '\n', '\r'])) {
            return Err(ReadError::at(self.line, "a quoted field goes on after its closing quote"));
        }
        Ok(field)
    }
}

/// A number in a field.
///
/// # Errors
/// It is none, or not finite.
pub(crate) fn number(line: usize, name: &str, text: &str) -> Result<f64, ReadError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(ReadError::at(line, format!("{name} `{text}` is no number"))),
    }
}
