//! Tests rankings of the cases of a run, and cases without a ranking.

use crate::build::{RunBuilder, case, steady, variant};
use derny_model::{Case, Ranking};

/// A benchmark, its parameters, and its approximate time in ns.
type Told<'a> = (&'a str, &'a [(&'a str, &'a str)], f64);

fn run(cases: &[Told<'_>]) -> RunBuilder {
    let declared = cases.iter().map(|(name, params, _)| {
        let mut declared: Case = case("s", name);
        declared.id.params =
            params.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        declared
    });
    let mut run = RunBuilder::new(declared.collect());
    for (index, (_, _, ns)) in (0..).zip(cases) {
        for k in 0..8 {
            let process = run.process(0);
            run.visit(
                process,
                index,
                &[],
                (0..12).map(|_| steady(ns * (1.0 + 0.002 * f64::from(k)))).collect(),
            );
        }
    }
    run
}

fn shape(rankings: &[Ranking]) -> Vec<(String, Vec<&str>)> {
    let common = |ranking: &Ranking| {
        ranking.common.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
    };
    rankings
        .iter()
        .map(|one| (common(one).join(" "), one.places.iter().map(|place| place.name.as_str()).collect()))
        .collect()
}

#[test]
fn benchmarks_are_ranked_where_their_parameters_are_the_same() {
    let run = run(&[
        ("join", &[("n", "10")], 100.0),
        ("join", &[("n", "1000")], 9000.0),
        ("concat", &[("n", "10")], 90.0),
        ("concat", &[("n", "1000")], 18000.0),
        ("alone", &[("n", "7")], 1.5e3),
    ]);
    let rankings = run.document().rankings;
    assert_eq!(
        shape(&rankings),
        [("n=10".to_owned(), vec!["concat", "join"]), ("n=1000".to_owned(), vec!["join", "concat"])]
    );
    let second = &rankings[1].places[1];
    let interval = second.times.interval.unwrap();
    assert!(second.slower && interval.lo < 2.0 && 2.0 < interval.hi && interval.hi < 2.1, "{second:?}");
    assert_eq!((second.case, rankings[1].places[0].times.interval), (3, None));
}

#[test]
fn without_a_second_benchmark_values_that_are_words_are_ranked() {
    let kinds = |kind| [("n", "10"), ("kind", kind)];
    let run = run(&[
        ("sort", &kinds("radix"), 100.0),
        ("sort", &kinds("quick"), 100.2),
        ("sort", &[("n", "20"), ("kind", "quick")], 200.0),
    ]);
    let rankings = run.document().rankings;
    assert_eq!(shape(&rankings), [("=sort n=10".to_owned(), vec!["radix", "quick"])]);
    assert!(!rankings[0].places[1].slower, "0.2 % apart and 1.4 % wide");
}

#[test]
fn numbers_and_variants_are_not_ranked() {
    let sizes = run(&[("sort", &[("n", "10")], 100.0), ("sort", &[("n", "20")], 200.0)]);
    assert!(sizes.document().rankings.is_empty());
    let mut several = run(&[("a", &[], 100.0), ("b", &[], 200.0)]);
    assert_eq!(several.document().rankings.len(), 1);
    several.records.header.variants.push(variant("new"));
    assert!(several.document().rankings.is_empty());
}

#[test]
fn a_part_of_a_run_has_the_rankings_of_its_cases() {
    let mut document = run(&[("a", &[], 100.0), ("b", &[], 200.0), ("c", &[], 300.0)]).document();
    derny_analysis::select_document(&mut document, |case| case.id.benchmark != "a");
    assert_eq!(shape(&document.rankings), [(String::new(), vec!["b", "c"])]);
    assert_eq!(document.rankings[0].places[0].case, 0);
}
