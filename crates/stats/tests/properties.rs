//! Tests properties that hold for all data. No result depends on the order of a sample. Intervals follow
//! shift and scale, and tests are invariant to both. Larger differences have smaller p-values.

use derny_stats::{Contrast, Interval, Rng, Tail, hodges_lehmann, signed_rank, t_test};

type Of<R> = (&'static str, fn(&[f64], &[f64]) -> R);

const INTERVALS: [Of<Option<Interval>>; 3] = [
    ("welch", |x, y| t_test::welch(x, y).map(|c| c.interval(0.05))),
    ("pooled", |x, y| t_test::pooled(x, y).map(|c| c.interval(0.05))),
    ("signed rank", |x, _| signed_rank::interval(x, 0.05)),
];

const P_VALUES: [Of<f64>; 2] =
    [("welch", |x, y| p(t_test::welch(x, y))), ("pooled", |x, y| p(t_test::pooled(x, y)))];

fn p(found: Option<Contrast>) -> f64 {
    found.map_or(f64::NAN, |contrast| contrast.p(0.0, Tail::Both))
}

fn samples(rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
    let mut draw = |n| (0..n).map(|_| rng.normal() / (0.2 + rng.f64())).collect();
    (draw(14), draw(11))
}

#[track_caller]
fn near(a: f64, b: f64, name: &str) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{name}: {a} and {b}");
}

#[test]
fn the_order_of_a_sample_does_not_matter() {
    let mut rng = Rng::new(61);
    for _ in 0..20 {
        let (x, y) = samples(&mut rng);
        let (mut x2, mut y2) = (x.clone(), y.clone());
        rng.shuffle(&mut x2);
        rng.shuffle(&mut y2);
        for (name, of) in INTERVALS {
            let (one, other) = (of(&x, &y).unwrap(), of(&x2, &y2).unwrap());
            near(one.lo, other.lo, name);
            near(one.hi, other.hi, name);
        }
        for (name, of) in P_VALUES {
            near(of(&x, &y), of(&x2, &y2), name);
            near(of(&y, &x), of(&x, &y), name);
        }
        assert_eq!(hodges_lehmann(&x), hodges_lehmann(&x2));
    }
}

#[test]
fn intervals_follow_shift_and_scale_and_tests_do_not() {
    let mut rng = Rng::new(62);
    for _ in 0..20 {
        let (x, y) = samples(&mut rng);
        let moved = |values: &[f64], by: f64| values.iter().map(|v| 3.0 * v + by).collect::<Vec<f64>>();
        let (x2, y2) = (moved(&x, 5.0), moved(&y, 5.0));
        for (name, of) in INTERVALS {
            let (one, other) = (of(&x, &y).unwrap(), of(&x2, &y2).unwrap());
            let shift = if name == "signed rank" { 5.0 } else { 0.0 };
            near(3.0 * one.lo + shift, other.lo, name);
            near(3.0 * one.hi + shift, other.hi, name);
        }
        for (name, of) in P_VALUES {
            near(of(&x, &y), of(&x2, &y2), name);
        }
    }
}

#[test]
fn more_confidence_is_wider_and_more_difference_is_rarer() {
    let mut rng = Rng::new(63);
    for _ in 0..20 {
        let (x, y) = samples(&mut rng);
        let widths = |of: &dyn Fn(f64) -> Interval| {
            [0.2, 0.1, 0.05, 0.01].map(|alpha| {
                let Interval { lo, hi } = of(alpha);
                hi - lo
            })
        };
        for found in [t_test::welch(&x, &y).unwrap(), t_test::pooled(&x, &y).unwrap()] {
            assert!(widths(&|alpha| found.interval(alpha)).is_sorted_by(|a, b| a < b));
        }
        assert!(widths(&|alpha| signed_rank::interval(&x, alpha).unwrap()).is_sorted());
        let one_sided: Vec<f64> = (0..12)
            .map(|step| {
                let further: Vec<f64> = x.iter().map(|v| v + f64::from(step) * 0.7).collect();
                signed_rank::p_value_against(&further, Tail::Greater)
            })
            .collect();
        assert!(one_sided.is_sorted_by(|a, b| a >= b), "{one_sided:?}");
    }
}
