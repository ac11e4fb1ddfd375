//! Prints the changes of level of series, for `peers/history.mjs`. Each line of standard input is a series of
//! positive values. A line of the output has `INDEX:DIFFERENCE` for each change of the logarithms.
#![allow(clippy::print_stdout)]

use derny_stats::level::{LevelRules, level_changes};

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lines() {
        let line = line?;
        let logs: Vec<f64> =
            line.split_whitespace().map(|value| libm::log(value.parse().unwrap_or(f64::NAN))).collect();
        let changes = level_changes(&logs, &LevelRules::default()).unwrap_or_default();
        let words: Vec<String> =
            changes.iter().map(|change| format!("{}:{}", change.index, change.difference)).collect();
        println!("{}", words.join(" "));
    }
    Ok(())
}
