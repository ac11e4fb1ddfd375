//! Sparklines: short texts whose letters show the course of a history's values.

use derny_model::History;

/// Maximum number of values in a sparkline.
const WIDTH: usize = 40;
/// Letters that stand for the heights 0 to 63.
const HEIGHTS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Separates values that were measured under different conditions and are not comparable.
const BREAK: char = '.';
/// Minimum range of a sparkline's heights, relative to the median. With a smaller range, noise would look
/// like a change.
const RANGE: f64 = 0.04;

/// A sparkline, the position in its text for every point, and the number of points per letter.
pub(super) struct Spark {
    pub(super) text: String,
    places: Vec<usize>,
    step: usize,
}

impl Spark {
    /// Returns the position in the text at which to mark a change that begins with `point`. Each letter shows
    /// the median of several points, most of which must be after the change.
    pub(super) fn place(&self, point: usize) -> usize {
        let later = (point + self.step / 2).min(self.places.len().saturating_sub(1));
        self.places.get(later).copied().unwrap_or_default()
    }
}

/// Returns the sparkline of the finite values.
pub(super) fn spark(history: &History) -> Spark {
    let step = history.points.len().div_ceil(WIDTH).max(1);
    let mut values: Vec<Option<f64>> = Vec::new();
    let mut places = Vec::with_capacity(history.points.len());
    let mut open: Vec<f64> = Vec::new();
    let close = |open: &mut Vec<f64>, values: &mut Vec<Option<f64>>| {
        open.sort_unstable_by(f64::total_cmp);
        if let Some(middle) = open.get(open.len() / 2) {
            values.push(Some(*middle));
        }
        open.clear();
    };
    for (at, point) in history.points.iter().enumerate() {
        let breaks = at > 0 && history.points[at - 1].conditions != point.conditions;
        if breaks || at % step == 0 {
            close(&mut open, &mut values);
        }
        if breaks && !values.is_empty() {
            values.push(None);
        }
        places.push(values.len());
        if point.value.is_finite() {
            open.push(point.value);
        }
    }
    close(&mut open, &mut values);
    Spark { text: letters(&values), places, step }
}

fn letters(values: &[Option<f64>]) -> String {
    // Scale the values first, because the range of values near the largest possible one would be infinite.
    let size = values.iter().flatten().fold(0.0_f64, |size, value| size.max(value.abs()));
    let scale = |value: f64| if size > 0.0 { value / size } else { 0.0 };
    let mut known: Vec<f64> = values.iter().flatten().map(|value| scale(*value)).collect();
    known.sort_unstable_by(f64::total_cmp);
    let (Some(least), Some(most)) = (known.first(), known.last()) else { return String::new() };
    let range = (most - least).max(RANGE * known[known.len() / 2].abs());
    let from = (least + most - range) / 2.0;
    let height = |value: f64| if range > 0.0 { ((scale(value) - from) / range * 63.0).round() } else { 31.0 };
    let letter = |value: &Option<f64>| {
        value.map_or(BREAK, |value| char::from(HEIGHTS[height(value).clamp(0.0, 63.0) as usize]))
    };
    values.iter().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::letters;

    fn drawn(values: &[f64]) -> String {
        letters(&values.iter().map(|value| Some(*value)).collect::<Vec<_>>())
    }

    #[test]
    fn letters_span_the_range_but_do_not_enlarge_noise() {
        assert_eq!(drawn(&[1.0, 2.0, 3.0]), "Ag_");
        assert_eq!(drawn(&[100.0, 101.0]), "Yn", "one percent of difference is no full height");
        assert_eq!(letters(&[Some(1.0), None, Some(2.0)]), "A._");
        assert_eq!(drawn(&[0.0, 0.0]), "ff");
        assert_eq!(drawn(&[-1e308, 1e308]), "A_");
        assert_eq!(drawn(&[]), "");
    }
}
