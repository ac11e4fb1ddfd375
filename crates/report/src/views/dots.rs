//! Draws the values of samples as stacked marks above one axis, in ASCII like ministat.

use derny_model::ClassicSample;

const WIDE: usize = 74;
/// Mark of each sample. With more samples, the marks repeat.
pub(crate) const MARKS: [char; 6] = ['x', '+', '%', '#', '@', 'O'];
/// Mark for positions where several samples coincide.
const MEET: char = '*';

/// Returns the framed marks of all samples, and a bar for each sample. The bar spans one standard deviation
/// around the mean (`A`) and shows the median (`M`).
pub(crate) fn dots(samples: &[ClassicSample]) -> String {
    let deviation = |sample: &ClassicSample| sample.standard_deviation.unwrap_or(0.0);
    let low = samples.iter().map(|s| s.minimum.min(s.mean - deviation(s))).fold(f64::INFINITY, f64::min);
    let high = samples.iter().map(|s| s.maximum.max(s.mean + deviation(s))).fold(f64::NEG_INFINITY, f64::max);
    let column = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        (share * (WIDE - 1) as f64).round().clamp(0.0, (WIDE - 1) as f64) as usize
    };
    let rule = format!("+{}+\n", "-".repeat(WIDE));
    let mut out = rule.clone();
    for row in marks(samples, &column).iter().rev() {
        out.push_str(&format!("|{}|\n", row.iter().collect::<String>()));
    }
    for sample in samples {
        let mut row = [' '; WIDE];
        if let Some(deviation) = sample.standard_deviation {
            let (from, to) = (column(sample.mean - deviation), column(sample.mean + deviation));
            row[from..=to].fill('_');
            (row[from], row[to]) = ('|', '|');
        }
        row[column(sample.median)] = 'M';
        row[column(sample.mean)] = 'A';
        out.push_str(&format!("|{}|\n", row.iter().collect::<String>()));
    }
    out + &rule
}

fn marks(samples: &[ClassicSample], column: &impl Fn(f64) -> usize) -> Vec<[char; WIDE]> {
    let mut rows: Vec<[char; WIDE]> = Vec::new();
    for (sample, mark) in samples.iter().zip(MARKS.iter().cycle()) {
        let mut heights = [0; WIDE];
        for value in &sample.values {
            let at = column(*value);
            let height: usize = heights[at];
            if rows.len() <= height {
                rows.push([' '; WIDE]);
            }
            let place = &mut rows[height][at];
            *place = if *place == ' ' { *mark } else { MEET };
            heights[at] += 1;
        }
    }
    rows
}
