//! Reads the yardsticks before the first wave, between waves of a long run, and after the last wave. No
//! harness measures at these times.

use crate::measure::context::Context;
use crate::observe::yardsticks::{BETWEEN, LONG, LONG_READING, SHORT_READING, Yardsticks};
use derny_model::Observation;
use std::time::{Duration, Instant};

pub struct Readings {
    /// `None` in attached mode, in which yardsticks are not read.
    yardsticks: Option<Yardsticks>,
    last: Instant,
}

impl Readings {
    /// Reads the yardsticks before a run that is expected to take `expected_ns`.
    pub fn begin(cx: &mut Context<'_>, expected_ns: u64) -> Readings {
        let yardsticks = cx.launcher.attached.is_none().then(|| Yardsticks::new(&cx.settings.pin));
        let mut readings = Readings { yardsticks, last: Instant::now() };
        readings.read(cx, for_run_of(Duration::from_nanos(expected_ns)));
        readings
    }

    /// Reads the yardsticks between two waves, if the last reading was long ago.
    pub fn amid(&mut self, cx: &mut Context<'_>) {
        if self.last.elapsed() >= BETWEEN && !cx.stopped() && !cx.over() {
            self.read(cx, SHORT_READING);
        }
    }

    /// Reads the yardsticks after the last wave.
    pub fn end(mut self, cx: &mut Context<'_>) {
        self.read(cx, for_run_of(cx.time.start.elapsed()));
    }

    fn read(&mut self, cx: &mut Context<'_>, total: Duration) {
        let Some(yardsticks) = &self.yardsticks else { return };
        cx.processors.engine.back();
        let start = Instant::now();
        let yardsticks = yardsticks.read(total);
        let took = start.elapsed();
        cx.time.put_off(took);
        self.last = Instant::now();
        let (at_ns, took_ns) = (cx.now_ns(), Some(took.as_nanos() as u64));
        cx.observed(Observation { at_ns, yardsticks, took_ns, ..Observation::default() });
    }
}

fn for_run_of(time: Duration) -> Duration {
    if time < LONG { SHORT_READING } else { LONG_READING }
}
