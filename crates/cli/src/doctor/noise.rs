//! The noise floor: the built-in kernel compared with itself, with the same pairs and statistics as any two
//! variants. Any difference between the two is caused by the machine.

use super::kernel;
use derny_analysis::{Input, Options, compare, summarise};
use derny_engine::launch::folder::PrivateFolder;
use derny_model::{Interval, Problem, Quantity, problem};
use derny_store::Store;
use derny_workbench::Result;
use derny_workbench::error::Doing;
use std::path::Path;
use std::process::{Command, Stdio};

/// Wall time of the trial.
const BUDGET: &str = "2s";
/// Default margin of a comparison, as a share.
pub const MARGIN: f64 = 0.01;

/// Returns the interval of the difference between a program and itself, as a fraction, after two seconds of
/// pairs.
pub fn floor() -> Result<Interval> {
    let folder =
        PrivateFolder::make(None).doing(|| "cannot create a temporary folder for the trial".into())?;
    let store = folder.path().join("store");
    measure(folder.path(), &store)?;
    let records = Store::open(&store)?.load("last")?;
    let document = summarise(&records);
    let side = |variant: u32| Input {
        name: variant.to_string(),
        document: &document,
        records: Some(&records),
        variant,
    };
    let confidence = records.header.settings.confidence;
    let options = Options { margin: MARGIN, confidence, ..Options::default() };
    let comparison = compare(&[side(0), side(1)], &options);
    let sides = comparison.cases.iter().flat_map(|case| &case.sides);
    let typical = sides.flat_map(|side| &side.changes).find(|change| change.quantity == Quantity::Typical);
    let interval = typical.and_then(|change| change.change?.interval);
    Ok(interval.ok_or_else(|| Problem::new("the trial was too short for an interval"))?)
}

/// Runs this program as a user would, to compare the kernel with itself.
fn measure(folder: &Path, store: &Path) -> Result<()> {
    let program = std::env::current_exe()?;
    // This precision cannot be reached, so the trial uses its whole budget.
    let words = ["run", "--control", "--precise", "--set", "precision=0.001%", "--budget", BUDGET, "--"];
    let done = Command::new(&program)
        .args(["--no-config", "-qq", "-C"])
        .arg(folder)
        .arg("--store")
        .arg(store)
        .args(words)
        .arg(&program)
        .arg(kernel::ARGUMENT)
        .stdin(Stdio::null())
        .output()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it printed nothing");
        return Err(problem!("the trial failed: {first}").into());
    }
    Ok(())
}
