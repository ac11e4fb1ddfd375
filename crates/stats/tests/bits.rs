//! Checks that results are bit-identical on every machine, because stored runs are analysed again elsewhere.
//! Each line of reference/bits.tsv is a digest (FNV-1a) of one function's results for the same random
//! samples.

use derny_stats::repeated::RepeatedP;
use derny_stats::*;

type Line = (&'static str, fn(&[f64], &[f64]) -> Vec<f64>);

const LINES: &[Line] = &[
    ("mean", |x, _| vec![mean(x), midmean(x), geometric_mean(&positive(x))]),
    ("hodges_lehmann", |x, y| vec![hodges_lehmann(x), hodges_lehmann_shift(x, y), shamos(x)]),
    ("standard_deviation", |x, _| vec![standard_deviation(x), mad(x), iqr(x)]),
    ("quantile", |x, _| [0.1, 0.5, 0.9].iter().map(|&p| quantile::hd_quantiles(&sorted(x), p)[0]).collect()),
    ("normal", |x, _| x.iter().flat_map(|&v| [normal_cdf(v), normal_quantile(normal_cdf(v))]).collect()),
    ("beta", |x, _| x.iter().map(|&v| special::beta_cdf(normal_cdf(v), 2.5, 7.25)).collect()),
    ("gamma", |x, _| x.iter().map(|&v| special::gamma_upper(3.5, 4.0 + v)).collect()),
    ("student", |x, _| {
        x.iter().flat_map(|&v| [student::cdf(v, 7.5), student::quantile(normal_cdf(v), 6.5)]).collect()
    }),
    ("signed_rank", |x, _| [&ends(signed_rank::interval(x, 0.05))[..], &[signed_rank::p_value(x)]].concat()),
    ("looks", |x, _| Looks::plan(40, 1.0 - 0.1 * normal_cdf(x[0])).alphas),
    ("t_tests", |x, y| [t_test::pooled(x, y), t_test::welch(x, y)].into_iter().flat_map(contrast).collect()),
    ("bootstrap", |x, _| {
        let of = |drawn: &[&f64]| vec![mean(&drawn.iter().map(|x| **x).collect::<Vec<f64>>())];
        let found = bootstrap::percentile_intervals(x, of, 60, 0.1, &mut Rng::new(3));
        found.into_iter().flat_map(|(value, interval)| [&[value][..], &ends(interval)].concat()).collect()
    }),
    ("correlation", |x, _| {
        let (q, p) = ljung_box(x, 3);
        vec![durbin_watson(x), q, p]
    }),
    ("anytime", |x, _| {
        [&ends(anytime::t_mixture_interval(x, 1.0, 0.2))[..], &[anytime::t_mixture_log_e(x, 1.0)]].concat()
    }),
    ("plan", |x, y| {
        let components = variance_components(&[x.to_vec(), y.to_vec()]);
        vec![components.within, components.between, plan::optimal_rounds(9.0, 1.0, components)]
    }),
    ("regression", |x, y| vec![least_squares(&x[..9], &y[..9]).slope, theil_sen(&x[..9], &y[..9])]),
    ("shape", |x, y| {
        let bins = density::quantile_density(&sorted(x), 7).into_iter().flat_map(|bin| [bin.lo, bin.height]);
        let modes = modes::lowland(y, 0.1).into_iter().flat_map(|mode| [mode.location, mode.share]);
        bins.chain(modes).collect()
    }),
    ("course", |x, y| {
        let series = [x, &positive(y)].concat();
        let changes = changepoint::mean_variance(&series, 3.0, 3, 1e-3).into_iter().map(|at| at as f64);
        let step = step::pettitt(&series).map(|step| step.p);
        changes.chain(step).chain([trend::mann_kendall(y).p]).collect()
    }),
    ("level", |x, y| {
        let series: Vec<f64> = x.iter().copied().chain(y.iter().map(|v| 9.0 + v)).collect();
        let found = level::level_changes(&series, &level::LevelRules::default()).unwrap_or_default();
        found.iter().flat_map(|c| [c.index as f64, c.difference, c.score, c.confidence]).collect()
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
    let repeated = RepeatedP::new(&Looks::plan(40, 0.95));
    let numbers = [8, 15, 40]
        .into_iter()
        .flat_map(|n| [1e-4, 0.01, 0.3].map(|p| repeated.at(n, p).unwrap_or(f64::NAN)));
    found += &format!("repeated\t{:016x}\n", digest(numbers));
    assert_eq!(found, include_str!("../reference/bits.tsv"), "found:\n{found}");
}
