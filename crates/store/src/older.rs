//! What runs recorded by earlier versions do not say. It is filled in when they are read, and so also where it comes from
//! a journal.

use derny_model::{Collector, Kind, Metric, Records};

/// Completes records as they were stored, or as an event stream that was kept in a file has them.
pub fn complete(records: &mut Records) {
    let of_cases = records.cases.iter_mut().map(|case| &mut case.metrics);
    let of_visits = records.visits.iter_mut().map(|record| &mut record.visit.metrics);
    of_cases.chain(of_visits).flatten().for_each(decide_kind);
    for process in records.processes.iter_mut().filter(|process| process.collector.is_none()) {
        let visits = || records.visits.iter().filter(|record| record.visit.process == process.process);
        let counts = |metrics: &[Metric]| metrics.iter().any(Metric::counts_collections);
        process.collector = Some(match () {
            () if UNCOLLECTED.contains(&process.language.as_str()) => Collector::None,
            () if visits().all(|record| counts(&record.visit.metrics)) => Collector::Counted,
            () => Collector::Untold,
        });
    }
}

/// Before harnesses said it, programs in these languages were known to have no collector.
const UNCOLLECTED: [&str; 7] = ["rust", "c", "c++", "cpp", "zig", "fortran", "ada"];

/// Before metrics had kinds, those whose unit was a quotient were shown as they were reported, and all others were totals.
fn decide_kind(metric: &mut Metric) {
    if metric.kind == Kind::Reported && !metric.unit.contains('/') {
        metric.kind = Kind::Total;
    }
}
