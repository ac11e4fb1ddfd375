//! The peak memory of a program.
//!
//! On Linux, the peak of a process includes the memory of the process that started it. If an engine of
//! 36 MB starts a harness of 2 MB, the harness has a peak of 36 MB. The peak is therefore read from the
//! program while it is alive. The value that the system reports at the end counts only if it clearly
//! exceeds the engine's own peak.

use crate::os;

/// Factor by which the value at the end must exceed the engine's own peak to count. It allows for
/// inexact values, because the system counts pages per processor and rarely adds them up.
const SLACK: f64 = 1.25;

/// Readings of a program's peak memory.
#[derive(Debug)]
pub struct Peak {
    /// The engine's own peak when it started the program, in bytes.
    inherited: u64,
    /// Largest value read from the program itself, in bytes.
    seen: Option<u64>,
}

impl Peak {
    /// Returns empty readings for a program that this process has just started.
    pub fn of_child() -> Peak {
        Peak { inherited: if cfg!(target_os = "linux") { os::own_peak_bytes() } else { 0 }, seen: None }
    }

    /// Reads the peak of process `pid`, if the process is alive and the system reports it.
    pub fn note(&mut self, pid: u32) {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        self.seen = self.seen.max(kilobytes.map(|kilobytes| kilobytes * 1024));
    }

    /// Returns the peak in bytes. `told` is the value that the system reports at the end. Returns
    /// `None` if the program ended before the first reading and `told` may be the engine's own peak.
    pub fn at_end(&self, told: u64) -> Option<u64> {
        if told as f64 > self.inherited as f64 * SLACK { self.seen.max(Some(told)) } else { self.seen }
    }
}

#[cfg(test)]
mod tests {
    use super::Peak;
    use crate::launch::LaunchSpec;
    use crate::launch::link::Starting;
    use derny_testkit::program::fake_harness;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_small_harness_of_a_large_engine_has_a_small_peak() {
        const LARGE: usize = 200 << 20;
        let memory = std::hint::black_box(vec![1_u8; LARGE]);
        let spec = LaunchSpec {
            command: vec![fake_harness().display().to_string(), "--cases=1".into()],
            env: Vec::new(),
            directory: ".".into(),
            padding: 0,
            echo: false,
            capture: None,
            descriptors: false,
        };
        for is_polite in [true, false] {
            let started = Starting::launch(&spec, None, false).unwrap();
            let link = started.hello(Duration::from_secs(60), &AtomicBool::new(false)).unwrap();
            let left = if is_polite { link.quit(Duration::from_secs(60)) } else { link.kill() };
            let peak = left.ended.peak_bytes.unwrap();
            assert!((1 << 16..LARGE as u64 / 2).contains(&peak), "{peak} bytes");
        }
        assert_eq!(memory.len(), LARGE);
    }

    #[test]
    fn what_the_system_tells_counts_only_above_the_engines_own() {
        let of = |seen| Peak { inherited: 40 << 20, seen };
        assert_eq!(of(Some(3 << 20)).at_end(40 << 20), Some(3 << 20));
        assert_eq!(of(Some(3 << 20)).at_end(41 << 20), Some(3 << 20));
        assert_eq!(of(Some(3 << 20)).at_end(90 << 20), Some(90 << 20));
        assert_eq!(of(None).at_end(40 << 20), None);
        assert_eq!(of(None).at_end(90 << 20), Some(90 << 20));
    }
}
