//! The outline of a JSON document: the paths of its keys, in any order because a formatter may have sorted
//! them. Reads the whole file once, keeps only the paths, and validates nothing.

use std::collections::HashSet;

/// Number of elements of a list to examine. The first may lack keys that others have.
const ELEMENTS: usize = 4;
const DEEPEST: usize = 6;
const PATHS: usize = 512;

/// The paths of keys in a document, or in the first document of a file with several. `a.b` is `b` in the
/// object `a`, and `[]` is an element of a list.
#[derive(Debug, Default)]
pub struct Outline {
    paths: HashSet<String>,
}

impl Outline {
    pub(crate) fn of(bytes: &[u8]) -> Outline {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut outline = Outline::default();
        let mut reader = Reader { bytes, at: 0 };
        if matches!(reader.peek(), Some(b'{' | b'[')) {
            let _ = reader.value(String::new(), 0, &mut outline.paths);
        }
        outline
    }

    pub(crate) fn has(&self, paths: &[&str]) -> bool {
        paths.iter().all(|path| self.paths.contains(*path))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The error for a document that ends within a value.
struct Cut;

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn value(&mut self, path: String, depth: usize, paths: &mut HashSet<String>) -> Result<(), Cut> {
        match self.peek().ok_or(Cut)? {
            b'{' if depth < DEEPEST => self.object(&path, depth, paths),
            b'[' if depth < DEEPEST => self.list(&path, depth, paths),
            _ => self.skip(),
        }
    }

    fn object(&mut self, path: &str, depth: usize, paths: &mut HashSet<String>) -> Result<(), Cut> {
        self.at += 1;
        loop {
            match self.peek().ok_or(Cut)? {
                b'}' => break self.at += 1,
                b'"' => {}
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            let begin = self.at + 1;
            self.text()?;
            let key = std::str::from_utf8(&self.bytes[begin..self.at - 1]).unwrap_or_default();
            let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            if self.peek().ok_or(Cut)? == b':' {
                self.at += 1;
            }
            if paths.len() < PATHS {
                paths.insert(path.clone());
                self.value(path, depth + 1, paths)?;
            } else {
                self.skip()?;
            }
        }
        Ok(())
    }

    fn list(&mut self, path: &str, depth: usize, paths: &mut HashSet<String>) -> Result<(), Cut> {
        self.at += 1;
        let mut seen = 0;
        loop {
            match self.peek().ok_or(Cut)? {
                b']' => break self.at += 1,
                b',' => self.at += 1,
                _ if seen < ELEMENTS => {
                    seen += 1;
                    self.value(format!("{path}[]"), depth + 1, paths)?;
                }
                _ => self.skip()?,
            }
        }
        Ok(())
    }

    fn skip(&mut self) -> Result<(), Cut> {
        match self.peek().ok_or(Cut)? {
            b'"' => self.text(),
            b'{' | b'[' => self.skip_nested(),
            _ => {
                let rest = &self.bytes[self.at..];
                let end = rest.iter().position(|byte| b",]}".contains(byte)).ok_or(Cut)?;
                // Skip an unexpected character instead of a value.
                self.at += end.max(1);
                Ok(())
            }
        }
    }

    fn skip_nested(&mut self) -> Result<(), Cut> {
        let mut open = 0_usize;
        loop {
            match self.bytes.get(self.at).ok_or(Cut)? {
                b'"' => {
                    self.text()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open = open.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn text(&mut self) -> Result<(), Cut> {
        self.at += 1;
        loop {
            match self.bytes.get(self.at).ok_or(Cut)? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_in_any_order_and_behind_anything() {
        let long = format!("[{}1]", "{\"x\": \"}]\\\"\"}, ".repeat(1000));
        let text =
            format!("{{\"z\": {long}, \"b\": [NaN, {{\"c\": {{\"d\": 1}}}}, {{\"e\": []}}], \"a\": -1}}");
        let outline = Outline::of(text.as_bytes());
        assert!(outline.has(&["z", "a", "b", "b[].c", "b[].e", "b[].c.d", "z[].x"]), "{outline:?}");
        assert!(!outline.has(&["a", "c"]) && !outline.has(&["x"]));
        assert!(Outline::of(b"[{\"a\": 1}, {\"b\": 2}]").has(&["[].a", "[].b"]));
        assert!(Outline::of(b"\xef\xbb\xbf {\"a\": 1}\n{\"b\": 1}").has(&["a"]));
    }

    #[test]
    fn what_is_no_json_has_few_keys_and_an_end() {
        for text in
            ["", "hello", "{", "[", "{\"a", "{\"a\"", "{\"a\":", "{,}", "[,", "[}", "{]", "{1 2}", "[\"\\"]
        {
            assert!(Outline::of(text.as_bytes()).paths.len() < 2, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(Outline::of(deep.as_bytes()).paths.is_empty());
    }
}
