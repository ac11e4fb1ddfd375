//! The system's counts for a process: page faults and resident pages.
//!
//! When a process first writes to a page (the *first touch*), it pays for a page fault. A young process pays
//! this cost for all of its heap, but a process that has run for seconds does not. Both counts are therefore
//! read with every turn.

use std::fs::File;
use std::time::Instant;

/// Size of a page in bytes.
const PAGE: usize = 4096;
/// Number of pages in a trial that measures a first touch.
const TRIAL_PAGES: usize = 512;
/// Size in bytes of the allocation that contains these pages. At this size, memory always comes from
/// the system, never from an allocator's cache.
const TRIAL_BYTES: usize = 64 << 20;

/// The page counts of a process at one time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pages {
    /// Number of page faults so far that did not read from disk.
    pub faults: u64,
    /// Maximum number of resident pages so far.
    pub most: u64,
}

/// Maximum number of pages that one fault can map, if the system uses large pages.
const PAGES_OF_FAULT: u64 = 512;

impl Pages {
    /// Returns the number of pages touched for the first time since `before`, which is the growth of
    /// the maximum. Memory that a body repeatedly allocates and frees also causes faults. They are the
    /// body's own cost, and not first touches.
    pub fn touched_since(self, before: Pages) -> u64 {
        let faults = self.faults.saturating_sub(before.faults);
        self.most.saturating_sub(before.most).min(faults * PAGES_OF_FAULT)
    }
}

/// Reads the page counts of a process. Keeps the file open, because a reading then takes about 4 µs.
#[derive(Debug)]
pub struct Account {
    stat: File,
}

impl Account {
    /// Opens the reader for process `pid`. Returns `None` if the system does not report the counts.
    pub fn open(pid: u32) -> Option<Account> {
        File::open(format!("/proc/{pid}/stat")).ok().map(|stat| Account { stat })
    }

    /// Returns the current page counts. The maximum also covers `before`, the previous reading. Returns
    /// `None` once the process is gone.
    #[cfg(unix)]
    pub fn read(&self, before: Option<Pages>) -> Option<Pages> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 1024];
        let length = self.stat.read_at(&mut bytes, 0).ok()?;
        let now = parse(std::str::from_utf8(&bytes[..length]).ok()?)?;
        Some(Pages { most: before.map_or(now.most, |before| before.most.max(now.most)), ..now })
    }

    /// Returns `None`: not available on this platform.
    #[cfg(not(unix))]
    pub fn read(&self, _before: Option<Pages>) -> Option<Pages> {
        let _ = &self.stat;
        None
    }
}

/// Parses `PID (NAME) STATE …`. Minor faults are field 10, and resident pages are field 24. NAME may contain
/// any characters.
fn parse(stat: &str) -> Option<Pages> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split_ascii_whitespace();
    let faults = fields.nth(7)?.parse().ok()?;
    let most = fields.nth(13)?.parse().ok()?;
    Some(Pages { faults, most })
}

/// Measures the first touch of a page in ns, as the fastest of some trials. Each trial writes to memory
/// that the system has just granted.
pub fn first_touch_ns() -> f64 {
    let trial = || {
        let mut bytes = vec![0_u8; TRIAL_BYTES];
        let start = Instant::now();
        bytes.iter_mut().step_by(PAGE).take(TRIAL_PAGES).for_each(|byte| *byte = 1);
        let ns = start.elapsed().as_nanos() as f64;
        std::hint::black_box(&bytes);
        ns / TRIAL_PAGES as f64
    };
    (0..3).map(|_| trial()).fold(f64::INFINITY, f64::min)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_any_name() {
        let stat = "7 (a b) c) S 1 2 3 4 5 6 1234 8 9 10 11 12 13 14 15 16 17 18 19 20 4321 22";
        assert_eq!(parse(stat), Some(Pages { faults: 1234, most: 4321 }));
        for broken in
            ["", "7 (a", "7 (a) S 1 2", "7 (a) S 1 2 3 4 5 6 x 8 9 10 11 12 13 14 15 16 17 18 19 20 21"]
        {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn pages_that_are_written_to_are_counted_once() {
        let account = Account::open(std::process::id()).unwrap();
        let touch = |bytes: &mut Vec<u8>| {
            let before = account.read(None).unwrap();
            bytes.iter_mut().step_by(PAGE).for_each(|byte| *byte += 1);
            let after = account.read(Some(before)).unwrap();
            (after.faults - before.faults, after.touched_since(before))
        };
        // Use 256 MiB, which is more than other tests of this process have touched so far. They touch
        // memory at the same time, and large pages may be in use.
        let mut bytes = vec![0_u8; 256 << 20];
        let (first, second) = (touch(&mut bytes), touch(&mut bytes));
        assert!(first.0 >= 32 && second.0 < first.0, "{first:?} {second:?}");
        assert!(first.1 > 8192 && second.1 < 8192, "{first:?} {second:?}");
    }

    #[test]
    fn what_is_given_back_is_no_first_touch() {
        let pages = |faults, most| Pages { faults, most };
        assert_eq!(pages(900, 500).touched_since(pages(100, 500)), 0);
        assert_eq!(pages(900, 1000).touched_since(pages(100, 500)), 500);
        assert_eq!(pages(100, 501).touched_since(pages(100, 500)), 0, "the system's own rounding");
    }

    #[test]
    fn a_first_touch_takes_time() {
        let ns = first_touch_ns();
        assert!((1.0..1e6).contains(&ns), "{ns} ns");
    }
}
