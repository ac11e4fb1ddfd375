//! Parameters: lists of values, which replace the placeholder `{name}` in a text.

use derny_model::{Problem, problem};

/// Maximum number of values that [`scan`] returns.
const MOST: usize = 100_000;

/// A parameter and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter, as in `{name}`.
    pub name: String,
    /// Values of the parameter, in order.
    pub values: Vec<String>,
}

/// A value for each parameter.
pub type Combination = Vec<(String, String)>;

/// Fills values into a text. Inserted values are not expanded again.
pub fn fill(text: &str, values: &Combination) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let named = values.iter().find(|(name, _)| {
            from[1..].strip_prefix(name.as_str()).is_some_and(|tail| tail.starts_with('}'))
        });
        match named {
            Some((name, value)) => {
                out.push_str(value);
                rest = &from[name.len() + 2..];
            }
            None => {
                out.push('{');
                rest = &from[1..];
            }
        }
    }
    out + rest
}

/// Returns true if a text contains the placeholder of the parameter `name`.
pub fn uses(text: &str, name: &str) -> bool {
    text.contains(&format!("{{{name}}}"))
}

/// Returns all combinations of values, in which the first parameter changes fastest. Without parameters,
/// returns one empty combination.
pub fn combinations(parameters: &[Parameter]) -> Vec<Combination> {
    let start = vec![Combination::new()];
    parameters.iter().fold(start, |all, parameter| {
        let with = |value: &String| {
            let own = (parameter.name.clone(), value.clone());
            all.iter().map(move |one| one.iter().cloned().chain([own.clone()]).collect())
        };
        parameter.values.iter().flat_map(with).collect()
    })
}

/// Returns the items of a comma-separated list. `\,` is a comma, and `\\` a backslash.
pub fn items(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if matches!(chars.peek(), Some(',' | '\\')) => items.extend_last(chars.next()),
            ',' => items.push(String::new()),
            c => items.extend_last(Some(c)),
        }
    }
    items
}

trait ExtendLast {
    fn extend_last(&mut self, c: Option<char>);
}

impl ExtendLast for Vec<String> {
    fn extend_last(&mut self, c: Option<char>) {
        if let Some(last) = self.last_mut() {
            last.extend(c);
        }
    }
}

/// Returns the values from `least` to `most` in steps of `step` (by default 1). The first value has as many
/// decimals as `least`, and the others as many as the more precise of `least` and `step`. The values are
/// exact, never sums of binary fractions.
///
/// # Errors
/// Fails if a text is not a number, if the range is empty, or if the step is not positive. Also fails if a
/// number has decimals but there is no step, or if there are too many values.
pub fn scan(least: &str, most: &str, step: Option<&str>) -> Result<Vec<String>, Problem> {
    let [least, most] = [least, most].map(Decimal::parse);
    let (least, most) = (least?, most?);
    let step = match step {
        Some(text) => Decimal::parse(text)?,
        None if least.decimals == 0 && most.decimals == 0 => Decimal { digits: 1, decimals: 0 },
        None => return Err(Problem::new("numbers with decimals need a step").remedy("use -D 0.1")),
    };
    let decimals = least.decimals.max(most.decimals).max(step.decimals);
    let [from, to, by] = [least, most, step].map(|number| number.scaled(decimals));
    let (from, to, by) = (from?, to?, by?);
    if by <= 0 {
        return Err(Problem::new("the step must be greater than 0"));
    }
    if from > to {
        return Err(Problem::new("the range is empty: its first number is greater than its last"));
    }
    let count = (to - from) / by + 1;
    if count > MOST as i128 {
        return Err(problem!("the range has {count} values; the maximum is {MOST}"));
    }
    let value = |k: i128| {
        let shown = if k == 0 { least.decimals } else { least.decimals.max(step.decimals) };
        Decimal { digits: from + k * by, decimals }.shown(shown)
    };
    Ok((0..count).map(value).collect())
}

/// The number `digits` divided by ten to the power of `decimals`.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    digits: i128,
    decimals: u32,
}

impl Decimal {
    fn parse(text: &str) -> Result<Decimal, Problem> {
        let wrong = || problem!("`{text}` is not a number");
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{fraction}");
        let is_number = fraction.bytes().all(|byte| byte.is_ascii_digit())
            && digits.bytes().any(|byte| byte.is_ascii_digit())
            && digits.len() <= 28;
        let number = if is_number { digits.parse().ok() } else { None };
        Ok(Decimal { digits: number.ok_or_else(wrong)?, decimals: fraction.len() as u32 })
    }

    fn scaled(self, decimals: u32) -> Result<i128, Problem> {
        let factor = 10_i128.checked_pow(decimals - self.decimals);
        factor
            .and_then(|factor| self.digits.checked_mul(factor))
            .ok_or_else(|| Problem::new("a number is too long"))
    }

    /// Formats the number with `shown` decimals, which must not exceed `decimals`. The omitted digits
    /// must be 0.
    fn shown(self, shown: u32) -> String {
        let digits = self.digits / 10_i128.pow(self.decimals - shown);
        let sign = if digits < 0 { "-" } else { "" };
        let text = format!("{:0>width$}", digits.unsigned_abs(), width = shown as usize + 1);
        let (whole, fraction) = text.split_at(text.len() - shown as usize);
        if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, values: &[&str]) -> Parameter {
        Parameter { name: name.into(), values: values.iter().map(|value| (*value).to_owned()).collect() }
    }

    #[test]
    fn values_come_in_once() {
        let values = vec![("a".to_owned(), "{b}".to_owned()), ("b".to_owned(), "2".to_owned())];
        assert_eq!(fill("{a} {b} {c} {{a}} }{", &values), "{b} 2 {c} {{b}} }{");
        assert!(uses("x{a}", "a") && !uses("x{ab}", "a"));
    }

    #[test]
    fn the_first_parameter_changes_fastest() {
        let all = combinations(&[parameter("a", &["1", "2"]), parameter("b", &["x", "y"])]);
        let text: Vec<String> = all.iter().map(|one| fill("{a}{b}", one)).collect();
        assert_eq!(text, ["1x", "2x", "1y", "2y"]);
        assert_eq!(combinations(&[]), [Combination::new()]);
    }

    #[test]
    fn lists_have_commas_only_where_they_are_escaped() {
        assert_eq!(items(r"a,b\,c,\\,d\e,"), ["a", "b,c", r"\", r"d\e", ""]);
    }

    #[test]
    fn scans_are_exact() {
        let of = |least, most, step| scan(least, most, step);
        assert_eq!(of("1", "3", None).unwrap(), ["1", "2", "3"]);
        assert_eq!(of("0", "0.3", Some("0.1")).unwrap(), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(of("-1", "1", Some("1")).unwrap(), ["-1", "0", "1"]);
        assert_eq!(of("-0.5", "0.5", Some(".5")).unwrap(), ["-0.5", "0.0", "0.5"]);
        assert_eq!(of("2", "5", Some("2")).unwrap(), ["2", "4"]);
        assert_eq!(of("1", "2", Some("0.25")).unwrap(), ["1", "1.25", "1.50", "1.75", "2.00"]);
        for (least, most, step) in [
            ("2", "1", None),
            ("1", "2", Some("0")),
            ("a", "2", None),
            ("0.1", "1", None),
            ("0", "1000000", None),
        ] {
            assert!(of(least, most, step).is_err(), "{least} {most} {step:?}");
        }
    }
}
