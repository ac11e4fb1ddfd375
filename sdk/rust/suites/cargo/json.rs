//! A parser for the JSON that Cargo prints.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Option<Json> {
        let mut rest = text.chars().peekable();
        let value = value(&mut rest)?;
        blank(&mut rest);
        rest.next().is_none().then_some(value)
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Map(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self, key: &str) -> &[Json] {
        match self.get(key) {
            Some(Json::List(list)) => list,
            _ => &[],
        }
    }

    pub fn texts(&self, key: &str) -> Vec<String> {
        let text = |item: &Json| match item {
            Json::Text(text) => Some(text.clone()),
            _ => None,
        };
        self.list(key).iter().filter_map(text).collect()
    }
}

type Rest<'a> = Peekable<Chars<'a>>;

fn blank(rest: &mut Rest<'_>) {
    while rest.next_if(|c| c.is_whitespace()).is_some() {}
}

fn value(rest: &mut Rest<'_>) -> Option<Json> {
    blank(rest);
    match *rest.peek()? {
        '{' => items(rest, '}', |rest| {
            blank(rest);
            let key = text(rest)?;
            blank(rest);
            rest.next_if_eq(&':')?;
            Some((key, value(rest)?))
        })
        .map(Json::Map),
        '[' => items(rest, ']', value).map(Json::List),
        '"' => text(rest).map(Json::Text),
        _ => {
            let mut word = String::new();
            while let Some(c) = rest.next_if(|c| !",]} \t\r\n".contains(*c)) {
                word.push(c);
            }
            match word.as_str() {
                "null" => Some(Json::Null),
                "true" => Some(Json::Bool(true)),
                "false" => Some(Json::Bool(false)),
                number => number.parse().ok().map(Json::Number),
            }
        }
    }
}

fn items<T>(
    rest: &mut Rest<'_>,
    end: char,
    mut item: impl FnMut(&mut Rest<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    rest.next();
    let mut all = Vec::new();
    blank(rest);
    if rest.next_if_eq(&end).is_some() {
        return Some(all);
    }
    loop {
        all.push(item(rest)?);
        blank(rest);
        match rest.next()? {
            ',' => {}
            c if c == end => return Some(all),
            _ => return None,
        }
    }
}

fn text(rest: &mut Rest<'_>) -> Option<String> {
    rest.next_if_eq(&'"')?;
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'u' => {
                    let unit = unit(rest)?;
                    let is_high = (0xd800..0xdc00).contains(&unit);
                    let code = if is_high {
                        (rest.next()?, rest.next()?);
                        0x10000 + ((unit - 0xd800) << 10) + (self::unit(rest)?.wrapping_sub(0xdc00) & 0x3ff)
                    } else {
                        unit
                    };
                    text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                }
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
}

fn unit(rest: &mut Rest<'_>) -> Option<u32> {
    (0..4).try_fold(0, |code, _| Some(code * 16 + rest.next()?.to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn what_cargo_prints_is_read() {
        let json =
            Json::parse(r#" {"a":[{"b":"x\n\"\u00e9\ud83d\ude00"},[],{}],"c":null,"d":-1.5e3,"e":true} "#)
                .unwrap();
        assert_eq!(json.list("a")[0].text("b"), Some("x\n\"é😀"));
        assert_eq!(json.get("d"), Some(&Json::Number(-1500.0)));
        assert_eq!((json.get("c"), json.get("e")), (Some(&Json::Null), Some(&Json::Bool(true))));
        for wrong in ["", "{", "{\"a\"}", "[1,]", "{} x"] {
            assert_eq!(Json::parse(wrong), None, "{wrong}");
        }
    }
}
