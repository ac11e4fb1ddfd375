//! Checks that a name identifies a single body. Cases of benchmarks that share a name must differ in
//! `at`.

use super::job::Checked;
use super::lab::{Behaviour, Lab};
use super::peer::unexpected;
use derny_protocol::{Answer, Case, Command};
use std::collections::BTreeMap;

pub const CASES: &[Behaviour] = &[
    Behaviour {
        name: "names-mean-one-body",
        title: "Cases with the same name and parameters each have an `at`, and none of them opens without it",
        needs: &[],
        tries: 1,
        act: one_body,
    },
    Behaviour {
        name: "twins-are-apart",
        title: "Two benchmarks with the same name open by their `at`, each with its own body",
        needs: &["case:conform/twin"],
        tries: 3,
        act: twins,
    },
];

/// Name of a benchmark, and its parameters in canonical order.
type Name = (String, Vec<(String, String)>);

/// Returns the groups of listed cases that have the same name and parameters.
fn shared(cases: &[Case]) -> Vec<Vec<&Case>> {
    let mut named: BTreeMap<Name, Vec<&Case>> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.error.is_none()) {
        let mut params = case.params.clone();
        params.sort_unstable();
        named.entry((case.benchmark.clone(), params)).or_default().push(case);
    }
    named.into_values().filter(|cases| cases.len() > 1).collect()
}

fn one_body(lab: &Lab<'_>) -> Checked {
    let (mut peer, _) = lab.start()?;
    let listed = peer.list(&[], false)?;
    for cases in shared(&listed) {
        let name = &cases[0].benchmark;
        let mut places: Vec<_> = cases.iter().map(|case| &case.at).collect();
        places.sort_unstable();
        places.dedup();
        if places.len() < cases.len() || places[0].is_none() {
            return Err(format!(
                "{name} is listed {} times with the same parameters, but not each with its own `at`",
                cases.len()
            ));
        }
        let command = Command::Open { benchmark: name.clone(), params: cases[0].params.clone(), at: None };
        match peer.ask(&command)? {
            Answer::Failed { .. } => {}
            Answer::Opened { .. } => {
                return Err(format!(
                    "{name} opens without `at`, although {} benchmarks have that name",
                    cases.len()
                ));
            }
            other => return Err(unexpected("open", &other)),
        }
    }
    peer.quit()
}

/// Durations in µs for which the first and the second body of `conform/twin` wait.
const WAITS: [u64; 2] = [20, 200];

fn twins(lab: &Lab<'_>) -> Checked {
    let mut told = Vec::new();
    let twins = lab.claims.cases.iter().filter(|case| case.benchmark == "conform/twin");
    for case in twins {
        let (mut peer, _) = lab.start()?;
        peer.learn(case);
        let (benchmark, params, at) = (case.benchmark.clone(), case.params.clone(), case.at.clone());
        match peer.ask(&Command::Open { benchmark, params, at })? {
            Answer::Opened { .. } => {}
            other => return Err(unexpected("open", &other)),
        }
        let times = peer.measure(1, 15)?.times.unwrap_or_default();
        told.push(times.into_iter().min().unwrap_or_default() / 1000);
        peer.close()?;
        peer.quit()?;
    }
    let is_between = |us: u64, wait: u64| us >= wait / 2 && us < 5 * wait;
    match told[..] {
        [first, second] if is_between(first, WAITS[0]) && is_between(second, WAITS[1]) => Ok(()),
        [first, second] => Err(format!(
            "the bodies of conform/twin wait for {} and {} µs, and were reported as {first} and {second} µs",
            WAITS[0], WAITS[1]
        )),
        _ => Err(format!("conform/twin is listed {} times instead of twice", told.len())),
    }
}
