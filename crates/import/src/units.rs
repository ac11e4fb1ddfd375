//! Converts units of time as tools write them.

pub(crate) fn ns(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" | "nanosecond" | "nanoseconds" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" | "sec" | "second" | "seconds" => 1e9,
        "min" | "m" => 60e9,
        "hr" | "h" => 3600e9,
        "day" | "d" => 86_400e9,
        _ => return None,
    })
}

pub(crate) fn ns_per_operation(unit: &str) -> Option<f64> {
    let (time, operation) = unit.split_once('/').unwrap_or((unit, "op"));
    matches!(operation, "op" | "iter" | "iteration" | "ops").then(|| ns(time.trim()))?
}

pub(crate) fn is_rate(unit: &str) -> bool {
    let below = unit.split_once('/').map(|(_, below)| below.trim());
    below.is_some_and(|below| ns(below).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_time_and_of_rates() {
        assert_eq!(
            ["ns", "us/op", "ns/iter", "s/op", "op/us"].map(ns_per_operation),
            [Some(1.0), Some(1e3), Some(1.0), Some(1e9), None]
        );
        assert_eq!(
            ["ns/op", "us/op", "ms/op", "s/op", "min/op", "hr/op", "day/op"].map(ns_per_operation),
            [1.0, 1e3, 1e6, 1e9, 6e10, 3.6e12, 8.64e13].map(Some)
        );
        assert!(
            ["ns", "us", "ms", "s", "min", "hr", "day"].iter().all(|unit| is_rate(&format!("ops/{unit}")))
        );
        assert_eq!(["ops/us", "iter/sec", "B/op", "ns"].map(is_rate), [true, true, false, false]);
    }
}
