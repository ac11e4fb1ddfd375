//! Parameters in the names of benchmarks. `Hash {file} file by {chunk}` extracts two parameters from `Hash 1
//! KB file by 64 B`. It also matches `Module/Hash 1 KB file by 64 B`, because tools prepend the names of
//! groups and files.

use derny_model::{Case, CaseId};

/// A name with fields in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The template as written, which replaces the name of every matching benchmark.
    text: String,
    /// Literal text before each field, and the name of the field.
    fields: Vec<(String, String)>,
    /// Literal text after the last field.
    end: String,
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Fails if there is no field, if a field has no name or is repeated, if a brace is not closed, or if
    /// no text separates two fields.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or_else(|| "a `{` has no `}`".to_owned())?;
            if name.is_empty() || name.contains(['{', '=']) {
                return Err(format!("`{{{name}}}` has no name or an invalid one"));
            }
            if fields.iter().any(|(_, known)| known == name) {
                return Err(format!("`{{{name}}}` appears twice"));
            }
            if !fields.is_empty() && before.is_empty() {
                return Err(format!("no text separates `{{{name}}}` from the field before it"));
            }
            fields.push((before.to_owned(), name.to_owned()));
            rest = after;
        }
        if fields.is_empty() {
            return Err("the template has no field, such as {size}".to_owned());
        }
        Ok(Template { text: text.to_owned(), fields, end: rest.to_owned() })
    }

    /// Returns the field values of a matching name. Each value is as short as the following text allows.
    fn values<'a>(&self, name: &'a str) -> Option<Vec<&'a str>> {
        let mut rest = name.strip_prefix(self.fields[0].0.as_str())?;
        let mut values = Vec::with_capacity(self.fields.len());
        for index in 1..=self.fields.len() {
            let end = match self.fields.get(index) {
                // A value is never empty, so search from the second character.
                Some((literal, _)) => 1 + rest.get(1..)?.find(literal.as_str())?,
                None => rest.len().checked_sub(self.end.len()).filter(|_| rest.ends_with(&self.end))?,
            };
            let (value, after) = (rest.get(..end)?, rest.get(end..)?);
            if value.is_empty() {
                return None;
            }
            values.push(value);
            rest = after.strip_prefix(self.fields.get(index).map_or(self.end.as_str(), |field| &field.0))?;
        }
        Some(values)
    }

    /// Returns names and values of the fields in a path. The whole path or the part after a `/` must match,
    /// and no value contains a `/`.
    pub fn of_path<'a>(&'a self, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let are_names = |values: &Vec<&str>| values.iter().all(|value| !value.contains('/'));
        let values = beginnings(path).find_map(|at| self.values(&path[at..]).filter(are_names))?;
        Some(self.fields.iter().map(|(_, name)| name.as_str()).zip(values).collect())
    }

    /// Puts the parameters of a matching case before its existing ones. Either the whole name or the part
    /// after a `/` or `::` must match.
    pub fn apply(&self, id: &mut CaseId) {
        if self.group(&id.benchmark).is_some() {
            return;
        }
        let fits = |at: usize| Some((at, self.values(&id.benchmark[at..])?));
        let Some((at, values)) = beginnings(&id.benchmark).find_map(fits) else { return };
        let values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        let named = self.fields.iter().map(|(_, name)| name.clone()).zip(values);
        id.params.splice(0..0, named);
        id.benchmark.replace_range(at.., &self.text);
    }

    /// Returns the cases with the names and parameters that they had before [`apply`](Self::apply).
    pub fn undo(&self, cases: &[Case]) -> Vec<Case> {
        let mut cases = cases.to_vec();
        for case in &mut cases {
            let Some(group) = self.group(&case.id.benchmark).map(str::to_owned) else { continue };
            let values: Vec<String> =
                case.id.params.drain(..self.fields.len()).map(|(_, value)| value).collect();
            let parts =
                self.fields.iter().zip(&values).map(|((before, _), value)| format!("{before}{value}"));
            case.id.benchmark = group + &parts.collect::<String>() + &self.end;
        }
        cases
    }

    /// Returns the part before the template in a name that [`apply`](Self::apply) has rewritten.
    fn group<'a>(&self, name: &'a str) -> Option<&'a str> {
        let group = name.strip_suffix(self.text.as_str())?;
        beginnings(name).any(|at| at == group.len()).then_some(group)
    }
}

/// Returns the positions where a match may begin: 0, and after each `/` and `::`.
fn beginnings(name: &str) -> impl Iterator<Item = usize> {
    let behind = |sign: &'static str| name.match_indices(sign).map(move |(at, _)| at + sign.len());
    let mut all: Vec<usize> = std::iter::once(0).chain(behind("/")).chain(behind("::")).collect();
    all.sort_unstable();
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(template: &str, name: &str) -> (String, Vec<(String, String)>) {
        let mut id = CaseId {
            suite: "s".to_owned(),
            benchmark: name.to_owned(),
            params: vec![("n".into(), "1".into())],
        };
        Template::parse(template).unwrap().apply(&mut id);
        (id.benchmark, id.params)
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_path_has_fields() {
        let template = Template::parse("{host}/{date}_{commit}.txt").unwrap();
        let wanted = [("host", "a"), ("date", "2024-01-02"), ("commit", "0123")];
        for path in ["a/2024-01-02_0123.txt", "/logs/of/a/2024-01-02_0123.txt"] {
            assert_eq!(template.of_path(path).unwrap(), wanted, "{path}");
        }
        assert_eq!(template.of_path("a/2024-01-02.txt"), None);
    }

    #[test]
    fn names_become_parameters() {
        let template = "Hash {file} file by {chunk}";
        let (name, params) = applied(template, "Hash 2^23 file by 64 KB");
        assert_eq!(
            (name.as_str(), params),
            (template, pairs(&[("file", "2^23"), ("chunk", "64 KB"), ("n", "1")]))
        );
        assert_eq!(applied("{n} é items", "12 é items").1[0].1, "12");
        let (name, params) = applied(template, "Some.Bench/Hash 2^23 file by 64 KB");
        assert_eq!(
            (name.as_str(), params[1].1.as_str()),
            ("Some.Bench/Hash {file} file by {chunk}", "64 KB")
        );
        assert_eq!(applied(template, &name).0, name, "what was renamed is not renamed again");
        assert_eq!(
            applied("test[{n}]", "a/b.py::test[7]"),
            ("a/b.py::test[{n}]".into(), pairs(&[("n", "7"), ("n", "1")]))
        );
        assert_eq!(applied("{n} items", "a/12 items").1[0].1, "a/12", "as a whole first");
        assert_eq!(applied("sort {k}", "sort é").1[0].1, "é");
    }

    #[test]
    fn other_names_stay() {
        for name in ["Hash file by 64", "Hash  file by 2", "Hashes 1 file by 2", "Hash 1 file by ", ""] {
            assert_eq!(applied("Hash {file} file by {chunk}", name), (name.to_owned(), pairs(&[("n", "1")])));
        }
        assert_eq!(applied("a{x}b", "a{x}b").0, "a{x}b", "what was renamed is not renamed again");
        assert_eq!(applied("a{x}b", "a{x}b").1, pairs(&[("n", "1")]));
    }

    #[test]
    fn renaming_can_be_undone() {
        let id =
            CaseId { suite: "s".into(), benchmark: "Hash 1 file by 2!".into(), params: pairs(&[("n", "1")]) };
        let template = Template::parse("Hash {file} file by {chunk}!").unwrap();
        let mut renamed = id.clone();
        template.apply(&mut renamed);
        assert_eq!(renamed.params.len(), 3);
        assert_eq!(template.undo(&[Case::new(renamed)])[0].id, id);
        let grouped = CaseId { benchmark: format!("a/{}", id.benchmark), ..id };
        let mut renamed = grouped.clone();
        template.apply(&mut renamed);
        assert_eq!(renamed.benchmark, "a/Hash {file} file by {chunk}!");
        assert_eq!(template.undo(&[Case::new(renamed)])[0].id, grouped);
    }

    #[test]
    fn templates_that_cannot_work_are_refused() {
        for (text, part) in [
            ("plain", "no field"),
            ("{}", "no name"),
            ("{a}{b}", "no text separates"),
            ("{a", "no `}`"),
            ("{a} {a}", "twice"),
        ] {
            assert!(Template::parse(text).unwrap_err().contains(part), "{text}");
        }
    }
}
