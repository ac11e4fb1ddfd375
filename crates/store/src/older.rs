//! What runs recorded by earlier versions do not say. It is filled in when they are read, and so also where it comes from
//! a journal.

use derny_model::{Kind, Metric, Records};

/// Completes records as they were stored.
pub fn complete(records: &mut Records) {
    let of_cases = records.cases.iter_mut().map(|case| &mut case.metrics);
    let of_visits = records.visits.iter_mut().map(|record| &mut record.visit.metrics);
    of_cases.chain(of_visits).flatten().for_each(decide_kind);
}

/// Before metrics had kinds, those whose unit was a quotient were shown as they were reported, and all others were totals.
fn decide_kind(metric: &mut Metric) {
    if metric.kind == Kind::Reported && !metric.unit.contains('/') {
        metric.kind = Kind::Total;
    }
}
