//! Tick labels of an axis. All ticks share one prefixed unit, which the axis label shows. If they range too
//! widely for one unit, each tick has its own.

use super::scale::Scale;
use crate::numbers::{self, Units};
use crate::style::Style;

pub(super) struct Ruler {
    /// Divisor of all tick values. `None` if every tick has its own unit.
    size: Option<f64>,
    decimals: usize,
    share: bool,
    units: Units,
    follows: String,
    /// Unit for the axis label. Empty if every tick has its own unit.
    pub name: String,
}

impl Ruler {
    pub(super) fn new(unit: &str, scale: &Scale, ticks: &[f64]) -> Ruler {
        let (units, follows) = numbers::prefixes(unit);
        let far = scale.hi.abs().max(scale.lo.abs());
        let spans = scale.log && scale.hi / scale.lo > 500.0;
        if unit == "share" {
            let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(far, f64::min) * 100.0;
            return Ruler {
                size: Some(0.01),
                decimals: decimals(step),
                share: true,
                units,
                follows: String::new(),
                name: "%".to_owned(),
            };
        }
        if spans {
            return Ruler {
                size: None,
                decimals: 0,
                share: false,
                units,
                follows: follows.to_owned(),
                name: String::new(),
            };
        }
        let (size, prefix, _) =
            units.iter().rev().copied().find(|(size, ..)| far >= *size).unwrap_or(units[0]);
        let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(far, f64::min) / size;
        let name = match (prefix, follows) {
            ("", _) => follows.to_owned(),
            (_, f) if f.starts_with('/') || f.is_empty() => format!("{prefix}{f}"),
            _ => format!("{prefix} {follows}"),
        };
        Ruler {
            size: Some(size),
            decimals: decimals(step),
            share: false,
            units,
            follows: follows.to_owned(),
            name,
        }
    }

    pub(super) fn tick(&self, value: f64) -> String {
        let Some(size) = self.size else { return self.alone(value) };
        let text = format!("{:.*}", self.decimals, value / size);
        let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
        let text = if zero { text.trim_start_matches('-').to_owned() } else { text.replace('-', "−") };
        if self.share && !zero && value > 0.0 { format!("+{text}") } else { text }
    }

    fn alone(&self, value: f64) -> String {
        let (size, prefix, _) = self
            .units
            .iter()
            .rev()
            .copied()
            .find(|(size, ..)| value.abs() >= *size * 0.9999)
            .unwrap_or(self.units[0]);
        let scaled = value / size;
        let text = format!("{scaled:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        let joint = if self.follows.starts_with('/') || prefix.is_empty() || self.follows.is_empty() {
            ""
        } else {
            " "
        };
        format!("{text} {prefix}{joint}{}", self.follows).trim_end().to_owned()
    }
}

pub(super) fn tooltip(value: f64, unit: &str) -> String {
    let style = Style::default();
    if unit == "share" {
        return numbers::change(value, &style);
    }
    numbers::quantity(&derny_model::Estimate { value, interval: None }, unit, &style).value
}

/// Returns the number of decimals that distinguishes ticks with this step.
fn decimals(step: f64) -> usize {
    let mut shown = step;
    for decimals in 0..6 {
        if (shown - shown.round()).abs() < 1e-3 * shown.abs().max(1e-9) {
            return decimals;
        }
        shown *= 10.0;
    }
    2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(unit: &str, values: [f64; 2], log: bool) -> (String, Vec<String>) {
        let scale = Scale::new(values.into_iter(), log, 0.0, 100.0);
        let ticks = scale.ticks(5);
        let ruler = Ruler::new(unit, &scale, &ticks);
        (ruler.name.clone(), ticks.iter().map(|tick| ruler.tick(*tick)).collect())
    }

    #[test]
    fn an_axis_has_one_unit_or_each_tick_its_own() {
        assert_eq!(
            written("ns", [41.0, 58.0], false),
            ("ns".into(), vec!["45".into(), "50".into(), "55".into()])
        );
        assert_eq!(
            written("ns", [1210.0, 1450.0], false),
            ("µs".into(), vec!["1.2".into(), "1.3".into(), "1.4".into()])
        );
        let (name, ticks) = written("ns", [40.0, 4e6], true);
        assert_eq!(
            (name.as_str(), ticks[0].as_str(), ticks.last().unwrap().as_str()),
            ("", "1 µs", "100 µs")
        );
        let (name, ticks) = written("share", [-0.04, 0.05], false);
        assert_eq!(
            (name.as_str(), ticks.first().unwrap().as_str(), ticks.last().unwrap().as_str()),
            ("%", "−4", "+4")
        );
        assert_eq!(written("bytes/s", [1e9, 2e9], false).0, "GB/s");
        assert_eq!(written("requests/s", [1e4, 2e4], false).0, "k requests/s");
    }
}
