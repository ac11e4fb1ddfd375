//! The measurement interface of criterion.rs. Derny measures wall time and does not call user-defined
//! measurements.

use crate::Throughput;
use std::time::{Duration, Instant};

pub trait ValueFormatter {
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{:.4} {unit}", values[0])
    }

    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{:.4} {unit}", values[0])
    }

    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;
    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

pub trait Measurement {
    type Intermediate;
    type Value;
    fn start(&self) -> Self::Intermediate;
    fn end(&self, i: Self::Intermediate) -> Self::Value;
    fn add(&self, v1: &Self::Value, v2: &Self::Value) -> Self::Value;
    fn zero(&self) -> Self::Value;
    fn to_f64(&self, value: &Self::Value) -> f64;
    fn formatter(&self) -> &dyn ValueFormatter;
}

/// Returns the name of the measurement unless it is wall time.
pub(crate) fn other_than_time<M>() -> Option<&'static str> {
    let name = std::any::type_name::<M>();
    (name != std::any::type_name::<WallTime>()).then_some(name)
}

pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        Instant::now()
    }

    fn end(&self, i: Instant) -> Duration {
        i.elapsed()
    }

    fn add(&self, v1: &Duration, v2: &Duration) -> Duration {
        *v1 + *v2
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }
}

/// Formatter that prints times in ns without conversion.
struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, _typical_value: f64, _values: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_throughputs(
        &self,
        _typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let (bytes, items) = throughput.amounts();
        let (amount, unit) = match (bytes, items) {
            (_, Some(items)) => (items, "elem/s"),
            (bytes, None) => (bytes.unwrap_or_default(), "B/s"),
        };
        values.iter_mut().for_each(|ns| *ns = amount as f64 * 1e9 / *ns);
        unit
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "ns"
    }
}
