//! The noise floor: one built-in kernel measured against itself, through the same pairs and the same comparison as anybody's
//! variants. What they seem to differ by is the machine's.

use super::kernel;
use anyhow::{Context, Result, bail};
use derny_model::{Comparison, Interval};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Wall time of the trial.
const BUDGET: &str = "2s";

/// A folder that is gone when this is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed lies among temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The interval of the difference that was seen between a program and itself, as a share, after two seconds of pairs.
pub fn floor() -> Result<Interval> {
    let folder = Folder(std::env::temp_dir().join(format!("derny-noise-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).context("no folder can be made for the trial")?;
    let program = std::env::current_exe()?;
    // To the end of the time: no difference between equals is ever narrower than this.
    let words =
        ["run", "--control", "--precise", "--precision", "0.001%", "--budget", BUDGET, "-f", "json", "--"];
    let done = Command::new(&program)
        .args(["--no-config", "-qq", "-C"])
        .arg(&folder.0)
        .arg("--store")
        .arg(folder.0.join("store"))
        .args(words)
        .arg(&program)
        .arg(kernel::ARGUMENT)
        .env_remove("DERNY_STORE")
        .stdin(Stdio::null())
        .output()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        bail!("the trial failed: {first}");
    }
    let comparison: Comparison =
        serde_json::from_slice(&done.stdout).context("the trial gave no comparison")?;
    let sides = comparison.cases.iter().flat_map(|case| &case.sides);
    let changes = sides.flat_map(|side| &side.changes).filter_map(|change| change.change);
    changes.filter_map(|change| change.interval).next().context("the trial was too short for an interval")
}
