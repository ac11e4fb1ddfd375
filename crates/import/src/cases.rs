//! The cases of a file: there may be a million, of which each is its name. What else is declared is there once for those that are
//! alike.

use derny_model::{Case, CaseId, Timing};
use std::collections::HashMap;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::Arc;

/// The harness of imported cases.
pub(crate) const HARNESS: &str = "imported";
/// Declarations among which one is looked for, the newest first.
const ALIKE: usize = 16;

/// What tells a row's case from all others, by what its format says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Own<'a> {
    /// All that the tool itself tells a case by. A row with an equal text is the same case, measured again.
    Named(&'a str),
    /// Nothing: the format does not say of any row that it measures a case again, so that every row is a case of its own.
    Row,
}

/// Cases in order of appearance.
#[derive(Debug, Clone, Default)]
pub struct Cases {
    own: Vec<Known>,
    /// The hash of what tells each from others of its name; 0 where it is a case of its own, and so are those behind the last.
    tells: Vec<u64>,
    /// What cases are beside their names: cases without any.
    declared: Vec<Case>,
    /// Where cases are, by the hash of their names.
    places: HashMap<u32, u32>,
    /// Cases that differ from the one that has their name, by that one.
    numbered: HashMap<u32, Numbered>,
    /// Of what tells cases apart there is a hash alone. It has a key that no file can know.
    keyed: RandomState,
    /// The name that was made last.
    buffer: Vec<u8>,
}

/// Cases of one name.
#[derive(Debug, Clone, Default)]
struct Numbered {
    /// How many there are beside the first.
    count: u32,
    /// The last number that was given.
    last: u32,
    /// Where they are, by the hash of what tells them apart.
    places: HashMap<u64, u32>,
}

/// What a case has of its own.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    /// Suite, benchmark and parameters as JSON, which is also how a store sorts them.
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
    /// How many there are.
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// The case of this number.
    ///
    /// # Panics
    /// There are not so many.
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

    /// What the case of this number is called.
    pub(crate) fn id(&self, number: usize) -> CaseId {
        id(&self.own[number].name)
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = Case> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// With their numbers, in the order of their names.
    pub fn by_name(&self) -> impl Iterator<Item = (u32, Case)> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|number| &self.own[*number as usize].name);
        order.into_iter().map(|number| (number, self.get(number as usize)))
    }

    /// Takes all into another suite. Those that would have one name there are numbered.
    pub fn set_suite(&mut self, suite: &str) {
        self.rename(|case| Some(CaseId { suite: suite.to_owned(), ..case.id.clone() }));
    }

    /// Gives cases other names; without one a case keeps its own. Those that would have one name are numbered.
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

    /// The case that a row measures, which is made where there is none. One whose name another has gets ` #2` behind its benchmark, or the
    /// next number that is free.
    pub(crate) fn of(&mut self, own: Own<'_>, id: CaseId) -> usize {
        let own = match own {
            Own::Named(own) => self.keyed.hash_one(own).max(1),
            Own::Row => 0,
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

    /// The case of this name, or the hash where it would be.
    fn find(&mut self, id: &CaseId) -> (Option<usize>, u32) {
        write_name(&mut self.buffer, id);
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let mut hash = hasher.finish() as u32;
        // Another case may have the same hash: it is then at the next.
        while let Some(place) = self.places.get(&hash) {
            let name = &*self.own[*place as usize].name;
            if name.as_bytes() == self.buffer || id.params.len() > 1 && self.id(*place as usize) == *id {
                return (Some(*place as usize), hash);
            }
            hash = hash.wrapping_add(1);
        }
        (None, hash)
    }

    /// Adds the case of the name that was made last.
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

    /// Which cases bear a number since another has their name, in words; none where there are none.
    pub fn numbered(&self) -> Option<String> {
        // Both are numbers of cases.
        let first = self.numbered.keys().min()?;
        let count: usize = self.numbered.values().map(|numbered| numbered.count as usize).sum();
        let is = if count == 1 { "case has" } else { "cases have" };
        Some(format!(
            "what tells cases of one name apart: {count} {is} a name that another has, the first `{}`; they are numbered in the file's \
             order, and compared by these numbers",
            self.id(*first as usize)
        ))
    }

    /// What is declared of a case beside what it is called and how it is printed.
    pub(crate) fn declared(&self, number: usize) -> &Case {
        &self.declared[self.own[number].declared as usize]
    }

    /// Changes what is declared of a case. Its id is not there meanwhile.
    pub(crate) fn change(&mut self, number: usize, change: impl FnOnce(&mut Case)) {
        let mut case = self.declared(number).clone();
        case.printed = self.own[number].printed.as_deref().map(str::to_owned);
        change(&mut case);
        let printed = case.printed.take();
        if printed.as_deref() != self.own[number].printed.as_deref() {
            // Those of one benchmark follow each other.
            let before = number.checked_sub(1).and_then(|before| self.own[before].printed.clone());
            self.own[number].printed = match before {
                Some(before) if printed.as_deref() == Some(&*before) => Some(before),
                _ => printed.map(Arc::from),
            };
        }
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

    /// The case counts operations.
    pub(crate) fn times_itself(&mut self, number: usize) {
        self.own[number].times_itself = true;
    }
}

/// Adds a parameter that is not the benchmark's own. Where the benchmark has one of that name, `source` is before it.
pub(crate) fn add_param(params: &mut Vec<(String, String)>, source: &str, key: &str, value: String) {
    let is_taken = params.iter().any(|(known, _)| known == key);
    params.push((if is_taken { format!("{source}.{key}") } else { key.to_owned() }, value));
}

fn write_name(buffer: &mut Vec<u8>, CaseId { suite, benchmark, params }: &CaseId) {
    buffer.clear();
    serde_json::to_writer(buffer, &(suite, benchmark, params)).expect("a list takes all bytes");
}

/// What [`write_name`] wrote.
fn id(name: &str) -> CaseId {
    let (suite, benchmark, params) = serde_json::from_str(name).expect("it was written as JSON here");
    CaseId { suite, benchmark, params }
}

/// A text of the size that it has: what one that shrinks leaves behind is lost.
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
        let first = cases.of(Own::Named("b"), id("s", "b", &params));
        assert_eq!(cases.of(Own::Named("a"), id("s", "a", &params)), 1);
        assert_eq!(cases.of(Own::Named("b"), id("s", "b", &params)), first);
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
        // Without regard to the order of parameters.
        assert_eq!(cases.of(Own::Named("x"), id("s", "b", &[("n", "1"), ("m", "2")])), 0);
        assert_eq!(cases.of(Own::Named("y"), id("s", "b", &[("m", "2"), ("n", "1")])), 1);
        assert_eq!(cases.of(Own::Named("x"), id("s", "b", &[("n", "1"), ("m", "2")])), 0);
        assert_eq!(cases.of(Own::Named("y"), id("s", "b", &[("m", "2"), ("n", "1")])), 1);
        assert_eq!(cases.of(Own::Row, id("s", "b", &[("m", "2"), ("n", "1")])), 2);
        assert_eq!(names(&cases), ["s/b n=1 m=2", "s/b #2 m=2 n=1", "s/b #3 m=2 n=1"]);
        let said = cases.numbered().unwrap();
        assert!(said.contains("2 cases have") && said.contains("`s/b n=1 m=2`"), "{said}");
        // A number that is a name already is passed over, and one that becomes it later is no case's.
        let mut cases = Cases::default();
        for name in ["a", "a #2", "a", "a", "a #4", "a #2"] {
            cases.of(Own::Row, id("s", name, &[]));
        }
        assert_eq!(names(&cases), ["s/a", "s/a #2", "s/a #3", "s/a #4", "s/a #4 #2", "s/a #2 #2"]);
        // So it is where suites become one.
        let mut cases = Cases::default();
        for suite in ["s", "t"] {
            let number = cases.of(Own::Named(suite), id(suite, "b", &[]));
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
