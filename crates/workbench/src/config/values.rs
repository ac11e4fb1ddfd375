//! Raw values of settings with their origins, and their conversion to times, counts and words.

use crate::config::units;
use crate::error::Result;
use derny_engine::discover::pattern::closest;
use derny_model::Problem;
use std::collections::BTreeMap;

/// The origin of a setting's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The setting has its default.
    Default,
    /// A table of a configuration file. Contains the names of the file and of the table.
    File(String),
    /// An environment variable, by name.
    Environment(String),
    /// The command line.
    Flag,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(text) | Origin::Environment(text) => f.write_str(text),
            Origin::Flag => f.write_str("command line"),
        }
    }
}

/// The raw value and the origin of every setting.
pub type Layers = BTreeMap<&'static str, (String, Origin)>;

/// Reads the values of settings by key. Errors name the key and its origin.
#[derive(Clone, Copy)]
pub(super) struct Values<'a>(pub &'a Layers);

impl<'a> Values<'a> {
    /// Returns the value of the setting `name`, as typed.
    pub fn text(self, name: &str) -> &'a str {
        &self.0[name].0
    }

    /// Returns true if nothing sets `name`, so that it has its default.
    pub fn is_unset(self, name: &str) -> bool {
        self.0[name].1 == Origin::Default
    }

    /// Returns a function that turns the reason why the value of `name` is invalid into an error.
    pub fn wrong(self, name: &str) -> impl Fn(String) -> Problem {
        move |why| {
            let (value, origin) = &self.0[name];
            match origin {
                Origin::Flag if ["budget", "total"].contains(&name) => {
                    Problem::new(why).place(format_args!("--{name} {value}"))
                }
                Origin::Flag => Problem::new(why).place(format_args!("--set {name}={value}")),
                origin => Problem::new(why).place(format_args!("`{name}` from {origin}")),
            }
        }
    }

    /// Returns the value of `name` as a duration in ns.
    pub fn time(self, name: &str) -> Result<u64, Problem> {
        let text = self.text(name);
        units::duration_ns(text).map_err(|why| {
            let problem = self.wrong(name)(why);
            match text.parse::<f64>() {
                Ok(number) if number > 0.0 => problem.remedy(format_args!("add a unit, such as {text}s")),
                _ => problem,
            }
        })
    }

    /// Returns the value of `name` as a duration in ns, or `None` for `none` and `auto`.
    pub fn optional_time(self, name: &str) -> Result<Option<u64>, Problem> {
        match self.text(name) {
            "none" | "auto" => Ok(None),
            _ => self.time(name).map(Some),
        }
    }

    /// Returns the value of `name` as a whole number above 0.
    pub fn number(self, name: &str) -> Result<u32, Problem> {
        let text = self.text(name);
        let number = text.parse::<u32>().ok().filter(|number| *number > 0);
        number.ok_or_else(|| self.wrong(name)(format!("`{text}` is not a whole number above 0")))
    }

    /// Returns the value of `name`, which must be one of `words`.
    pub fn one_of(self, name: &str, words: &[&str]) -> Result<&'a str, Problem> {
        let text = self.text(name);
        if words.contains(&text) { Ok(text) } else { Err(self.none_of(name, text, words)) }
    }

    /// Returns the value of `name` as a list, each item of which must be one of `words`.
    pub fn some_of(self, name: &str, words: &[&str]) -> Result<Vec<String>, Problem> {
        let list = self.list(name);
        match list.iter().find(|word| !words.contains(&word.as_str())) {
            Some(unknown) => Err(self.none_of(name, unknown, words)),
            None => Ok(list),
        }
    }

    /// Returns the value of `name` as a list of words. Empty for `none` and `all`.
    pub fn list(self, name: &str) -> Vec<String> {
        match self.text(name) {
            "none" | "all" | "" => Vec::new(),
            items => items.split(',').map(|item| item.trim().to_string()).collect(),
        }
    }

    fn none_of(self, name: &str, word: &str, words: &[&str]) -> Problem {
        let error = self.wrong(name)(format!("`{word}` is not one of {}", words.join(", ")));
        match closest(word, words.iter().copied()).first() {
            Some(near) => error.remedy(format_args!("use `{near}`")),
            None => error,
        }
    }
}
