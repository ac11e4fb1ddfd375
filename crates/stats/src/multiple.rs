//! Adjusted p-values for a family of tests, in the order of the input. Compare each with the level of the
//! whole family.

/// Returns Holm's weighted step-down adjustment (1979), which limits the probability of any false claim.
/// Gates use it. `weights` contains the weight of each test: the larger it is, the more of the error the test
/// may use. `others` is the total weight of unlisted tests, whose p-values count as 1.
pub fn holm(p: &[f64], weights: &[f64], others: f64) -> Vec<f64> {
    let weighed: Vec<f64> = p.iter().zip(weights).map(|(p, weight)| p / weight).collect();
    let mut adjusted = vec![0.0; p.len()];
    let mut left = weights.iter().sum::<f64>() + others;
    let mut most: f64 = 0.0;
    for &i in &order(&weighed) {
        most = most.max(left * weighed[i]).min(1.0);
        adjusted[i] = most;
        left -= weights[i];
    }
    adjusted
}

/// Returns the step-up adjustment of Benjamini and Hochberg (1995), which controls the share of false claims
/// among all claims. Listings use it.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 1.0;
    for (before, &i) in order(p).iter().enumerate().rev() {
        least = least.min(p.len() as f64 * p[i] / (before + 1) as f64);
        adjusted[i] = least;
    }
    adjusted
}

fn order(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    order
}
