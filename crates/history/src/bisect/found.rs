//! Reads the change of a case from the results of a run.

use crate::bisect::log::Subject;
use derny_model::{
    Case, Change, ComparedCase, Comparison, Direction, Document, Estimate, Failure, Interval, Problem,
    Quantity, Unmeasured, Verdict, problem,
};

/// The change of a case in a run.
pub struct Found {
    /// The case and the quantity.
    pub subject: Subject,
    /// Change from the base to the other side, as a share of the base. If the base is 0, the difference.
    pub change: Estimate,
}

/// The reason why a run shows no change of the case.
pub enum Lacking {
    /// The candidate cannot be measured, for this reason.
    Side(String),
    /// No comparison of this run can show a change.
    Run(Problem),
    /// The case has no such metric.
    Metric(Problem),
}

/// Returns the change that a run measured, in `metric` or, by default, in typical time. If `known` is `None`,
/// the run has only one case. `candidate` is the index of the side that is not the good end.
///
/// # Errors
/// Fails if the run has no such change.
pub fn found(
    document: &Document,
    known: Option<&Subject>,
    candidate: u32,
    metric: Option<&str>,
) -> Result<Found, Lacking> {
    let comparison = document.comparison.as_deref();
    let is_known = |case: &Case| known.is_none_or(|known| known.case == case.id.name());
    let cases = comparison.into_iter().flat_map(|own| own.cases.iter().map(move |case| (own, case)));
    let Some((comparison, case)) = cases.into_iter().find(|(_, case)| is_known(&case.case)) else {
        let missing = comparison.and_then(|own| own.unmeasured.iter().find(|own| is_known(&own.case)));
        return Err(unmeasured(missing, document.failures.first(), candidate));
    };
    let Some(change) = change_of(case, metric) else {
        return Err(no_metric(case, metric, comparison));
    };
    let quantity = match &change.quantity {
        Quantity::Typical => "typical",
        Quantity::Mean => "mean",
        Quantity::Metric(name) => name,
    };
    let subject =
        Subject { case: case.case.id.name(), quantity: quantity.to_owned(), better: change.direction };
    match share(change) {
        Some(change) => Ok(Found { subject, change }),
        None => Err(Lacking::Side(format!("its `{quantity}` has no value to compare"))),
    }
}

/// Returns the change of `metric`. By default, returns the change of typical time or, if there is none, of
/// the first metric with a direction.
pub fn change_of<'a>(case: &'a ComparedCase, metric: Option<&str>) -> Option<&'a Change> {
    let changes = &case.sides.first()?.changes;
    let is_typical = |change: &&Change| change.quantity == Quantity::Typical;
    match metric {
        Some("time") | None => changes.iter().find(is_typical).or_else(|| {
            let has_direction = |change: &&Change| change.direction != Direction::None;
            changes.iter().find(has_direction).filter(|_| metric.is_none())
        }),
        Some(name) => changes.iter().find(|change| match &change.quantity {
            Quantity::Metric(own) => &**own == name,
            Quantity::Mean => name == "mean",
            Quantity::Typical => false,
        }),
    }
}

/// Returns a change as a share of the base. If the base is 0, returns the difference. An exact value has an
/// interval without width.
pub fn share(change: &Change) -> Option<Estimate> {
    let scale = if change.base == 0.0 { 1.0 } else { change.base.abs() };
    let scaled = |difference: Estimate| Estimate {
        value: difference.value / scale,
        interval: difference.interval.map(|Interval { lo, hi }| Interval { lo: lo / scale, hi: hi / scale }),
    };
    // If the values of all pairs are equal, the change has no interval.
    let is_exact = change.exact || (change.verdict == Verdict::Same && change.base == change.new);
    let differs = change.exact && change.base != change.new;
    let estimate = match (change.change, change.difference) {
        (Some(estimate), _) => estimate,
        (None, Some(difference)) => scaled(difference),
        (None, None) if change.exact => scaled(Estimate { value: change.new - change.base, interval: None }),
        (None, None) => return None,
    };
    let value = if differs || !is_exact { estimate.value } else { 0.0 };
    let exact = is_exact.then_some(Interval { lo: value, hi: value });
    let interval = estimate.interval.filter(|_| !is_exact).or(exact);
    value.is_finite().then_some(Estimate { value, interval })
}

fn unmeasured(missing: Option<&Unmeasured>, failure: Option<&Failure>, candidate: u32) -> Lacking {
    match (missing, failure) {
        (_, Some(failure)) if failure.variant.is_some_and(|own| own != candidate) => {
            Lacking::Run(Problem::from(failure).within("the benchmark fails at the good end"))
        }
        (_, Some(failure)) => Lacking::Side(Problem::from(failure).in_a_line()),
        (Some(missing), _) if missing.sides == [candidate] => Lacking::Side(missing.because.clone()),
        (Some(missing), _) => Lacking::Run(
            problem!("`{}` was not measured", missing.case.id.name())
                .why(&missing.because)
                .remedy("give it more time: --budget 60s"),
        ),
        (None, None) => Lacking::Side("it does not have the case".to_owned()),
    }
}

fn no_metric(case: &ComparedCase, metric: Option<&str>, comparison: &Comparison) -> Lacking {
    let side = case.sides.first();
    let known = side.into_iter().flat_map(|side| &side.changes).map(|change| change.quantity.metric());
    let mut known: Vec<&str> = known.collect();
    known.dedup();
    let (name, metric) = (case.case.id.name(), metric.unwrap_or("time"));
    match side.is_some_and(|side| side.lacks.iter().any(|lacking| &**lacking == metric)) {
        true => Lacking::Side(format!("only one side has the metric `{metric}`")),
        false => Lacking::Metric(
            problem!("`{name}` has no metric `{metric}` in {}", comparison.sides[0].name)
                .known(known.join(", "))
                .remedy("use --metric with one of these names"),
        ),
    }
}
