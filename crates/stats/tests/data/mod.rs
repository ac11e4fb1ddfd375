//! The two samples of the reference values, and comparisons with these values.

pub const A: [f64; 20] = [
    101.2, 99.8, 100.4, 103.9, 100.1, 99.5, 100.9, 118.3, 100.2, 101.7, 99.9, 100.6, 102.4, 100.0, 99.7,
    101.1, 100.8, 107.5, 100.3, 99.6,
];
pub const B: [f64; 20] = [
    103.1, 101.9, 102.6, 105.2, 102.0, 101.4, 103.3, 111.8, 102.1, 130.6, 101.8, 102.7, 104.0, 102.2, 101.5,
    103.0, 102.9, 104.4, 102.3, 101.6,
];

pub fn log_ratios() -> Vec<f64> {
    A.iter().zip(&B).map(|(a, b)| libm::log(b / a)).collect()
}

#[track_caller]
pub fn close(actual: f64, expected: f64, tolerance: f64) {
    let bound = tolerance * expected.abs().max(if expected.abs() < 1e-3 { 1e-3 } else { 0.0 });
    assert!((actual - expected).abs() <= bound, "{actual} should be {expected} within {tolerance} relative");
}

#[track_caller]
pub fn reference(name: &str) -> Vec<Vec<f64>> {
    numbers(include_str!("../../reference/values.tsv"), name)
}

#[track_caller]
pub fn shapes(name: &str) -> Vec<Vec<f64>> {
    numbers(include_str!("../../reference/shapes.tsv"), name)
}

#[track_caller]
pub fn comparison(name: &str) -> Vec<Vec<f64>> {
    numbers(include_str!("../../reference/comparisons.tsv"), name)
}

#[track_caller]
pub fn base(name: &str) -> Vec<f64> {
    bases(name).remove(0)
}

#[track_caller]
pub fn bases(name: &str) -> Vec<Vec<f64>> {
    numbers(include_str!("../../reference/base.tsv"), name)
}

#[track_caller]
fn numbers(table: &str, name: &str) -> Vec<Vec<f64>> {
    let lines = table.lines();
    let found: Vec<Vec<f64>> = lines
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix('\t'))
        .map(|numbers| numbers.split('\t').map(|x| x.parse().expect("a number")).collect())
        .collect();
    assert!(!found.is_empty(), "no reference value is called {name}");
    found
}
