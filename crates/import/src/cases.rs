//! The cases of a file: there may be a million, of which each is its name. What else is declared is there once for those that are
//! alike.

use derny_model::{Case, CaseId, Timing};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The harness of imported cases.
pub(crate) const HARNESS: &str = "imported";
/// Declarations among which one is looked for, the newest first.
const ALIKE: usize = 16;

/// Cases in order of appearance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cases {
    own: Vec<Own>,
    /// What cases are beside their names: cases without any.
    declared: Vec<Case>,
    /// Where cases are, by the hash of their names.
    places: HashMap<u32, u32>,
    /// The name that was made last.
    buffer: Vec<u8>,
}

/// What a case has of its own.
#[derive(Debug, Clone, PartialEq)]
struct Own {
    /// Suite, benchmark and parameters as JSON, which is also how a store sorts them.
    name: Box<str>,
    printed: Option<Arc<str>>,
    declared: u32,
    times_itself: bool,
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
        let own = &self.own[number];
        let mut case = self.declared[own.declared as usize].clone();
        case.id = self.id(number);
        case.printed = own.printed.as_deref().map(str::to_owned);
        case.harness = HARNESS.to_owned();
        if own.times_itself {
            case.timing = Timing::SelfTimed;
        }
        case
    }

    /// What the case of this number is called.
    pub(crate) fn id(&self, number: usize) -> CaseId {
        let parts = serde_json::from_str(&self.own[number].name);
        let (suite, benchmark, params) = parts.expect("it was written as JSON here");
        CaseId { suite, benchmark, params }
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

    /// Takes all into another suite.
    pub fn set_suite(&mut self, suite: &str) {
        for number in 0..self.len() {
            let CaseId { benchmark, params, .. } = self.id(number);
            write_name(&mut self.buffer, suite, &benchmark, &params);
            self.own[number].name = text(&self.buffer);
        }
    }

    /// The case of this identity, which is made where there is none.
    pub(crate) fn of(&mut self, suite: &str, benchmark: &str, params: &[(String, String)]) -> usize {
        write_name(&mut self.buffer, suite, benchmark, params);
        let mut hasher = DefaultHasher::new();
        self.buffer.hash(&mut hasher);
        let mut hash = hasher.finish() as u32;
        // Another case may have the same hash: it is then at the next.
        while let Some(place) = self.places.get(&hash) {
            if self.own[*place as usize].name.as_bytes() == self.buffer {
                return *place as usize;
            }
            hash = hash.wrapping_add(1);
        }
        self.places.insert(hash, self.len() as u32);
        if self.declared.is_empty() {
            let id = CaseId { suite: String::new(), benchmark: String::new(), params: Vec::new() };
            self.declared.push(Case::new(id));
        }
        let name = text(&self.buffer);
        self.own.push(Own { name, printed: None, declared: 0, times_itself: false });
        self.len() - 1
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

fn write_name(buffer: &mut Vec<u8>, suite: &str, benchmark: &str, params: &[(String, String)]) {
    buffer.clear();
    serde_json::to_writer(buffer, &(suite, benchmark, params)).expect("a list takes all bytes");
}

/// A text of the size that it has: what one that shrinks leaves behind is lost.
fn text(name: &[u8]) -> Box<str> {
    std::str::from_utf8(name).expect("JSON is text").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_what_was_said_of_it() {
        let mut cases = Cases::default();
        let params = [("n".to_owned(), "\"1\n".to_owned())];
        let first = cases.of("s", "b", &params);
        assert_eq!(cases.of("s", "a", &params), 1);
        assert_eq!(cases.of("s", "b", &params), first);
        for number in [first, 1] {
            cases.change(number, |case| {
                case.group = Some("g".to_owned());
                case.printed = Some("p".to_owned());
            });
        }
        cases.change(1, |case| case.tags.push("t".to_owned()));
        cases.times_itself(first);
        let case = cases.get(first);
        assert_eq!((case.id.benchmark.as_str(), &case.id.params[..]), ("b", &params[..]));
        assert_eq!((case.group.as_deref(), case.printed.as_deref()), (Some("g"), Some("p")));
        assert_eq!((case.timing, case.harness.as_str(), case.tags.len()), (Timing::SelfTimed, HARNESS, 0));
        assert_eq!((cases.get(1).tags, cases.get(1).printed), (vec!["t".to_owned()], Some("p".to_owned())));
        assert_eq!((cases.len(), cases.declared.len()), (2, 3), "what is alike is there once");
        assert_eq!(cases.by_name().map(|(number, _)| number).collect::<Vec<_>>(), [1, 0]);
        cases.set_suite("other");
        assert!(cases.iter().all(|case| case.id.suite == "other"));
    }
}
