//! Reads Erlang's external term format, as far as results need it. Skips functions, processes and other
//! runtime objects.

use crate::ReadError;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    Number(f64),
    Atom(String),
    Tuple(Vec<Term>),
    /// A proper list that is empty or contains more than numbers.
    List(Vec<Term>),
    /// A list of numbers. Strings are lists of small integers.
    Numbers(Vec<f64>),
    Binary(Vec<u8>),
    Map(Vec<(Term, Term)>),
    /// An object that only the system that wrote it understands.
    Other,
}

impl Term {
    pub(crate) fn get(&self, key: &str) -> Option<&Term> {
        let Term::Map(pairs) = self else { return None };
        pairs.iter().find(|(own, _)| matches!(own, Term::Atom(name) if name == key)).map(|(_, value)| value)
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Term> {
        let Term::Map(pairs) = self else { return None };
        let one = pairs.iter_mut().find(|(own, _)| matches!(own, Term::Atom(name) if name == key));
        one.map(|(_, value)| std::mem::replace(value, Term::Other))
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Term::Number(value) => Some(*value).filter(|value| value.is_finite()),
            _ => None,
        }
    }

    pub(crate) fn numbers(self) -> Option<Vec<f64>> {
        match self {
            Term::Numbers(all) => Some(all),
            Term::List(all) if all.is_empty() => Some(Vec::new()),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Term::Binary(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            Term::Atom(name) => Some(name.clone()),
            _ => None,
        }
    }
}

/// Maximum nesting depth. Without a limit, a file of a few bytes could exhaust the stack.
const DEEPEST: usize = 64;

/// Reads one term with its version byte.
///
/// # Errors
///
/// Fails if the bytes end early or contain an unsupported term. The error contains its tag.
pub(crate) fn term(bytes: &[u8]) -> Result<Term, ReadError> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.byte()? != 131 {
        return Err(ReadError::whole("not an Erlang term: the first byte is not 131"));
    }
    reader.term(0)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Result<&[u8], ReadError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| ReadError::whole(format!("truncated at byte {}", self.bytes.len())))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, ReadError> {
        Ok(self.take(1)?[0])
    }

    fn count(&mut self, bytes: usize) -> Result<usize, ReadError> {
        Ok(self.take(bytes)?.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    }

    fn several(&mut self, count: usize, depth: usize) -> Result<Vec<Term>, ReadError> {
        let mut terms = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            terms.push(self.term(depth + 1)?);
        }
        Ok(terms)
    }

    fn list(&mut self, count: usize, depth: usize) -> Result<Term, ReadError> {
        let mut numbers = Vec::new();
        for read in 0..count {
            match self.term(depth + 1)? {
                Term::Number(value) => numbers.push(value),
                other => {
                    let mut terms: Vec<Term> = numbers.into_iter().map(Term::Number).collect();
                    terms.push(other);
                    terms.extend(self.several(count - read - 1, depth)?);
                    return Ok(Term::List(terms));
                }
            }
        }
        Ok(if numbers.is_empty() { Term::List(Vec::new()) } else { Term::Numbers(numbers) })
    }

    fn big(&mut self, length: usize) -> Result<f64, ReadError> {
        let negative = self.byte()? != 0;
        let digits = self.take(length)?;
        let size = digits.iter().rev().fold(0.0, |sum, digit| sum * 256.0 + f64::from(*digit));
        Ok(if negative { -size } else { size })
    }

    fn term(&mut self, depth: usize) -> Result<Term, ReadError> {
        if depth > DEEPEST {
            return Err(ReadError::whole(format!("terms are nested more than {DEEPEST} deep")));
        }
        let place = self.at;
        let tag = self.byte()?;
        match tag {
            70 | 97 | 98 | 99 | 110 | 111 => self.number(tag),
            100 | 115 | 118 | 119 => self.atom(tag),
            104..=109 | 116 => self.collection(tag, place, depth),
            77 | 88..=90 | 102 | 103 | 112..=114 | 120 => self.skip(tag, depth),
            80 => Err(ReadError::whole("the term is compressed; write it without `compressed`")),
            _ => Err(ReadError::whole(format!("unexpected term of kind {tag} at byte {place}"))),
        }
    }

    fn number(&mut self, tag: u8) -> Result<Term, ReadError> {
        Ok(Term::Number(match tag {
            70 => {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(self.take(8)?);
                f64::from_be_bytes(bytes)
            }
            97 => f64::from(self.byte()?),
            98 => f64::from(self.count(4)? as u32 as i32),
            99 => {
                let text = self.take(31)?;
                let end = text.iter().position(|byte| *byte == 0).unwrap_or(31);
                let text = String::from_utf8_lossy(&text[..end]).into_owned();
                text.parse().map_err(|_| ReadError::whole(format!("`{text}` is not a float")))?
            }
            _ => {
                let length = self.count(if tag == 110 { 1 } else { 4 })?;
                self.big(length)?
            }
        }))
    }

    fn atom(&mut self, tag: u8) -> Result<Term, ReadError> {
        let length = self.count(if matches!(tag, 100 | 118) { 2 } else { 1 })?;
        Ok(Term::Atom(String::from_utf8_lossy(self.take(length)?).into_owned()))
    }

    fn collection(&mut self, tag: u8, place: usize, depth: usize) -> Result<Term, ReadError> {
        match tag {
            104 | 105 => {
                let count = self.count(if tag == 104 { 1 } else { 4 })?;
                Ok(Term::Tuple(self.several(count, depth)?))
            }
            106 => Ok(Term::List(Vec::new())),
            107 => {
                let length = self.count(2)?;
                let bytes = self.take(length)?;
                Ok(Term::Numbers(bytes.iter().map(|byte| f64::from(*byte)).collect()))
            }
            108 => {
                let count = self.count(4)?;
                let list = self.list(count, depth)?;
                match self.term(depth + 1)? {
                    Term::List(rest) if rest.is_empty() => Ok(list),
                    _ => Err(ReadError::whole(format!("the list at byte {place} has an improper end"))),
                }
            }
            109 => {
                let length = self.count(4)?;
                Ok(Term::Binary(self.take(length)?.to_vec()))
            }
            _ => {
                let count = self.count(4)?;
                let mut pairs = Vec::with_capacity(count.min(1024));
                for _ in 0..count {
                    pairs.push((self.term(depth + 1)?, self.term(depth + 1)?));
                }
                Ok(Term::Map(pairs))
            }
        }
    }

    fn skip(&mut self, tag: u8, depth: usize) -> Result<Term, ReadError> {
        match tag {
            // A bit string, with the number of bits in its last byte.
            77 => {
                let length = self.count(4)?;
                self.take(length.saturating_add(1))?;
            }
            // A function with its code. The size includes itself.
            112 => {
                let size = self.count(4)?;
                self.take(size.saturating_sub(4))?;
            }
            113 => _ = self.several(3, depth)?,
            // A process, port or reference: the name of a node, and numbers.
            _ => {
                let words = if matches!(tag, 90 | 114) { self.count(2)? } else { 0 };
                self.term(depth + 1)?;
                let rest = match tag {
                    88 | 120 => 12,
                    103 => 9,
                    102 => 5,
                    89 => 8,
                    90 => 4 + 4 * words,
                    _ => 1 + 4 * words,
                };
                self.take(rest)?;
            }
        }
        Ok(Term::Other)
    }
}
