//! Compares with Pragmastat's estimators and bounds. Some vectors come from its package, and others are its
//! published ones (reference/vectors.py).

use derny_stats::{Interval, location, scale, signed_rank};

struct Vector {
    function: String,
    x: Vec<f64>,
    y: Vec<f64>,
    misrate: f64,
    out: Vec<f64>,
}

fn vectors(table: &str) -> Vec<Vector> {
    let numbers = |text: &str| text.split_whitespace().map(|x| x.parse().expect("a number")).collect();
    let vector = |line: &str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().expect("five fields");
        let (function, x, y) = (next().to_owned(), numbers(next()), numbers(next()));
        Vector { function, x, y, misrate: next().parse().expect("a number"), out: numbers(next()) }
    };
    table.lines().map(vector).collect()
}

/// Pragmastat's margin is twice the number of values to exclude at each end.
fn doubled(rank: Option<u64>) -> Option<Vec<f64>> {
    Some(vec![2.0 * rank.unwrap_or(0) as f64])
}

/// Returns Pragmastat's bounds, computed from all values and our margin. Pragmastat excludes more values than
/// our interval, so its error may exceed the misrate (with five values, 0.125 for 0.1). Also checks our
/// interval, which excludes one value fewer at each end.
fn bounds(mut all: Vec<f64>, margin: Option<u64>, ours: Option<Interval>) -> Option<Vec<f64>> {
    all.sort_by(f64::total_cmp);
    let k = margin.unwrap_or(0) as usize;
    assert_eq!(ours.is_some(), k > 0);
    if let Some(ours) = ours {
        assert_eq!((ours.lo, ours.hi), (all[k - 1], all[all.len() - k]));
    }
    Some(vec![all[k], all[all.len() - 1 - k]])
}

fn walsh(x: &[f64]) -> Vec<f64> {
    let with_earlier =
        |(i, a): (usize, &f64)| x[..=i].iter().map(move |b| (a + b) / 2.0).collect::<Vec<f64>>();
    x.iter().enumerate().flat_map(with_earlier).collect()
}

fn ours(vector: &Vector) -> Option<Vec<f64>> {
    let Vector { x, y, .. } = vector;
    // If a margin's error equals the misrate exactly, Pragmastat uses the smaller margin.
    let misrate = &(vector.misrate * (1.0 - 1e-12));
    match vector.function.as_str() {
        "center" => Some(vec![location::hodges_lehmann(x)]),
        "spread" => Some(vec![scale::shamos(x)]),
        "shift" => Some(vec![location::hodges_lehmann_shift(x, y)]),
        "center-bounds" if x.len() <= 63 => {
            bounds(walsh(x), signed_rank::margin(x.len(), *misrate), signed_rank::interval(x, *misrate))
        }
        "signed-rank-margin" if x[0] <= 63.0 => doubled(signed_rank::margin(x[0] as usize, *misrate)),
        _ => None,
    }
}

fn differing(vectors: &[Vector]) -> (usize, Vec<String>) {
    let mut compared = 0;
    let mut differing = Vec::new();
    // Sums of the largest representable numbers overflow. Skip them, because no time is that large.
    for vector in vectors.iter().filter(|vector| vector.x.iter().chain(&vector.y).all(|x| x.abs() < 1e300)) {
        let Some(out) = ours(vector) else { continue };
        compared += 1;
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * b.abs().max(1e-10);
        if out.len() != vector.out.len() || !out.iter().zip(&vector.out).all(near) {
            let (n, m) = (vector.x.len(), vector.y.len());
            differing.push(format!(
                "{} of {n} and {m} ({:?}, {:?}), {}: {out:?}, not {:?}",
                vector.function,
                &vector.x[..n.min(9)],
                &vector.y[..m.min(9)],
                vector.misrate,
                vector.out
            ));
        }
    }
    (compared, differing)
}

#[test]
fn estimates_and_bounds_equal_pragmastats() {
    for (table, least) in
        [(include_str!("../reference/vectors.tsv"), 60), (include_str!("../reference/public.tsv"), 150)]
    {
        let (compared, differing) = differing(&vectors(table));
        assert!(compared > least, "{compared} compared");
        assert!(differing.is_empty(), "{} of {compared} differ:\n{}", differing.len(), differing.join("\n"));
    }
}
