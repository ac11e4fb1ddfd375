//! The catalogue: the cases of every source. An index caches them, so that the next lookup starts no process.

use crate::discover::Source;
use crate::discover::asking::{Asked, Asking};
use crate::discover::wire::from_wire;
use crate::discover::{listing, names};
use crate::hash::Fnv;
use derny_model::{Case, Failure};
use std::collections::BTreeMap;

/// A cache for the cases of sources.
pub trait Index {
    /// Returns the cases stored under a key, or `None` if nothing is stored there.
    fn get(&self, key: &str) -> Option<Vec<Case>>;
    /// Stores cases under a key.
    fn put(&self, key: &str, cases: &[Case]);
}

/// An index that stores nothing.
#[derive(Debug)]
pub struct NoIndex;

impl Index for NoIndex {
    fn get(&self, _key: &str) -> Option<Vec<Case>> {
        None
    }
    fn put(&self, _key: &str, _cases: &[Case]) {}
}

/// The cases that can be measured. The source of `cases[i]` is `sources[source_of[i]]`.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The programs that contain the cases.
    pub sources: Vec<Source>,
    /// The cases, in the order of the sources and then of the harness's list.
    pub cases: Vec<Case>,
    /// Index into `sources` for each case.
    pub source_of: Vec<usize>,
    /// All listed cases with the index of their source, including those that are not selected. Partners
    /// are chosen from these cases.
    pub listed: Vec<(Case, usize)>,
    /// The partner that a variant opens instead of a case, with the index of its source. The key
    /// consists of the indices of the case and of the variant.
    pub partners: BTreeMap<(u32, u32), (Case, usize)>,
    /// The options with which the cases were listed.
    pub asked: Asked,
}

/// Lists the cases of every source, or reads them from `index`. A source that cannot be listed adds a
/// failure, and does not affect other sources.
pub fn list(sources: Vec<Source>, asking: Asking<'_>, index: &dyn Index) -> (Catalogue, Vec<Failure>) {
    let keys: Vec<String> = sources.iter().map(|source| key(source, asking)).collect();
    // A cached list is incomplete if a selected parent was not expanded.
    let is_whole = |cases: &Vec<Case>| asking.expands(cases).is_empty();
    let known = |key: &String| index.get(key).filter(is_whole).map(|cases| (cases, Vec::new()));
    let mut answers: Vec<Option<listing::Answered>> = keys.iter().map(|key| known(key).map(Ok)).collect();
    let missing: Vec<usize> = (0..sources.len()).filter(|&i| answers[i].is_none()).collect();
    for (i, answer) in listing::ask_all(&sources, &missing, asking) {
        if let Ok((cases, failures)) = &answer
            && failures.is_empty()
        {
            index.put(&keys[i], cases);
        }
        answers[i] = Some(answer);
    }
    let mut catalogue = Catalogue::default();
    let mut failures = Vec::new();
    for (i, answer) in answers.into_iter().enumerate() {
        match answer {
            Some(Ok((mut cases, below))) => {
                failures.extend(below);
                cases.retain(|case| !case.parent);
                catalogue.source_of.extend(cases.iter().map(|_| i));
                catalogue.cases.extend(cases);
            }
            Some(Err(failure)) => failures.push(*failure),
            None => {}
        }
    }
    catalogue.sources = sources;
    failures.extend(names::tell_apart(&mut catalogue.cases, &mut catalogue.source_of));
    catalogue.asked = asking.asked.clone();
    catalogue.listed = catalogue.cases.iter().cloned().zip(catalogue.source_of.iter().copied()).collect();
    (catalogue, failures)
}

impl Catalogue {
    /// Removes the cases for which `keep` returns false.
    pub fn retain(&mut self, keep: impl Fn(&Case) -> bool) {
        let kept: Vec<bool> = self.cases.iter().map(keep).collect();
        let mut flags = kept.iter();
        self.cases.retain(|_| *flags.next().unwrap_or(&false));
        let mut flags = kept.iter();
        self.source_of.retain(|_| *flags.next().unwrap_or(&false));
    }

    /// Returns the source of a case.
    pub fn source(&self, case: u32) -> &Source {
        &self.sources[self.source_of[case as usize]]
    }

    /// Returns the case that a variant opens to measure `case`, and that case's source. It is either
    /// `case` itself or its partner.
    pub fn opened(&self, case: u32, variant: u32) -> (&Case, &Source) {
        match self.partners.get(&(case, variant)) {
            Some((partner, source)) => (partner, &self.sources[*source]),
            None => (&self.cases[case as usize], self.source(case)),
        }
    }
}

fn key(source: &Source, asking: Asking<'_>) -> String {
    let mut hash = Fnv::new();
    // The name of the SDK's folder contains a hash of its files, so the key changes with them.
    hash.write(env!("CARGO_PKG_VERSION").as_bytes()).write(source.sdk.as_os_str().as_encoded_bytes());
    hash.write(b"cases with keys of global set-up, and with their runner");
    hash.write(source.hash.as_bytes()).write(source.suite.as_bytes()).write(&[u8::from(asking.asked.test)]);
    let words = source.words(asking.variant, 0, &[]);
    words.iter().for_each(|word| _ = hash.write(word.as_bytes()));
    // A rebuilt program may contain different benchmarks, so the key includes the state of its file.
    let directory = source.root_for(asking.variant).join(&source.directory);
    hash.write(&crate::launch::binary::stamp(&words, &directory).to_le_bytes());
    for (name, values) in source.params.iter().chain(&asking.asked.params) {
        hash.write(name.as_bytes());
        values.iter().for_each(|value| _ = hash.write(value.as_bytes()));
    }
    for (name, value) in source.env.iter().chain(&asking.variant.env) {
        hash.write(name.as_bytes()).write(value.as_bytes());
    }
    format!("{:016x}", hash.finish())
}

/// Returns the catalogue of a program that has already listed its cases.
///
/// # Errors
/// Fails if several cases have the same name and the program cannot distinguish them.
pub(crate) fn of_one(source: Source, cases: Vec<derny_protocol::Case>) -> Result<Catalogue, Failure> {
    let cases: Vec<Case> = cases.into_iter().map(|case| from_wire(&source, &source.root, case)).collect();
    let source_of = vec![0; cases.len()];
    let mut catalogue = Catalogue { sources: vec![source], cases, source_of, ..Catalogue::default() };
    if let Some(failure) =
        names::tell_apart(&mut catalogue.cases, &mut catalogue.source_of).into_iter().next()
    {
        return Err(failure);
    }
    catalogue.listed = catalogue.cases.iter().map(|case| (case.clone(), 0)).collect();
    Ok(catalogue)
}
