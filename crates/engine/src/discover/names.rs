//! Distinguishes cases with the same name. The second and later ones are numbered ` #2`, ` #3`, in the order
//! of the list. Their harness distinguishes them by `at` or by file. If they differ in neither, a harness
//! would open the same body for all of them, so none is measured.

use derny_model::{Case, CaseId, Failure, FailureCode};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Makes names unique. Removes cases that cannot be distinguished, and returns a failure for each of their
/// names.
pub(crate) fn tell_apart(cases: &mut Vec<Case>, source_of: &mut Vec<usize>) -> Vec<Failure> {
    let mut same: HashMap<CaseId, Vec<usize>> = HashMap::new();
    for (i, case) in cases.iter().enumerate() {
        same.entry(case.id.clone()).or_default().push(i);
    }
    let mut taken: HashSet<CaseId> = same.keys().cloned().collect();
    let mut several: Vec<Vec<usize>> = same.into_values().filter(|all| all.len() > 1).collect();
    several.sort_unstable();
    let mut failures = Vec::new();
    let mut lost = HashSet::new();
    for mut all in several {
        let mut places: BTreeMap<(usize, Option<String>), u32> = BTreeMap::new();
        let place = |i: usize| (source_of[i], cases[i].at.clone());
        all.iter().for_each(|i| *places.entry(place(*i)).or_default() += 1);
        let (unknown, known): (Vec<usize>, Vec<usize>) = all.iter().partition(|i| places[&place(**i)] > 1);
        if let Some(first) = unknown.first() {
            failures.push(refused(&cases[*first], unknown.len()));
            lost.extend(unknown);
            all = known;
        }
        for i in all.into_iter().skip(1) {
            number(&mut cases[i], &mut taken);
        }
    }
    if !lost.is_empty() {
        let mut places = 0..;
        cases.retain(|_| places.next().is_some_and(|i| !lost.contains(&i)));
        let mut places = 0..;
        source_of.retain(|_| places.next().is_some_and(|i| !lost.contains(&i)));
    }
    failures
}

fn number(case: &mut Case, taken: &mut HashSet<CaseId>) {
    let called = case.id.benchmark.clone();
    for number in 2.. {
        case.id.benchmark = format!("{called} #{number}");
        if taken.insert(case.id.clone()) {
            break;
        }
    }
    case.called = Some(called);
}

fn refused(case: &Case, count: usize) -> Failure {
    Failure {
        code: FailureCode::DY310,
        what: format!("{count} benchmarks have the same name and cannot be distinguished"),
        case: None,
        variant: None,
        place: [case.id.to_string()].into_iter().chain(case.file.clone()).collect(),
        why: "the harness lists them with the same name, parameters and `at`, so it would run the same one for each"
            .into(),
        remedy: "give each a different name or parameter".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover;
    use crate::discover::catalogue::Catalogue;

    fn case(benchmark: &str, at: Option<&str>) -> Case {
        let params = vec![("n".to_owned(), "1".to_owned())];
        let id = CaseId { suite: "s".into(), benchmark: benchmark.into(), params };
        Case { at: at.map(str::to_owned), ..Case::new(id) }
    }

    fn catalogue(cases: Vec<(Case, usize)>) -> Catalogue {
        let source = discover::command(std::path::Path::new("."), &["x".to_owned()]);
        let (cases, source_of) = cases.into_iter().unzip();
        Catalogue { sources: vec![source.clone(), source], cases, source_of, ..Catalogue::default() }
    }

    fn names(catalogue: &Catalogue) -> Vec<(String, &str)> {
        catalogue.cases.iter().map(|case| (case.id.name(), case.called())).collect()
    }

    #[test]
    fn equal_names_are_numbered_and_opened_by_the_harness_own() {
        let mut all = catalogue(vec![
            (case("a", Some("first")), 0),
            (case("b", None), 0),
            (case("a #2", None), 0),
            (case("a", Some("second")), 0),
            (case("b", None), 1),
        ]);
        assert_eq!(tell_apart(&mut all.cases, &mut all.source_of), []);
        let named =
            [("a n=1", "a"), ("b n=1", "b"), ("a #2 n=1", "a #2"), ("a #3 n=1", "a"), ("b #2 n=1", "b")];
        assert_eq!(names(&all), named.map(|(name, called)| (name.to_owned(), called)));
    }

    #[test]
    fn what_its_harness_cannot_tell_apart_is_a_failure() {
        let mut all = catalogue(vec![
            (case("a", None), 0),
            (case("b", None), 0),
            (case("a", None), 0),
            (case("a", None), 1),
        ]);
        let failures = tell_apart(&mut all.cases, &mut all.source_of);
        assert_eq!(names(&all), [("b n=1".to_owned(), "b"), ("a n=1".to_owned(), "a")]);
        assert_eq!(all.source_of, [0, 1]);
        assert_eq!(failures.len(), 1);
        assert!(failures[0].what.contains("2 benchmarks have the same name"), "{failures:?}");
    }
}
