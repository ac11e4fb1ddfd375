//! Limits that apply to this process: the processor quota of a container, and access to the processor's
//! counters.

use std::fs;

/// Returns the number of processors that the control group grants on average over a period of about 100
/// ms. Returns `None` if there is no quota.
pub fn processor_quota() -> Option<f64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let path = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    let mut path = path.trim_end_matches('/').to_owned();
    let mut least: Option<f64> = None;
    // The quota of every parent group applies too.
    loop {
        let file = fs::read_to_string(format!("/sys/fs/cgroup{path}/cpu.max"));
        if let Some(quota) = file.ok().as_deref().and_then(quota) {
            least = Some(least.map_or(quota, |least| least.min(quota)));
        }
        match path.rfind('/') {
            Some(cut) => path.truncate(cut),
            None => return least.or_else(old_quota),
        }
    }
}

/// Parses a quota and its period, such as `200000 100000` or `max 100000`.
fn quota(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?).filter(|share| share.is_finite())
}

/// Returns the quota of control groups version 1, in which -1 means no limit.
fn old_quota() -> Option<f64> {
    let read = |name| fs::read_to_string(format!("/sys/fs/cgroup/cpu/cpu.cfs_{name}_us")).ok();
    quota(&format!("{} {}", read("quota")?.trim(), read("period")?.trim())).filter(|share| *share > 0.0)
}

/// Access to the processor's counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counters {
    /// The counters are readable.
    Permitted,
    /// `perf_event_paranoid` forbids reading them. Contains its value.
    Forbidden(i32),
    /// The processor, which may be virtual, has no counters.
    Missing,
}

/// Returns whether this process may read the processor's counters, or `None` if unknown, as on systems
/// other than Linux.
pub fn counters() -> Option<Counters> {
    let caution: i32 =
        fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?.trim().parse().ok()?;
    let devices = fs::read_dir("/sys/bus/event_source/devices").ok()?;
    let is_processor = |name: &str| name.starts_with("cpu") || name.starts_with("armv");
    let present = devices.flatten().any(|entry| entry.file_name().to_str().is_some_and(is_processor));
    let root =
        fs::read_to_string("/proc/self/status").ok()?.lines().any(|line| line.starts_with("Uid:\t0\t"));
    Some(match (present, root || caution <= 2) {
        (false, _) => Counters::Missing,
        (true, true) => Counters::Permitted,
        (true, false) => Counters::Forbidden(caution),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotas_are_processors() {
        assert_eq!(super::quota("150000 100000\n"), Some(1.5));
        assert_eq!(super::quota("max 100000\n"), None);
        assert_eq!(super::quota(""), None);
        assert!(super::processor_quota().is_none_or(|quota| quota > 0.0));
    }
}
