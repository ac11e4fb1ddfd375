//! Stored runs are analysed again on other machines: every result must be the same bits there. Each line of
//! reference/bits.tsv is the digest (FNV-1a) of the bits of a function's results over the same random samples.

mod data;

use derny_stats::brunner_munzel::brunner_munzel;
use derny_stats::looks::{Spending, boundaries_spending};
use derny_stats::nested::Nested;
use derny_stats::*;

/// What is digested: a name, and the numbers that a function gives for two samples.
type Line = (&'static str, fn(&[f64], &[f64]) -> Vec<f64>);

const LINES: &[Line] = &[
    ("mean", |x, _| vec![mean(x), midmean(x), geometric_mean(&positive(x))]),
    ("hodges_lehmann", |x, y| vec![hodges_lehmann(x), hodges_lehmann_shift(x, y), shamos(x)]),
    ("standard_deviation", |x, _| vec![standard_deviation(x), mad(x), coefficient_of_variation(x)]),
    ("quantile", |x, _| [0.1, 0.5, 0.9].iter().map(|&p| hd_quantile(x, p)).collect()),
    ("normal", |x, _| x.iter().flat_map(|&v| [normal_cdf(v), normal_quantile(normal_cdf(v))]).collect()),
    ("beta", |x, _| x.iter().map(|&v| special::beta_cdf(normal_cdf(v), 2.5, 7.25)).collect()),
    ("gamma", |x, _| x.iter().map(|&v| special::gamma_upper(3.5, 4.0 + v)).collect()),
    ("student", |x, _| {
        x.iter().flat_map(|&v| [student::cdf(v, 7.5), student::quantile(normal_cdf(v), 6.5)]).collect()
    }),
    ("signed_rank", |x, _| [&ends(signed_rank::interval(x, 0.05))[..], &[signed_rank::p_value(x)]].concat()),
    ("boundaries", |x, _| {
        let alpha = 0.1 * normal_cdf(x[0]);
        let spendings = [Spending::Pocock, Spending::OBrienFleming, Spending::HwangShihDeCani(-2.0)];
        spendings.iter().flat_map(|&s| boundaries_spending(&[0.2, 0.5, 1.0], alpha, s)).collect()
    }),
    ("t_tests", |x, y| {
        [t_test::one_sample(x), t_test::pooled(x, y), t_test::welch(x, y)]
            .into_iter()
            .flat_map(contrast)
            .collect()
    }),
    ("yuen", |x, y| {
        [yuen::one_sample(x, 0.2), yuen::two_samples(x, y, 0.2)].into_iter().flat_map(contrast).collect()
    }),
    ("mann_whitney", |x, y| {
        let p = [mann_whitney::p_value(x, y, Tail::Both), mann_whitney::asymptotic_p_value(x, y, Tail::Less)];
        [&ends(mann_whitney::interval(x, y, 0.05))[..], &p].concat()
    }),
    ("brunner_munzel", |x, y| contrast(brunner_munzel(x, y))),
    ("kolmogorov_smirnov", |x, y| {
        vec![kolmogorov_smirnov::distance(x, y), kolmogorov_smirnov::p_value(x, y)]
    }),
    ("fieller", |x, y| ends(ratio::fieller(&positive(x), &positive(y), 0.05)).to_vec()),
    ("nested", |x, _| {
        let nested = Nested::of(&x[..12], &[2, 3, 2]).expect("twelve values");
        [nested.seen.clone(), nested.own.clone(), nested.optimal_repetitions(&[1.0, 3.0, 9.0])].concat()
    }),
    ("bootstrap", |x, _| {
        let of = |drawn: &[&f64]| vec![mean(&drawn.iter().map(|x| **x).collect::<Vec<f64>>())];
        let found = bootstrap::percentile_intervals(x, of, 60, 0.1, &mut Rng::new(3));
        found.into_iter().flat_map(|(value, interval)| [&[value][..], &ends(interval)].concat()).collect()
    }),
    ("correlation", |x, _| {
        let (q, p) = ljung_box(x, 3);
        vec![durbin_watson(x), q, p, effective_sample_size(x), correlation::newey_west_error(x, 3)]
    }),
    ("anytime", |x, _| {
        let evidence = [anytime::t_mixture_log_e(x, 1.0), anytime::msprt_log(x, 1.0, 0.5)];
        let rho = anytime::asymptotic_rho(10, 0.05);
        [
            &ends(anytime::t_mixture_interval(x, 1.0, 0.2))[..],
            &ends(anytime::asymptotic_interval(x, rho, 0.2)),
            &evidence,
        ]
        .concat()
    }),
    ("plan", |x, _| {
        vec![plan::power(10, 1.0, x[0], 0.05), plan::smallest_detectable(9, 1.0, 0.05, normal_cdf(x[1]))]
    }),
    ("regression", |x, y| vec![least_squares(&x[..9], &y[..9]).slope, theil_sen(&x[..9], &y[..9])]),
    ("effect", |x, y| {
        let (above, below) = (positive(x), positive(y));
        let sizes = [effect::ratio(&above, &below), effect::disparity(x, y), effect::gamma_effect(x, y, 0.3)];
        let bounds = ends(scale::shamos_interval(x, 0.2, &mut Rng::new(4)));
        [&ends(effect::ratio_interval(&above, &below, 0.1))[..], &sizes, &bounds].concat()
    }),
    ("shape", |x, y| {
        let bins = density::quantile_density(x, 7).into_iter().flat_map(|bin| [bin.lo, bin.height]);
        let modes = modes::lowland(y, 0.1).into_iter().flat_map(|mode| [mode.location, mode.share]);
        let fences = ends(outliers::double_mad_fences(x, 3.0));
        let rest = [modes::m_value(y), quantile::trimmed_hd_quantile(x, 0.2)];
        bins.chain(modes).chain(fences).chain(rest).collect()
    }),
    ("course", |x, y| {
        let series = [x, &positive(y)].concat();
        let places: Vec<f64> = (0..series.len()).map(|i| 0.3 * i as f64).collect();
        let drift = trend::drift(&places, &series, 0.1).expect("enough values");
        let levels = levels::levels(&series, levels::CANDIDATES).into_iter().map(|level| level.center);
        let windows = divisive::by_windows(&series, 20, 0.001, 0.0).into_iter().map(|division| division.p);
        let mixed =
            divisive::by_permutation(x, 0.5, 19, &mut Rng::new(5)).into_iter().map(|division| division.p);
        let rest = [drift.change, drift.interval.lo, drift.p, trend::mann_kendall(y).p];
        levels.chain(windows).chain(mixed).chain(rest).collect()
    }),
];

fn positive(values: &[f64]) -> Vec<f64> {
    values.iter().map(|v| 30.0 + v).collect()
}

fn ends(interval: Option<Interval>) -> [f64; 2] {
    interval.map_or([f64::NEG_INFINITY, f64::INFINITY], |interval| [interval.lo, interval.hi])
}

fn contrast(found: Option<Contrast>) -> Vec<f64> {
    let found = found.expect("enough values");
    [&ends(Some(found.interval(0.05)))[..], &[found.df, found.p(0.1, Tail::Greater)]].concat()
}

fn digest(numbers: impl Iterator<Item = f64>) -> u64 {
    let bytes = numbers.flat_map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn results_are_the_same_bits_everywhere() {
    let mut rng = Rng::new(71);
    let mut draw = |n| (0..n).map(|_| rng.normal()).collect::<Vec<f64>>();
    let samples: Vec<(Vec<f64>, Vec<f64>)> = (0..25).map(|i| (draw(12 + i), draw(9 + i % 7))).collect();
    let mut found = String::new();
    for (name, of) in LINES {
        let numbers = samples.iter().flat_map(|(x, y)| of(x, y));
        found += &format!("{name}\t{:016x}\n", digest(numbers));
    }
    let repeated = Looks::plan(40, 0.95).repeated();
    let numbers = [8, 15, 40]
        .into_iter()
        .flat_map(|n| [1e-4, 0.01, 0.3].map(|p| repeated.at(n, p).unwrap_or(f64::NAN)));
    found += &format!("repeated\t{:016x}\n", digest(numbers));
    assert_eq!(found, include_str!("../reference/bits.tsv"), "found:\n{found}");
}
