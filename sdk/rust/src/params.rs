//! The parameter values of a case.

use std::fmt::Display;
use std::str::FromStr;

/// One value for each parameter of a benchmark, in order of declaration. Values are stored as text, and
/// [`get`](Params::get) parses them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

impl Params {
    pub(crate) fn new(values: Vec<(String, String)>) -> Params {
        Params(values)
    }

    /// Returns the value of `name`, parsed as a number, a `bool`, a `String` or any other type.
    ///
    /// # Panics
    ///
    /// Panics if the benchmark has no such parameter, or if the value cannot be parsed as `T`. A user may
    /// have chosen the value. In a set-up, a filter or a body, such a panic becomes an error of the case and
    /// does not affect other cases.
    #[track_caller]
    pub fn get<T: FromStr>(&self, name: &str) -> T {
        let text = self.text(name);
        match text.parse() {
            Ok(value) => value,
            Err(_) => panic!("the parameter {name} is not of type {}: `{text}`", std::any::type_name::<T>()),
        }
    }

    /// Returns the value of `name` as text.
    ///
    /// # Panics
    ///
    /// Panics if the benchmark has no such parameter.
    #[track_caller]
    pub fn text(&self, name: &str) -> &str {
        match self.iter().find(|(key, _)| *key == name) {
            Some((_, value)) => value,
            None => panic!("there is no parameter {name}"),
        }
    }

    /// Returns an iterator over names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> + '_ {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// A parameter and the values that the benchmark declares for it.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub name: String,
    pub values: Vec<String>,
}

impl Axis {
    pub fn new<T: Display>(name: &str, values: impl IntoIterator<Item = T>) -> Axis {
        Axis { name: name.to_owned(), values: values.into_iter().map(|value| value.to_string()).collect() }
    }
}

/// Returns the Cartesian product of the axes. The first one varies slowest. Values in `given` replace those
/// of an axis.
pub(crate) fn product(axes: &[Axis], given: &[(String, Vec<String>)]) -> Vec<Params> {
    let mut all = vec![Params::default()];
    for axis in axes {
        let values =
            given.iter().find(|(name, _)| *name == axis.name).map_or(&axis.values, |(_, values)| values);
        let extended = |params: &Params| -> Vec<Params> {
            let with = |value: &String| {
                let mut params = params.clone();
                params.0.push((axis.name.clone(), value.clone()));
                params
            };
            values.iter().map(with).collect()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(all: &[Params]) -> Vec<String> {
        all.iter().map(|params| params.iter().map(|(_, value)| value).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn the_first_axis_is_the_outermost_and_given_values_replace() {
        let axes = [Axis::new("n", [1, 2]), Axis::new("kind", ["a", "b"])];
        assert_eq!(shown(&product(&axes, &[])), ["1 a", "1 b", "2 a", "2 b"]);
        let given = [("n".to_owned(), vec!["7".to_owned()]), ("other".to_owned(), vec!["x".to_owned()])];
        assert_eq!(shown(&product(&axes, &given)), ["7 a", "7 b"]);
        assert_eq!(product(&[], &given), [Params::default()]);
    }

    #[test]
    fn values_come_back_as_what_they_are() {
        let params = Params(vec![("n".to_owned(), "7".to_owned()), ("f".to_owned(), "0.5".to_owned())]);
        assert_eq!((params.get::<u32>("n"), params.get::<f64>("f"), params.text("n")), (7, 0.5, "7"));
        for name in ["f", "missing"] {
            assert!(std::panic::catch_unwind(|| params.get::<u32>(name)).is_err());
        }
    }
}
