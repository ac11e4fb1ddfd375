//! `derny compare`: compares variants, runs, baselines or files.

use crate::args::{CompareArgs, Global};
use crate::commands::import;
use crate::{results, session};
use derny_workbench::results::compare::Words;
use derny_workbench::{Outcome, Result};

pub fn compare(global: &Global, args: &CompareArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let verdict = &args.verdict;
    let narrow = (&verdict.narrow).into();
    if args.gate {
        let table = session.project.content.gate.as_ref();
        let baseline = table.and_then(|gate| gate.baseline.clone());
        let words = gated(&args.words, baseline);
        let words = Words { words: &words, narrow: &narrow, whole: true };
        return results::conclude(global, &session, verdict, true, &words);
    }
    let words =
        args.words.iter().map(|word| import::taken(&session, word)).collect::<Result<Vec<String>>>()?;
    let words = Words { words: &words, narrow: &narrow, whole: false };
    results::conclude(global, &session, verdict, false, &words)
}

/// Returns the runs to judge: the named ones, or else the last one. Puts the baseline of `[gate]` before a
/// single run.
fn gated(words: &[String], baseline: Option<String>) -> Vec<String> {
    let last = || vec!["last".to_owned()];
    match words {
        [] => baseline.into_iter().chain(last()).collect(),
        [run] => baseline.into_iter().chain([run.clone()]).collect(),
        several => several.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_has_the_baseline_of_the_file_as_its_base() {
        let of = |words: &[&str], baseline: Option<&str>| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            gated(&words, baseline.map(String::from)).join(" ")
        };
        assert_eq!(of(&[], Some("main")), "main last");
        assert_eq!(of(&[], None), "last");
        assert_eq!(of(&["r2"], Some("main")), "main r2");
        assert_eq!(of(&["old", "new"], Some("main")), "old new");
    }
}
