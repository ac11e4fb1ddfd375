//! Tests that memory per case is bounded, both during the measurement and while results are shown.
#![cfg(target_os = "linux")]

use crate::place::{self, Place, fake_args};
use std::time::Duration;

/// Maximum number of bytes per case. The table and the comparison need about a third of this. The turns alone
/// would take more.
const EACH: f64 = 40_000.0;

/// Returns the largest resident memory of a command in bytes, as counted by the system.
fn peak(place: &Place, args: &[&str]) -> f64 {
    let mut child = place.command(args).stdout(std::process::Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak: f64 = 0.0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
        peak = peak.max(kib.unwrap_or(0.0) * 1024.0);
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{args:?}: {status}");
            return peak;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Returns the peaks for this many cases: of a measured comparison, and of its report from the store.
fn peaks(cases: usize) -> [f64; 2] {
    let place = Place::new();
    let count = format!("--cases={cases}");
    let slower = format!("new={} --made-up {count} --offset=2", place::harness());
    let run = [
        "run",
        "-x",
        "old@.",
        "-x",
        &slower,
        "--set",
        "isolation=suite",
        "--set",
        "pin=none",
        "--no-progress",
        "-qq",
        "--budget",
        "600s",
        "--set",
        "processes=2",
        "--set",
        "rounds=24",
        "--set",
        "warmup=0",
        "--",
        "--made-up",
        &count,
    ];
    let measured = peak(&place, &fake_args(&run));
    let reported = peak(&place, &["report", "-o", "page.html"]);
    // Remove the store, so that it is not checked on drop. The check takes long for so many cases.
    std::fs::remove_dir_all(place.root.join(".derny")).unwrap();
    [measured, reported]
}

#[test]
fn memory_hardly_grows_with_the_number_of_cases() {
    let (few, many) = (20, 120);
    let (before, after) = (peaks(few), peaks(many));
    for (what, (before, after)) in ["run", "report"].iter().zip(before.into_iter().zip(after)) {
        let each = (after - before) / (many - few) as f64;
        assert!(
            each < EACH,
            "{what}: {each:.0} bytes a case, {before:.0} for {few} and {after:.0} for {many}"
        );
    }
}
