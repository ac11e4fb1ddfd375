//! Which cases a user means: a plain word is a substring of `suite/benchmark key=value`, `*` and `**` make it a glob,
//! and the path of an existing file or folder means the benchmarks in it.

use crate::discover::glob;
use derny_model::{Case, CaseId};
use std::path::Path;

/// Patterns to select and to leave out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// Any of these; none means all.
    pub patterns: Vec<String>,
    /// None of these.
    pub excludes: Vec<String>,
}

impl Selector {
    /// Whether a case is meant.
    pub fn selects(&self, case: &Case) -> bool {
        let hit = |pattern: &String| {
            matches_name(pattern, &case.id)
                || matches_file(pattern, case.file.as_deref())
                || case.module.as_deref().is_some_and(|module| matches_module(pattern, module, &case.id))
        };
        (self.patterns.is_empty() || self.patterns.iter().any(hit)) && !self.excludes.iter().any(hit)
    }

    /// Whether a case below this one, of which only the beginning of its name is known, may be meant.
    pub fn admits_below(&self, parent: &Case) -> bool {
        let names = [parent.id.to_string(), parent.id.benchmark.clone()];
        let may_begin = |pattern: &String| {
            let literal = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
            names.iter().any(|name| name.starts_with(literal) || literal.starts_with(name.as_str()))
        };
        let may_hit = |pattern: &String| !glob::is_glob(pattern) || may_begin(pattern);
        self.patterns.is_empty() || self.patterns.iter().any(may_hit)
    }

    /// Whether a file can hold selected cases, as far as the patterns that are paths tell. Saves starting every file of
    /// a large tree for one folder of it.
    pub fn admits(&self, root: &Path, file: &str) -> bool {
        let are_paths =
            !self.patterns.is_empty() && self.patterns.iter().all(|p| !glob::is_glob(p) && is_path(root, p));
        !are_paths || self.patterns.iter().any(|pattern| under(pattern, file))
    }

    /// The files that are named one by one: they are benchmarks whether or not a pattern finds them.
    pub fn named_files<'a>(&'a self, root: &'a Path) -> impl Iterator<Item = &'a str> {
        self.patterns.iter().map(|pattern| normal(pattern)).filter(|pattern| root.join(pattern).is_file())
    }
}

fn normal(pattern: &str) -> &str {
    pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/')
}

fn is_path(root: &Path, pattern: &str) -> bool {
    root.join(normal(pattern)).exists()
}

fn under(pattern: &str, file: &str) -> bool {
    let pattern = normal(pattern);
    pattern == "." || file.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn matches_file(pattern: &str, file: Option<&str>) -> bool {
    file.is_some_and(|file| under(pattern, file))
}

/// Whether a pattern fits the name of a case as it stands in its package, class or module.
fn matches_module(pattern: &str, module: &str, id: &CaseId) -> bool {
    let name = format!("{module}/{}", id.name());
    if glob::is_glob(pattern) { glob::matches(pattern, &name) } else { name.contains(normal(pattern)) }
}

/// Whether a pattern fits the name of a case.
pub fn matches_name(pattern: &str, id: &CaseId) -> bool {
    let name = id.to_string();
    if !glob::is_glob(pattern) {
        return name.contains(normal(pattern));
    }
    let without_parameters = format!("{}/{}", id.suite, id.benchmark);
    [name.as_str(), &without_parameters, &id.name(), &id.benchmark]
        .iter()
        .any(|text| glob::matches(pattern, text))
}

/// The three nearest names to a pattern that matched nothing, nearest first.
pub fn closest<'a>(pattern: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut ranked: Vec<(usize, &str)> = names.map(|name| (distance(pattern, name), name)).collect();
    ranked.sort();
    ranked.dedup_by(|a, b| a.1 == b.1);
    let limit = pattern.chars().count().div_ceil(2);
    ranked.into_iter().filter(|(d, _)| *d <= limit).take(3).map(|(_, name)| name.to_string()).collect()
}

/// Edits that turn `pattern` into some substring of `name`.
fn distance(pattern: &str, name: &str) -> usize {
    let name: Vec<char> = name.chars().collect();
    let mut row = vec![0; name.len() + 1];
    for (i, p) in pattern.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, c) in name.iter().enumerate() {
            let up = row[j + 1];
            row[j + 1] = (diagonal + usize::from(p != *c)).min(up + 1).min(row[j] + 1);
            diagonal = up;
        }
    }
    row.into_iter().min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> CaseId {
        CaseId {
            suite: "string_decoder".into(),
            benchmark: "ascii".into(),
            params: vec![("n".into(), "32".into()), ("kind".into(), "a/b".into())],
        }
    }

    #[test]
    fn what_is_below_a_case_may_be_meant() {
        let parent = Case::new(CaseId { suite: "go".into(), benchmark: "Sort".into(), params: Vec::new() });
        let of = |pattern: &str| {
            let selector = Selector { patterns: vec![pattern.into()], excludes: Vec::new() };
            selector.admits_below(&parent)
        };
        for pattern in ["quick", "Sort/quick", "Sort/*", "go/Sort/q*", "**/quick", "S*"] {
            assert!(of(pattern), "{pattern}");
        }
        assert!(!of("Map/*") && !of("js/*"));
        assert!(Selector::default().admits_below(&parent));
    }

    #[test]
    fn words_are_substrings_and_globs_are_whole() {
        for (pattern, expected) in [
            ("ascii", true),
            ("decoder/asc", true),
            ("n=32", true),
            ("n=33", false),
            ("ascii*", true),
            ("string_decoder/*", true),
            ("string*", false),
            ("**n=32**", true),
            ("utf*", false),
        ] {
            assert_eq!(matches_name(pattern, &id()), expected, "{pattern}");
        }
    }

    #[test]
    fn a_folder_admits_only_the_files_under_it() {
        let root = std::env::temp_dir();
        let folder = root.join("derny-pattern-test");
        std::fs::create_dir_all(&folder).unwrap();
        let selector = Selector { patterns: vec!["./derny-pattern-test/".into()], excludes: vec![] };
        assert!(selector.admits(&root, "derny-pattern-test/x.bench.js"));
        assert!(!selector.admits(&root, "derny-pattern-testing/x.bench.js"));
        let word = Selector { patterns: vec!["no such path".into()], excludes: vec![] };
        assert!(word.admits(&root, "anything.js"));
    }

    #[test]
    fn closest_finds_the_slip() {
        let names = ["string_decoder/ascii", "url/parse"];
        assert_eq!(closest("decodr", names.into_iter()), ["string_decoder/ascii"]);
        assert!(closest("zzzzqqq", names.into_iter()).is_empty());
    }
}
