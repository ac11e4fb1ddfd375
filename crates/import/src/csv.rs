//! Reads comma-separated values (RFC 4180) with line numbers. Removes whitespace around unquoted fields,
//! because Node's scripts put a space after each comma.

use crate::ReadError;

#[derive(Default)]
pub(crate) struct Row {
    pub line: usize,
    pub fields: Vec<String>,
    /// For each field, true if it was quoted. Some tools quote text but not numbers.
    pub quoted: Vec<bool>,
}

/// Returns all rows that are not empty. Stops after an error: an unterminated quoted field, or text after a
/// closing quote.
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
                return Err(ReadError::at(begin, "a quoted field is unterminated"));
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
            return Err(ReadError::at(self.line, "a quoted field continues after its closing quote"));
        }
        Ok(field)
    }
}

/// Parses a finite number. `name` describes the number in an error.
pub(crate) fn number(line: usize, name: &str, text: &str) -> Result<f64, ReadError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(ReadError::at(line, format!("{name} `{text}` is not a number"))),
    }
}
