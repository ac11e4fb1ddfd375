//! Ranks the cases of a group. They differ in only one thing: the benchmark, or a parameter that is not a
//! number.

use derny_estimate::ranking;
use derny_model::{CaseResult, RankedCase, Ranking, RunHeader};
use std::collections::BTreeMap;

/// Returns the groups of a run in the order of their first cases. Returns none for several variants, because
/// such a run compares its variants instead.
pub fn rankings(cases: &[&CaseResult], run: &RunHeader) -> Vec<Ranking> {
    if run.variants.len() > 1 {
        return Vec::new();
    }
    let is_ranked: Vec<usize> = (0..cases.len()).filter(|&at| is_ranked(cases[at])).collect();
    let by_benchmark = grouped(&is_ranked, |at| {
        let id = &cases[at].case.id;
        Some((id.suite.clone(), id.params.clone(), id.benchmark.clone()))
    });
    let word = |at: usize| {
        let id = &cases[at].case.id;
        let mut words = (0..id.params.len()).filter(|&k| id.params[k].1.parse::<f64>().is_err());
        let k = words.next().filter(|_| words.next().is_none())?;
        let mut rest = id.params.clone();
        let (_, value) = rest.remove(k);
        rest.insert(0, (String::new(), id.benchmark.clone()));
        Some((id.suite.clone(), rest, value))
    };
    let by_word = grouped(&is_ranked, word).into_iter().filter(|(_, group)| {
        // Prefer a ranking of benchmarks to one of parameters.
        !by_benchmark
            .iter()
            .any(|(_, other)| other.iter().any(|(at, _)| group.iter().any(|(own, _)| own == at)))
    });
    let groups: Vec<_> = by_benchmark.iter().cloned().chain(by_word).collect();
    let mut rankings: Vec<Ranking> =
        groups.into_iter().map(|group| ranked(cases, group, run.settings.confidence)).collect();
    rankings.sort_by_key(|ranking| ranking.places.iter().map(|place| place.case).min());
    rankings
}

type Params = Vec<(String, String)>;
type Group = ((String, Params), Vec<(usize, String)>);

/// Groups cases by their common parts, in any order of parameters. Drops groups of one case.
fn grouped(cases: &[usize], parts: impl Fn(usize) -> Option<(String, Params, String)>) -> Vec<Group> {
    let mut groups: BTreeMap<(String, Params), Group> = BTreeMap::new();
    for &at in cases {
        if let Some((suite, common, own)) = parts(at) {
            let mut sorted = common.clone();
            sorted.sort_unstable();
            let group = groups.entry((suite.clone(), sorted));
            group.or_insert_with(|| ((suite, common), Vec::new())).1.push((at, own));
        }
    }
    groups.into_values().filter(|(_, group)| group.len() > 1).collect()
}

fn is_ranked(case: &CaseResult) -> bool {
    let [only] = &case.variants[..] else { return false };
    only.time.as_ref().is_some_and(|time| {
        !time.unwarmed && !time.floor.is_some_and(|floor| floor.indistinguishable) && time.typical.value > 0.0
    })
}

fn ranked(cases: &[&CaseResult], ((suite, common), group): Group, confidence: f64) -> Ranking {
    let times: Vec<_> = group
        .iter()
        .filter_map(|(at, _)| cases[*at].variants[0].time.as_ref().map(|time| time.typical))
        .collect();
    let places = ranking::rank(&times, confidence).into_iter().map(|place| RankedCase {
        case: group[place.index].0 as u32,
        name: group[place.index].1.clone(),
        typical: times[place.index].value,
        times: place.times,
        slower: place.slower,
    });
    Ranking { suite, common, places: places.collect() }
}
