//! Turns of commands that print figures: a turn is one run, and has no times.

use super::{Answer, Harness, TimedRun, count, metrics, uncounted, values};
use crate::figures::{self, ELAPSED};
use crate::os;
use derny_protocol::{Direction, End, Kind, Metric, Reply};

/// Maximum number of messages about runs without a figure, for each command.
const NAMED: u64 = 5;

impl Harness {
    pub(super) fn is_figure(&self, name: &str) -> bool {
        self.calls.metrics.iter().any(|metric| metric.name == name)
    }

    /// Returns the metrics of a case: its figures, and then the wall time unless a figure has the same name.
    /// Empty if time is judged.
    pub(super) fn figures(&self) -> Vec<Metric> {
        let elapsed = Metric {
            name: ELAPSED.to_owned(),
            unit: "ns".to_owned(),
            kind: Kind::Level,
            direction: Direction::None,
            exact: false,
        };
        let elapsed = (!self.sources.is_empty() && !self.is_figure(ELAPSED)).then_some(elapsed);
        self.calls.metrics.iter().map(figures::Metric::declared).chain(elapsed).collect()
    }

    /// Runs a command once. Its figures are the values of the turn, which has no times.
    pub(super) fn measure_figures(&mut self, place: usize) -> Answer {
        let run = self.run(place)?;
        let figures = self.values_of_figures(place, &run)?;
        let elapsed = Some(run.wall_ns as f64);
        let run = [run];
        let own = values(&run, os::own_peak_bytes(), self.group.as_ref(), self.others_accepted());
        let names =
            metrics(self.group.as_ref(), self.others_accepted()).into_iter().map(|metric| metric.name);
        let mut counters: Vec<Option<f64>> =
            names.zip(own).filter(|(name, _)| !self.is_figure(name)).map(|(_, value)| value).collect();
        counters.extend(figures);
        counters.extend((!self.is_figure(ELAPSED)).then_some(elapsed));
        Ok(vec![Reply::NoTimes, Reply::End(End { counters, ..End::default() })])
    }

    /// Returns the figures of a run in the order of the metrics, and logs missing ones. Also logs the first
    /// value that differs from the first runs although its metric was declared exact. That value is omitted,
    /// so that its pair cannot pass for exact and measuring continues.
    fn values_of_figures(&mut self, place: usize, run: &TimedRun) -> Result<Vec<Option<f64>>, String> {
        let text = &self.calls.entries[place].name;
        let in_first = |name: &str| self.calls.entries[place].figures.last().and_then(|run| run.value(name));
        let mut values = Vec::new();
        let mut is_lacking = false;
        let mut logs = Vec::new();
        for (at, metric) in self.calls.metrics.iter().enumerate() {
            let (printed, before) = (run.figures.value(&metric.name), in_first(&metric.name));
            is_lacking |= printed.is_none() && before.is_some();
            let varies = metric.exact && before.is_some() && printed.is_some() && printed != before;
            let is_first = varies && count(&self.counts, &format!("varies-{at}")).map_err(uncounted)? == 0;
            if let (true, Some(printed), Some(before)) = (is_first, printed, before) {
                logs.push(format!(
                    "`{text}` printed {} = {printed} in run {}, and {before} in its first runs. It varies, so \
                     this run does not count, and further runs are measured",
                    metric.name, run.number
                ));
            }
            values.push(printed.filter(|_| !is_first).map(|value| value * metric.factor));
        }
        if is_lacking {
            let number = count(&self.counts, &format!("lacking-{place}")).map_err(uncounted)?;
            let faults = run.figures.faults.join("; ");
            let last = if number + 1 == NAMED { "; further such runs are not reported" } else { "" };
            let what = format!(
                "run {} of `{text}` does not count, because it gives no figure: {faults}{last}",
                run.number
            );
            logs.extend((number < NAMED).then_some(what));
        }
        self.logs.extend(logs);
        Ok(values)
    }
}
