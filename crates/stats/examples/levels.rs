//! Prints the changes of level in series of values, for `peers/history.mjs`. Each line of standard input is a
//! series of positive values. The line of the output for it lists the changes of the logarithms as
//! `INDEX:DIFFERENCE`. The argument `sensitive` selects the sensitive rules.
#![allow(clippy::print_stdout)]

use derny_stats::level::{LevelRules, level_changes};

fn main() -> std::io::Result<()> {
    let is_sensitive = std::env::args().any(|word| word == "sensitive");
    let rules = if is_sensitive { LevelRules::sensitive() } else { LevelRules::default() };
    for line in std::io::stdin().lines() {
        let line = line?;
        let logs: Vec<f64> =
            line.split_whitespace().map(|value| libm::log(value.parse().unwrap_or(f64::NAN))).collect();
        let changes = level_changes(&logs, &rules).unwrap_or_default();
        let words: Vec<String> =
            changes.iter().map(|change| format!("{}:{}", change.index, change.difference)).collect();
        println!("{}", words.join(" "));
    }
    Ok(())
}
