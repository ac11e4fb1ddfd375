//! The cases of a file. There may be a million, so each stores only its name, and equal declarations are
//! shared.

use derny_model::{Case, CaseId, Timing};
use std::collections::HashMap;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::Arc;

pub(crate) const HARNESS: &str = "imported";
/// Number of recent declarations that are searched for an equal one.
const ALIKE: usize = 16;

#[derive(Debug, Clone, Copy)]
pub(crate) enum CaseIdentity<'a> {
    /// Identifies the case within the tool. Rows with the same text repeat the same case.
    Named(&'a str),
    /// The format never repeats a case, so every row is a separate case.
    Row,
}

/// The cases of a file, in order of appearance.
#[derive(Debug, Clone, Default)]
pub struct Cases {
    own: Vec<Known>,
    /// Hash of each case's identity. 0 for [`CaseIdentity::Row`], and for cases beyond the end of the list.
    tells: Vec<u64>,
    /// Distinct declarations, as cases without names.
    declared: Vec<Case>,
    /// Index of each case, by the hash of its name.
    places: HashMap<u32, u32>,
    /// Numbered cases, by the first case with their name.
    numbered: HashMap<u32, Numbered>,
    /// Hash function with a random key for identities. Only hashes are stored, so the author of a file must
    /// not be able to make two of them collide.
    keyed: RandomState,
    /// Buffer for the name that is looked up, which is reused to avoid allocations.
    buffer: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
struct Numbered {
    count: u32,
    last: u32,
    places: HashMap<u64, u32>,
}

#[derive(Debug, Clone, PartialEq)]
struct Known {
    /// Suite, benchmark and parameters as JSON. A store sorts cases by this text.
    name: Box<str>,
    printed: Option<Arc<str>>,
    declared: u32,
    times_itself: bool,
}

impl PartialEq for Cases {
    fn eq(&self, other: &Cases) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Cases {
    /// Returns the number of cases.
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// Returns true if there are no cases.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns the case at this index.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    pub fn get(&self, number: usize) -> Case {
        self.case(&self.own[number])
    }

    fn case(&self, own: &Known) -> Case {
        let mut case = self.declared[own.declared as usize].clone();
        case.id = id(&own.name);
        case.printed = own.printed.as_deref().map(str::to_owned);
        case.harness = HARNESS.to_owned();
        if own.times_itself {
            case.timing = Timing::SelfTimed;
        }
        case
    }

    /// Returns the identity of the case at this index.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    pub fn id(&self, number: usize) -> CaseId {
        id(&self.own[number].name)
    }

    /// Returns all cases in order.
    pub fn iter(&self) -> impl Iterator<Item = Case> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Returns all cases with their indices, in the order of their names.
    pub fn by_name(&self) -> impl Iterator<Item = (u32, Case)> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|number| &self.own[*number as usize].name);
        order.into_iter().map(|number| (number, self.get(number as usize)))
    }

    /// Moves all cases to another suite. Cases with equal names are then numbered.
    pub fn set_suite(&mut self, suite: &str) {
        self.rename(|case| Some(CaseId { suite: suite.to_owned(), ..case.id.clone() }));
    }

    /// Renames cases. A case for which `name` returns `None` keeps its name. Cases with equal names are then
    /// numbered.
    pub fn rename(&mut self, mut name: impl FnMut(&Case) -> Option<CaseId>) {
        self.places.clear();
        self.numbered.clear();
        self.tells.clear();
        for known in std::mem::take(&mut self.own) {
            let case = self.case(&known);
            let id = name(&case).unwrap_or(case.id);
            let number = self.add(id, 0);
            self.own[number] = Known { name: std::mem::take(&mut self.own[number].name), ..known };
        }
    }

    pub(crate) fn of(&mut self, own: CaseIdentity<'_>, id: CaseId) -> usize {
        let own = match own {
            CaseIdentity::Named(own) => self.keyed.hash_one(own).max(1),
            CaseIdentity::Row => 0,
        };
        self.add(id, own)
    }

    fn add(&mut self, id: CaseId, own: u64) -> usize {
        let (first, hash) = self.find(&id);
        let Some(first) = first else { return self.push(hash, own) };
        if own != 0 && self.tells.get(first) == Some(&own) {
            return first;
        }
        let numbered =
            self.numbered.entry(first as u32).or_insert_with(|| Numbered { last: 1, ..Numbered::default() });
        if let Some(place) = numbered.places.get(&own).filter(|_| own != 0) {
            return *place as usize;
        }
        let mut number = numbered.last;
        let hash = loop {
            number += 1;
            let id = CaseId { benchmark: format!("{} #{number}", id.benchmark), ..id.clone() };
            if let (None, hash) = self.find(&id) {
                break hash;
            }
        };
        let place = self.push(hash, own);
        let numbered = self.numbered.entry(first as u32).or_default();
        (numbered.last, numbered.count) = (number, numbered.count + 1);
        if own != 0 {
            numbered.places.insert(own, place as u32);
        }
        place
    }

    /// Returns the index of the case with this name, and the hash under which it is or can be stored.
    fn find(&mut self, id: &CaseId) -> (Option<usize>, u32) {
        write_name(&mut self.buffer, id);
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let mut hash = hasher.finish() as u32;
        // If another case has the same hash, try the next hash.
        while let Some(place) = self.places.get(&hash) {
            let name = &*self.own[*place as usize].name;
            if name.as_bytes() == self.buffer || id.params.len() > 1 && self.id(*place as usize) == *id {
                return (Some(*place as usize), hash);
            }
            hash = hash.wrapping_add(1);
        }
        (None, hash)
    }

    fn push(&mut self, hash: u32, own: u64) -> usize {
        self.places.insert(hash, self.len() as u32);
        if self.declared.is_empty() {
            let id = CaseId { suite: String::new(), benchmark: String::new(), params: Vec::new() };
            self.declared.push(Case::new(id));
        }
        let name = text(&self.buffer);
        self.own.push(Known { name, printed: None, declared: 0, times_itself: false });
        if own != 0 {
            self.tells.resize(self.len() - 1, 0);
            self.tells.push(own);
        }
        self.len() - 1
    }

    /// Returns a note on cases that were numbered because their names were equal.
    pub fn numbered(&self) -> Option<String> {
        // The keys are indices of cases.
        let first = self.numbered.keys().min()?;
        let count: usize = self.numbered.values().map(|numbered| numbered.count as usize).sum();
        let is = if count == 1 { "case has" } else { "cases have" };
        Some(format!(
            "differences between cases of the same name ({count} {is} the same name as another, such as \
                `{}`; they are numbered in the order of the file and compared by number)",
            self.id(*first as usize)
        ))
    }

    pub(crate) fn declared(&self, number: usize) -> &Case {
        &self.declared[self.own[number].declared as usize]
    }

    pub(crate) fn change(&mut self, number: usize, change: impl FnOnce(&mut Case)) {
        let mut case = self.declared(number).clone();
        case.printed = self.own[number].printed.as_deref().map(str::to_owned);
        change(&mut case);
        let printed = case.printed.take();
        self.print(number, printed.as_deref());
        if case == *self.declared(number) {
            return;
        }
        let first = self.declared.len().saturating_sub(ALIKE);
        let known = self.declared[first..].iter().rposition(|known| *known == case);
        let place = known.map_or(self.declared.len(), |place| first + place);
        if known.is_none() {
            self.declared.push(case);
        }
        self.own[number].declared = place as u32;
    }

    /// Sets the name that the tool prints.
    pub(crate) fn print(&mut self, number: usize, printed: Option<&str>) {
        if printed == self.own[number].printed.as_deref() {
            return;
        }
        // Cases of one benchmark are adjacent, so the text is often that of the previous case.
        let before = number.checked_sub(1).and_then(|before| self.own[before].printed.clone());
        self.own[number].printed = match before {
            Some(before) if printed == Some(&*before) => Some(before),
            _ => printed.map(Arc::from),
        };
    }

    pub(crate) fn times_itself(&mut self, number: usize) {
        self.own[number].times_itself = true;
    }
}

/// Adds a parameter that does not come from the benchmark. If the benchmark has a parameter with the same
/// name, prefixes the new name with `source`.
pub(crate) fn add_param(params: &mut Vec<(String, String)>, source: &str, key: &str, value: String) {
    let is_taken = params.iter().any(|(known, _)| known == key);
    params.push((if is_taken { format!("{source}.{key}") } else { key.to_owned() }, value));
}

fn write_name(buffer: &mut Vec<u8>, CaseId { suite, benchmark, params }: &CaseId) {
    buffer.clear();
    serde_json::to_writer(buffer, &(suite, benchmark, params)).expect("a list takes all bytes");
}

fn id(name: &str) -> CaseId {
    let (suite, benchmark, params) = serde_json::from_str(name).expect("it was written as JSON here");
    CaseId { suite, benchmark, params }
}

/// Allocates exactly the size of the text, because shrinking a larger allocation would waste the rest.
fn text(name: &[u8]) -> Box<str> {
    std::str::from_utf8(name).expect("JSON is text").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(suite: &str, benchmark: &str, params: &[(&str, &str)]) -> CaseId {
        let params = params.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        CaseId { suite: suite.to_owned(), benchmark: benchmark.to_owned(), params }
    }

    #[test]
    fn a_case_is_what_was_said_of_it() {
        let mut cases = Cases::default();
        let params = [("n", "\"1\n")];
        let first = cases.of(CaseIdentity::Named("b"), id("s", "b", &params));
        assert_eq!(cases.of(CaseIdentity::Named("a"), id("s", "a", &params)), 1);
        assert_eq!(cases.of(CaseIdentity::Named("b"), id("s", "b", &params)), first);
        for number in [first, 1] {
            cases.change(number, |case| {
                case.group = Some("g".to_owned());
                case.printed = Some("p".to_owned());
            });
        }
        cases.change(1, |case| case.tags.push("t".to_owned()));
        cases.times_itself(first);
        let case = cases.get(first);
        assert_eq!(case.id, id("s", "b", &params));
        assert_eq!((case.group.as_deref(), case.printed.as_deref()), (Some("g"), Some("p")));
        assert_eq!((case.timing, case.harness.as_str(), case.tags.len()), (Timing::SelfTimed, HARNESS, 0));
        assert_eq!((cases.get(1).tags, cases.get(1).printed), (vec!["t".to_owned()], Some("p".to_owned())));
        assert_eq!((cases.len(), cases.declared.len()), (2, 3), "what is alike is there once");
        assert_eq!(cases.by_name().map(|(number, _)| number).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(cases.numbered(), None);
        cases.set_suite("other");
        assert!(cases.iter().all(|case| case.id.suite == "other" && case.group.is_some()));
    }

    #[test]
    fn what_differs_never_has_one_name() {
        let mut cases = Cases::default();
        let names = |cases: &Cases| cases.iter().map(|case| case.id.to_string()).collect::<Vec<_>>();
        // The order of parameters does not matter.
        assert_eq!(cases.of(CaseIdentity::Named("x"), id("s", "b", &[("n", "1"), ("m", "2")])), 0);
        assert_eq!(cases.of(CaseIdentity::Named("y"), id("s", "b", &[("m", "2"), ("n", "1")])), 1);
        assert_eq!(cases.of(CaseIdentity::Named("x"), id("s", "b", &[("n", "1"), ("m", "2")])), 0);
        assert_eq!(cases.of(CaseIdentity::Named("y"), id("s", "b", &[("m", "2"), ("n", "1")])), 1);
        assert_eq!(cases.of(CaseIdentity::Row, id("s", "b", &[("m", "2"), ("n", "1")])), 2);
        assert_eq!(names(&cases), ["s/b n=1 m=2", "s/b #2 m=2 n=1", "s/b #3 m=2 n=1"]);
        let said = cases.numbered().unwrap();
        assert!(said.contains("2 cases have") && said.contains("`s/b n=1 m=2`"), "{said}");
        // A number is skipped if a case already has the resulting name. A later case whose own name looks
        // numbered is a separate case.
        let mut cases = Cases::default();
        for name in ["a", "a #2", "a", "a", "a #4", "a #2"] {
            cases.of(CaseIdentity::Row, id("s", name, &[]));
        }
        assert_eq!(names(&cases), ["s/a", "s/a #2", "s/a #3", "s/a #4", "s/a #4 #2", "s/a #2 #2"]);
        // Merging suites numbers equal names too.
        let mut cases = Cases::default();
        for suite in ["s", "t"] {
            let number = cases.of(CaseIdentity::Named(suite), id(suite, "b", &[]));
            cases.change(number, |case| case.tags.push(suite.to_owned()));
        }
        cases.set_suite("u");
        let tags: Vec<_> = cases.iter().flat_map(|case| case.tags).collect();
        assert_eq!(
            (names(&cases), tags),
            (vec!["u/b".to_owned(), "u/b #2".to_owned()], vec!["s".to_owned(), "t".to_owned()])
        );
        assert!(cases.numbered().unwrap().contains("1 case has"));
    }
}
