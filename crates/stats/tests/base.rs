//! Compares the functions that R also has with R's results (reference/base.R).

use crate::data::{A, B, base, bases, close, log_ratios};
use derny_stats::outliers::TukeyCounts;
use derny_stats::*;

const TIES: [f64; 8] = [5.1, 4.9, 5.3, 5.0, 5.2, 4.8, 5.6, 5.3];

/// Asserts that each pair of numbers agrees within a relative tolerance of 1e-10.
#[track_caller]
fn equal(actual: &[f64], expected: &[f64]) {
    assert_eq!(actual.len(), expected.len(), "{actual:?} {expected:?}");
    for (actual, expected) in actual.iter().zip(expected) {
        close(*actual, *expected, 1e-10);
    }
}

fn ends(interval: Option<Interval>) -> [f64; 2] {
    interval.map(|interval| [interval.lo, interval.hi]).expect("an interval")
}

fn samples() -> Vec<(&'static str, Vec<f64>)> {
    ["a", "b", "small", "skewed"].map(|name| (name, base(&format!("sample_{name}")))).into()
}

#[test]
fn locations_scales_and_quantiles() {
    for (name, x) in samples() {
        let locations =
            [mean(&x), median(&x), trimmed_mean(&x, 0.2), trimmed_mean(&x, 0.1), geometric_mean(&x)];
        equal(&[&locations[..], &[hodges_lehmann(&x)]].concat(), &base(&format!("locations_{name}")));
        let scales = [standard_deviation(&x), variance(&x), mad(&x), iqr(&x), shamos(&x)];
        equal(&scales, &base(&format!("scales_{name}")));
        let ordered = sorted(&x);
        let quantiles = [0.0, 0.05, 0.25, 0.4, 0.75, 0.95, 1.0].map(|p| quantile::quantile(&ordered, p));
        equal(&quantiles, &base(&format!("quantiles_{name}")));
        let TukeyCounts { low_severe, low_mild, high_mild, high_severe } = tukey(&x);
        let counts = [low_severe, low_mild, high_mild, high_severe].map(|count| count as f64);
        equal(&counts, &base(&format!("fences_{name}")));
    }
}

#[test]
fn series_densities_and_means() {
    for (name, x) in samples() {
        let (q, p) = ljung_box(&x, 3);
        equal(&[q, p], &base(&format!("ljung_box_{name}")));
        equal(&[durbin_watson(&x)], &base(&format!("durbin_watson_{name}")));
        let [lo, hi] = ends(student::interval(&x, 0.1));
        let moved: Vec<f64> = x.iter().map(|x| x - 3.0).collect();
        equal(&[student::p_value(&moved), lo, hi], &base(&format!("t_{name}")));
        for point in base(&format!("density_{name}"))[1..].chunks(2) {
            close(density::smooth(&x, point[0], point[0] + 1.0, 2)[0].1, point[1], 1e-10);
        }
    }
}

#[test]
fn quantiles_shares_and_sequences() {
    for (name, x) in samples() {
        let quantiles = [0.1, 0.25, 0.5, 0.9].map(|p| quantile::hd_quantiles(&sorted(&x), p)[0]);
        equal(&quantiles, &base(&format!("harrell_davis_{name}")));
        let share = outlier_variance(mean(&x), standard_deviation(&x), x.len());
        equal(&[share], &base(&format!("outlier_variance_{name}")));
        equal(&ends(anytime::t_mixture_interval(&x, 1.0, 0.05)), &base(&format!("anytime_{name}")));
    }
}

#[test]
fn distributions() {
    for line in bases("signed_rank_cdf") {
        close(signed_rank::cdf(line[0] as u64, line[1] as usize), line[2], 1e-10);
    }
    for line in bases("chi_squared") {
        close(special::chi_squared_upper(line[0], line[1]), line[2], 1e-10);
    }
    for line in bases("normal") {
        let back = normal_quantile(normal_cdf(line[0]));
        equal(&[normal_cdf(line[0]), special::normal_pdf(line[0]), back], &line[1..]);
    }
    for line in bases("student") {
        let p = student::cdf(line[0], line[1]);
        equal(&[p, student::quantile(p, line[1])], &line[2..]);
    }
    for line in bases("beta") {
        close(special::beta_cdf(line[0], line[1], line[2]), line[3], 1e-10);
    }
    for line in bases("gamma") {
        close(special::gamma_upper(line[0], line[1]), line[2], 1e-10);
    }
}

#[test]
fn tests_of_one_sample_and_two() {
    let logs = log_ratios();
    let [lo, hi] = ends(signed_rank::interval(&logs, 0.05));
    equal(&[signed_rank::p_value(&logs), lo, hi, hodges_lehmann(&logs)], &base("wilcoxon"));
    equal(&[signed_rank::p_value_against(&logs, Tail::Less)], &base("wilcoxon_less"));
    equal(&[signed_rank::p_value_against(&logs, Tail::Greater)], &base("wilcoxon_greater"));
    let (x, y) = (base("sample_x"), base("sample_y"));
    equal(&[hodges_lehmann_shift(&x, &y)], &base("shift"));
    for (name, found) in [
        ("welch", t_test::welch(&x, &y)),
        ("pooled", t_test::pooled(&x, &y)),
        ("welch_ties", t_test::welch(&B, &TIES)),
    ] {
        let found = found.unwrap();
        let [lo, hi] = ends(Some(found.interval(0.05)));
        let t = found.estimate / found.standard_error;
        equal(&[t, found.df, found.p(0.0, Tail::Both), lo, hi], &base(name));
    }
}

#[test]
fn families_lines_and_trends() {
    let p = base("p");
    equal(&holm(&p, &[1.0].repeat(p.len()), 0.0), &base("holm"));
    equal(&benjamini_hochberg(&p), &base("BH"));
    let fit = least_squares(&A, &B);
    equal(&[fit.slope, fit.intercept, fit.r_squared], &base("least_squares"));
    equal(&[theil_sen(&A, &B)], &base("theil_sen"));
    let trend = trend::mann_kendall(&base("sample_x"));
    equal(&[trend.tau, trend.z, trend.p], &base("mann_kendall"));
}

#[test]
fn components_of_variance() {
    let values = base("groups");
    let groups = [&values[..3], &values[3..8], &values[8..12], &values[12..]].map(<[f64]>::to_vec);
    let components = variance_components(&groups);
    equal(&[components.within, components.between], &base("groups_components"));
}

/// R drew 200,000 resamples, and this test draws 20,000. Both ends agree within 5 % of the width.
#[test]
fn resamples() {
    let of = |drawn: &[&f64]| vec![mean(&drawn.iter().map(|x| **x).collect::<Vec<f64>>())];
    let found = bootstrap::percentile_intervals(&A, of, 20_000, 0.05, &mut Rng::new(7));
    let interval = found[0].1.unwrap();
    for (actual, expected) in [interval.lo, interval.hi].iter().zip(base("bootstrap")) {
        assert!(
            (actual - expected).abs() < 0.05 * (interval.hi - interval.lo),
            "{actual} should be near {expected}"
        );
    }
}
