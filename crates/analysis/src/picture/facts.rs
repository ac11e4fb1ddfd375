//! Titles, names and facts of charts.

use derny_model::{CaseResult, Document};

pub(super) fn named(document: &Document) -> Vec<(String, &CaseResult)> {
    let cases = document.cases().filter(|case| !case.variants.is_empty());
    let several = document.suites.iter().filter(|suite| suite.cases.iter().any(|c| !c.variants.is_empty()));
    let several = several.count() > 1;
    cases.map(|case| (name(case, several), case)).collect()
}

pub(super) fn name(case: &CaseResult, suite: bool) -> String {
    if suite { case.case.id.to_string() } else { case.case.id.name() }
}

pub(super) fn variants(document: &Document) -> Vec<String> {
    let measured =
        |name: &str| document.cases().any(|case| case.variants.iter().any(|result| result.variant == name));
    let all = document.run.variants.iter().map(|variant| variant.name.clone());
    all.filter(|name| measured(name)).collect()
}

pub(super) fn facts(document: &Document) -> Vec<String> {
    let mut facts = Vec::new();
    let mut suites = document.suites.iter().filter(|s| s.cases.iter().any(|c| !c.variants.is_empty()));
    if let (Some(only), None) = (suites.next(), suites.next()) {
        facts.push(only.suite.clone());
    }
    facts.push(format!("run {}", document.run.id));
    if let Some(commit) = &document.run.commit {
        facts.push(short(&commit.hash, commit.dirty));
    }
    facts.extend(
        document.run.runtimes.iter().map(|runtime| {
            runtime.split_once(' ').map_or(runtime.as_str(), |(_, runtime)| runtime).to_owned()
        }),
    );
    facts
}

pub(super) fn short(hash: &str, dirty: bool) -> String {
    let hash: String = hash.chars().take(7).collect();
    format!("{hash}{}", if dirty { "+" } else { "" })
}

/// Returns true if a linear axis would hide all but the largest values.
pub(super) fn wide(values: impl Iterator<Item = f64>) -> bool {
    let (lo, hi) = values.fold((f64::INFINITY, 0.0f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
    lo > 0.0 && hi.is_finite() && hi / lo >= 20.0
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

pub(super) fn value<'a>(case: &'a CaseResult, key: &str) -> Option<&'a str> {
    case.case.id.params.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}
