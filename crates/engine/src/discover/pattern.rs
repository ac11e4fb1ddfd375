//! The selection of cases. All `derny` commands use [`Selector::choose`], so that words mean the same
//! everywhere.
//!
//! The first of these readings of a word that matches a case counts:
//! 1. the full name of one case, as `derny list` prints it;
//! 2. its full name in the suite's own tool: `file::benchmark`, `module.benchmark`, `module/benchmark`;
//! 3. the path of a benchmark file, or of a folder that contains benchmark files;
//! 4. `key=value` of a parameter: all cases with this value (which may be a glob);
//! 5. a full benchmark, suite, `suite/benchmark` or `benchmark key=value`, compared literally;
//! 6. a glob (`*`, `**`, `?`) that matches complete names;
//! 7. a family: the benchmark's name without the `[…]` at its end;
//! 8. complete tokens of a name, which `/`, `.`, `::` and spaces separate;
//! 9. a part of a name.
//!
//! Files, names and parameters narrow each other: a case must match one word of each kind that is used. If
//! there are several words of one kind, a case must match only one of them.

use crate::discover::glob;
use derny_model::{Case, CaseId, Problem, problem};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The words on a command line that select and exclude cases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// Names, files and parameters to select. If empty, all cases are selected.
    pub patterns: Vec<String>,
    /// Words that exclude cases.
    pub excludes: Vec<String>,
    /// Parameters and their admitted values (`-p` of commands that read stored runs).
    pub params: Vec<(String, Vec<String>)>,
}

/// The cases that a [`Selector`] chose.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    cases: HashSet<(CaseId, Option<String>)>,
    /// Number of cases that were available.
    pub of: usize,
    /// Words that match no case, as typed.
    pub unmatched: Vec<String>,
    /// Words that match only parts of names.
    pub parts: Vec<String>,
}

impl Chosen {
    /// Returns true if the case was chosen.
    pub fn has(&self, case: &Case) -> bool {
        self.cases.contains(&(case.id.clone(), case.file.clone()))
    }

    /// Returns the number of chosen cases.
    pub fn count(&self) -> usize {
        self.cases.len()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Name,
    File,
    Parameter(String),
}

impl Selector {
    /// Returns true if the selector selects every case.
    pub fn is_everything(&self) -> bool {
        self.patterns.is_empty() && self.excludes.is_empty() && self.params.is_empty()
    }

    /// Returns the selected cases. `cases` must contain all existing cases, because the meaning of a word
    /// depends on them.
    pub fn choose(&self, cases: &[&Case]) -> Chosen {
        let key = |case: &Case| (case.id.clone(), case.file.clone());
        let all: HashSet<_> = cases.iter().map(|case| key(case)).collect();
        let mut chosen = Chosen { of: all.len(), ..Chosen::default() };
        let mut kept = vec![true; cases.len()];
        let mut groups: BTreeMap<Meaning, Vec<bool>> = BTreeMap::new();
        for pattern in &self.patterns {
            let read = read(pattern, cases);
            if !read.fits.contains(&true) {
                chosen.unmatched.push(pattern.clone());
            } else if read.is_part {
                chosen.parts.push(pattern.clone());
            }
            let group = groups.entry(read.meaning).or_insert_with(|| vec![false; cases.len()]);
            group.iter_mut().zip(&read.fits).for_each(|(any, fits)| *any |= fits);
        }
        for (name, values) in &self.params {
            let group = values.iter().map(|value| with_value(name, value, cases));
            let group = group.reduce(|a, b| a.iter().zip(b).map(|(a, b)| *a || b).collect());
            let group = group.unwrap_or_default();
            if !group.contains(&true) {
                chosen.unmatched.push(format!("{name}={}", values.join("|")));
            }
            kept.iter_mut().zip(group).for_each(|(kept, fits)| *kept &= fits);
        }
        for group in groups.values() {
            kept.iter_mut().zip(group).for_each(|(kept, fits)| *kept &= fits);
        }
        for pattern in &self.excludes {
            kept.iter_mut().zip(read(pattern, cases).fits).for_each(|(kept, fits)| *kept &= !fits);
        }
        chosen.cases = cases.iter().zip(kept).filter(|(_, kept)| *kept).map(|(case, _)| key(case)).collect();
        chosen
    }

    /// Returns the parents below which there may be selected cases. Only the beginning of those cases'
    /// names is known. A word that begins with the full name of one parent selects nothing below other
    /// parents.
    pub fn may_hold<'a>(&self, cases: &'a [Case]) -> Vec<&'a Case> {
        let (parents, known): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|case| case.parent);
        let found = |word: &str, case: &Case| {
            [case.id.to_string(), case.id.benchmark.clone()].iter().any(|name| {
                name.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ' ']))
            })
        };
        let begins = |word: &str, parent: &Case| {
            [parent.id.to_string(), parent.id.benchmark.clone()].iter().any(|name| {
                word.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ' ']))
            })
        };
        let named = |word: &String| {
            parents.iter().any(|parent| begins(word, parent)) || known.iter().any(|case| found(word, case))
        };
        let (own, others): (Vec<&String>, Vec<&String>) = self.patterns.iter().partition(|word| named(word));
        let others = Selector { patterns: others.into_iter().cloned().collect(), ..Selector::default() };
        let is_open = own.is_empty() || !others.patterns.is_empty();
        let may = |parent: &&Case| {
            own.iter().any(|word| begins(word, parent)) || (is_open && others.admits_below(parent))
        };
        parents.into_iter().filter(may).collect()
    }

    /// Returns true if a case below this parent may be selected. Only the beginning of the case's name
    /// is known.
    pub fn admits_below(&self, parent: &Case) -> bool {
        let names = [parent.id.to_string(), parent.id.benchmark.clone()];
        let may_begin = |pattern: &String| {
            let literal = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
            names.iter().any(|name| name.starts_with(literal) || literal.starts_with(name.as_str()))
        };
        let may_hit = |pattern: &String| !glob::is_glob(pattern) || may_begin(pattern);
        self.patterns.is_empty() || self.patterns.iter().any(may_hit)
    }

    /// Returns true if a file can contain selected cases, judging by the words that are paths. `all`
    /// contains the existing benchmark files. This avoids starting every file of a large tree if only
    /// one folder is selected.
    pub fn admits(&self, root: &Path, all: &[String], file: &str) -> bool {
        let holds = |pattern: &String| all.iter().any(|file| under(pattern, file));
        let is_path = |pattern: &&String| {
            let path = root.join(normal(pattern));
            !glob::is_glob(pattern) && (path.is_file() || (path.exists() && holds(pattern)))
        };
        let place = |pattern: &String| file_of(root, pattern).map_or(pattern.clone(), String::from);
        let places: Vec<String> = self.patterns.iter().map(place).collect();
        let mut paths = places.iter().filter(is_path).peekable();
        paths.peek().is_none() || paths.any(|pattern| under(pattern, file))
    }

    /// Returns true if the words name cases that cannot be in this file: no word is a glob or shares a
    /// part with the file's path. Ignores words that select parameters.
    pub fn is_apart_from(&self, file: &str) -> bool {
        let names: Vec<&String> = self.patterns.iter().filter(|word| parameter(word).is_none()).collect();
        let stem = |part: &str| part.split('.').next().unwrap_or_default().to_owned();
        let parts: Vec<String> = file.split('/').map(stem).collect();
        let may_mean = |word: &&String| {
            let mut tokens = tokens(normal(word));
            glob::is_glob(word) || under(word, file) || tokens.any(|token| parts.contains(&stem(token)))
        };
        !names.is_empty() && !names.iter().any(may_mean)
    }

    /// Returns the selector without the words that match no case but name one of `files`. These files
    /// could not be listed, and their names must not affect other cases. Returns `None` if no word
    /// remains.
    pub fn beside(&self, unmatched: &[String], files: &[&str]) -> Option<Selector> {
        let names = |word: &String| {
            let path = word.split_once("::").map_or(word.as_str(), |(file, _)| file);
            unmatched.contains(word) && files.iter().any(|file| under(path, normal(file)))
        };
        let patterns: Vec<String> = self.patterns.iter().filter(|word| !names(word)).cloned().collect();
        let is_left = !patterns.is_empty() || self.patterns.is_empty();
        is_left.then(|| Selector { patterns, ..self.clone() })
    }

    /// Returns the files that words name explicitly. They are benchmarks even if no convention matches
    /// them.
    pub fn named_files<'a>(&'a self, root: &'a Path) -> impl Iterator<Item = &'a str> {
        self.patterns.iter().filter_map(|pattern| {
            let whole = Some(normal(pattern)).filter(|pattern| root.join(pattern).is_file());
            whole.or_else(|| file_of(root, pattern))
        })
    }
}

/// Returns the file at the start of a name such as `tests/test_a.py::test_x`.
fn file_of<'a>(root: &Path, word: &'a str) -> Option<&'a str> {
    let (file, _) = word.split_once("::")?;
    Some(normal(file)).filter(|file| root.join(file).is_file())
}

/// Returns the value of the parameter `key` in a case.
pub fn value<'a>(case: &'a Case, key: &str) -> Option<&'a str> {
    case.id.params.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Returns true if a value equals the typed one. Ignores quotes, letter case and the notation of numbers:
/// `1e3` equals `1000`.
pub fn is_value(own: &str, typed: &str) -> bool {
    let plain = |text: &str| text.trim().trim_matches(['\'', '"']).to_lowercase();
    let number = |text: &str| plain(text).replace('_', "").parse::<f64>().ok();
    plain(own) == plain(typed) || number(own).is_some_and(|own| number(typed) == Some(own))
}

/// Returns the values that were typed for a parameter. A text that is not the value of any case is a
/// comma-separated list, as in JMH.
pub fn meant<'a>(key: &str, typed: &'a [String], cases: &[&Case]) -> Vec<&'a str> {
    let is_there =
        |text: &str| cases.iter().any(|case| value(case, key).is_some_and(|own| is_value(own, text)));
    let one = |text: &'a String| -> Vec<&'a str> {
        if is_there(text) { vec![text.as_str()] } else { text.split(',').collect() }
    };
    typed.iter().flat_map(one).collect()
}

/// Returns suggestions for an unknown parameter or value: the existing values, or else the existing
/// parameters.
pub fn parameters(key: &str, cases: &[&Case]) -> String {
    let mut known = values_of(key, cases);
    if known.is_empty() {
        for (name, _) in cases.iter().flat_map(|case| &case.id.params) {
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
    }
    if known.is_empty() { "no case has parameters".to_owned() } else { known.join(", ") }
}

/// Returns the error for a selection that is empty, or in which a word matches no case. It contains the
/// word and similar names. `place` describes the cases, such as `of run k3fz`, or is empty.
pub fn refusal(chosen: &Chosen, cases: &[&Case], place: &str) -> Problem {
    let place = if place.is_empty() { String::new() } else { format!(" {place}") };
    if chosen.unmatched.is_empty() {
        return problem!("no case{place} matches all words of the selection");
    }
    let (mut near, mut parameters_there) = (Vec::new(), None);
    for word in &chosen.unmatched {
        let values = parameter(word).map(|(key, _)| values_of(key, cases)).unwrap_or_default();
        if let Some((key, _)) = parameter(word).filter(|_| values.is_empty()) {
            parameters_there.get_or_insert_with(|| parameters(key, cases));
        }
        if values.is_empty() {
            let named = |case: &&Case| format!("{}/{}", case.id.suite, case.id.benchmark);
            let files = cases.iter().filter_map(|case| case.file.clone());
            let names: Vec<String> = cases.iter().map(named).chain(files).collect();
            near.extend(closest(word, names.iter().map(String::as_str)));
        } else {
            near.extend(values);
        }
    }
    let quoted: Vec<String> = chosen.unmatched.iter().map(|word| format!("`{word}`")).collect();
    let near: Vec<String> = near.into_iter().take(6).collect();
    let known = match (near.is_empty(), parameters_there) {
        (true, None) => known(cases),
        (true, Some(names)) => format!("parameters: {names}"),
        (false, None) => near.join(", "),
        (false, Some(names)) => format!("{}\nparameters: {names}", near.join(", ")),
    };
    problem!("no case{place} matches {}", quoted.join(" or ")).known(known)
}

/// Lists the first benchmarks, and the number of others.
fn known(cases: &[&Case]) -> String {
    let mut names: Vec<String> =
        cases.iter().map(|case| format!("{}/{}", case.id.suite, case.id.benchmark)).collect();
    names.dedup();
    let first = names.iter().take(3).cloned().collect::<Vec<String>>().join(", ");
    match names.len().saturating_sub(3) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

fn values_of(key: &str, cases: &[&Case]) -> Vec<String> {
    let mut values = Vec::new();
    for (name, value) in cases.iter().flat_map(|case| &case.id.params) {
        let text = format!("{name}={value}");
        if name == key && !values.contains(&text) {
            values.push(text);
        }
    }
    values
}

/// A word of the selection, with its meaning and the cases that it matches.
struct Read {
    meaning: Meaning,
    fits: Vec<bool>,
    /// True if the word matches only parts of names.
    is_part: bool,
}

fn read(pattern: &str, cases: &[&Case]) -> Read {
    let each = |fits: &dyn Fn(&Case) -> bool| cases.iter().map(|case| fits(case)).collect::<Vec<bool>>();
    let name = |fits: Vec<bool>| Read { meaning: Meaning::Name, fits, is_part: false };
    let word = normal(pattern);
    let exact = each(&|case| case.id.to_string() == pattern);
    if exact.contains(&true) {
        return name(exact);
    }
    let own = each(&|case| own_names(case).iter().any(|own| own == pattern || own == word));
    if own.contains(&true) {
        return name(own);
    }
    let files = each(&|case| case.file.as_deref().is_some_and(|file| under(pattern, file)));
    if files.contains(&true) {
        return Read { meaning: Meaning::File, fits: files, is_part: false };
    }
    if let Some((key, value)) = parameter(pattern)
        && cases.iter().any(|case| case.id.params.iter().any(|(name, _)| name == key))
    {
        let fits = with_value(key, value, cases);
        return Read { meaning: Meaning::Parameter(key.to_owned()), fits, is_part: false };
    }
    let literal = each(&|case| forms(case).iter().any(|form| form == pattern || form == word));
    if literal.contains(&true) {
        return name(literal);
    }
    if glob::is_glob(pattern) {
        let matches = |form: &String| glob::matches(pattern, form);
        return name(each(&|case| forms(case).iter().chain(&own_names(case)).any(matches)));
    }
    let (named, values) = parts(word);
    let has = |case: &Case| values.iter().all(|(key, value)| has_value(case, key, value));
    let whole = each(&|case| forms(case).iter().any(|form| form == named) && has(case));
    if whole.contains(&true) {
        return name(whole);
    }
    let family = each(&|case| families(case).iter().any(|family| family == word));
    if family.contains(&true) {
        return name(family);
    }
    let tokens = each(&|case| has_tokens(case, named) && has(case));
    if tokens.contains(&true) {
        return name(tokens);
    }
    let part = |case: &Case| {
        let module = case.module.as_ref().map(|module| format!("{module}/{}", case.id.name()));
        case.id.to_string().contains(word) || module.is_some_and(|name| name.contains(word))
    };
    Read { is_part: true, ..name(each(&part)) }
}

/// Returns the names that select a case: its own, and those of its benchmark, suite and module.
fn forms(case: &Case) -> Vec<String> {
    let CaseId { suite, benchmark, .. } = &case.id;
    let mut forms = vec![case.id.to_string(), format!("{suite}/{benchmark}"), case.id.name()];
    forms.extend([benchmark.clone(), suite.clone()]);
    if let Some(module) = &case.module {
        forms.extend([
            format!("{module}/{}", case.id.name()),
            format!("{module}/{benchmark}"),
            module.clone(),
        ]);
    }
    forms
}

/// Returns the names, including parameters, that a case has in the suite's own tool.
fn own_names(case: &Case) -> Vec<String> {
    let own = case.id.name();
    let file = case.file.iter().map(|file| format!("{file}::{}", behind_file(case, &own)));
    let module = case.module.iter().flat_map(|module| [format!("{module}.{own}"), format!("{module}/{own}")]);
    // A name such as `mod.Class.time_x(10, 'a')`.
    let CaseId { benchmark, params, .. } = &case.id;
    let values: Vec<&str> = params.iter().map(|(_, value)| value.as_str()).collect();
    let called = (!values.is_empty()).then(|| format!("{benchmark}({})", values.join(", ")));
    file.chain(module).chain(called).chain(case.printed.clone()).collect()
}

/// Removes `FILE::` from the start of a name if the path of the case's file ends with FILE.
fn behind_file<'a>(case: &Case, name: &'a str) -> &'a str {
    let ends = |begin: &str| case.file.as_ref().is_some_and(|file| under_end(file, begin));
    name.split_once("::").filter(|(begin, _)| ends(begin)).map_or(name, |(_, rest)| rest)
}

fn under_end(file: &str, end: &str) -> bool {
    file.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Returns the family names of a case. If the benchmark ends in `[…]`, they are its name without brackets,
/// alone and with the enclosing classes.
fn families(case: &Case) -> Vec<String> {
    let benchmark = &case.id.benchmark;
    let plain = benchmark.find('[').filter(|&at| at > 0 && benchmark.ends_with(']'));
    let plain = plain.map_or(benchmark.as_str(), |at| &benchmark[..at]);
    let behind = behind_file(case, plain);
    let around = behind.match_indices("::").map(|(at, _)| &behind[..at]);
    let mut families = vec![plain.to_string(), format!("{}/{plain}", case.id.suite)];
    for part in around.chain([behind]) {
        families.push(part.to_string());
        families.extend(case.file.as_ref().map(|file| format!("{file}::{part}")));
    }
    families
}

fn parts(word: &str) -> (&str, Vec<(&str, &str)>) {
    let (mut named, mut values) = (word, Vec::new());
    while let Some((before, last)) = named.rsplit_once(' ')
        && let Some(pair) = parameter(last)
    {
        values.push(pair);
        named = before;
    }
    (named, values)
}

/// Returns true if the tokens of `named` occur consecutively in the case's name.
fn has_tokens(case: &Case, named: &str) -> bool {
    let wanted: Vec<&str> = tokens(named).collect();
    let within = |name: &String| {
        let all: Vec<&str> = tokens(name).collect();
        all.windows(wanted.len().max(1)).any(|window| window == wanted)
    };
    let places = [Some(&case.id.suite), case.module.as_ref()].into_iter().flatten();
    let mut names: Vec<String> = places.map(|place| format!("{place}/{}", case.id.name())).collect();
    // A path is not a name, but the part after `::` may be one, as in `test_a.py::test_x`.
    if named.contains("::") {
        names.extend(own_names(case));
        names.extend(families(case));
    }
    !wanted.is_empty() && names.iter().any(within)
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split("::").flat_map(|part| part.split(['/', '.', ' '])).filter(|token| !token.is_empty())
}

fn parameter(word: &str) -> Option<(&str, &str)> {
    word.split_once('=').filter(|(key, _)| !key.is_empty() && !key.contains(['/', ' ', '*', '?']))
}

fn has_value(case: &Case, key: &str, value: &str) -> bool {
    let fits = |own: &str| own == value || (glob::is_glob(value) && glob::matches(value, own));
    case.id.params.iter().any(|(name, own)| name == key && fits(own))
}

fn with_value(key: &str, value: &str, cases: &[&Case]) -> Vec<bool> {
    cases.iter().map(|case| has_value(case, key, value)).collect()
}

/// Removes a leading `./`, a trailing `...` and trailing slashes from a path. `DIR/...` means everything
/// below a folder, and `...` means everything.
pub(super) fn normal(pattern: &str) -> &str {
    let path =
        pattern.strip_suffix("...").filter(|_| is_tree(pattern)).unwrap_or(pattern).trim_end_matches('/');
    match path.strip_prefix("./").unwrap_or(path) {
        "" if is_tree(pattern) => ".",
        path => path,
    }
}

/// Returns true if a word selects everything below a folder.
pub(super) fn is_tree(word: &str) -> bool {
    word == "..." || word.ends_with("/...")
}

pub(super) fn under(pattern: &str, file: &str) -> bool {
    let pattern = normal(pattern);
    pattern == "." || file.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns at most three names similar to a word that matched nothing, the most similar first. Omits a
/// name if too many letters of the word differ from every part of it.
pub fn closest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut ranked: Vec<(usize, usize, &str)> =
        names.map(|name| (edits(word, name), name.chars().count(), name)).collect();
    ranked.sort();
    ranked.dedup_by(|a, b| a.2 == b.2);
    let length = word.chars().count();
    let limit = length.div_ceil(3).min(length.saturating_sub(1) / 2);
    ranked
        .into_iter()
        .filter(|(edits, ..)| *edits <= limit)
        .take(3)
        .map(|(.., name)| name.to_string())
        .collect()
}

/// Returns the number of edits that turn `word` into some part of `name`. An edit changes, removes or
/// inserts a letter, or swaps two neighbours (optimal string alignment).
pub fn edits(word: &str, name: &str) -> usize {
    let (word, name): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
    let mut rows = vec![vec![0; name.len() + 1]];
    for (i, w) in word.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, c) in name.iter().enumerate() {
            let mut edits = (rows[i][j] + usize::from(w != c)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *w == name[j - 1] && word[i - 1] == *c {
                edits = edits.min(rows[i - 1][j - 1] + 1);
            }
            row.push(edits);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.iter().min().copied()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
