//! Properties of the machine that affect the interpretation of a result.

use super::{clock, memory, process, unobserved};
use crate::os;
use derny_model::Machine;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread;

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_string()).filter(|text| !text.is_empty())
}

/// Returns the properties of this machine.
pub fn machine() -> Machine {
    Machine {
        os: std::env::consts::OS.to_string(),
        kernel: read("/proc/sys/kernel/osrelease").unwrap_or_default(),
        cpu: cpu_name(),
        cores: at_once() as u32,
        memory_bytes: memory::installed_bytes().unwrap_or(0),
        host: read("/proc/sys/kernel/hostname")
            .or_else(|| std::env::var("HOSTNAME").ok())
            .or_else(|| std::env::var("COMPUTERNAME").ok())
            .unwrap_or_default(),
        facts: facts(),
        unobserved: unobserved(),
    }
}

fn cpuinfo(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

fn cpu_name() -> String {
    cpuinfo("model name").or_else(|| cpuinfo("Model")).unwrap_or_else(|| std::env::consts::ARCH.to_string())
}

fn facts() -> BTreeMap<String, String> {
    let cpu = "/sys/devices/system/cpu";
    let sources = [
        ("clocksource", read("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
        ("governor", read(&format!("{cpu}/cpu0/cpufreq/scaling_governor"))),
        ("turbo-off", read(&format!("{cpu}/intel_pstate/no_turbo"))),
        ("boost", read(&format!("{cpu}/cpufreq/boost"))),
        ("smt", read(&format!("{cpu}/smt/active"))),
        ("clock-cost-ns", Some(format!("{:.1}", clock::cost_ns()))),
        (derny_model::FIRST_TOUCH_NS, Some(format!("{:.0}", process::first_touch_ns()))),
        ("aslr", read("/proc/sys/kernel/randomize_va_space")),
        ("virtualised", virtualised()),
        ("on-battery", on_battery()),
    ];
    sources.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
}

fn virtualised() -> Option<String> {
    let flags = cpuinfo("flags")?;
    Some(if flags.split(' ').any(|flag| flag == "hypervisor") { "yes" } else { "no" }.to_string())
}

fn on_battery() -> Option<String> {
    let supplies = fs::read_dir("/sys/class/power_supply").ok()?;
    let online: Vec<String> =
        supplies.flatten().filter_map(|s| read(&s.path().join("online").to_string_lossy())).collect();
    (!online.is_empty()).then(|| if online.iter().any(|o| o == "1") { "no" } else { "yes" }.to_string())
}

/// Returns the number of programs that can run at once, at least 1. The value depends on the affinity
/// of the calling thread, and the engine later moves its own thread off the measuring processor. The
/// value is therefore read only once, before any thread moves.
pub fn at_once() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Returns the processors that the engine may use, one hardware thread per core.
pub fn processors() -> Vec<u32> {
    let allowed = os::affinity(0);
    let first_sibling = |p: u32| -> u32 {
        read(&format!("/sys/devices/system/cpu/cpu{p}/topology/thread_siblings_list"))
            .and_then(|list| list.split([',', '-']).next()?.parse().ok())
            .unwrap_or(p)
    };
    let firsts: Vec<u32> = allowed.iter().copied().filter(|&p| first_sibling(p) == p).collect();
    if firsts.is_empty() { allowed } else { firsts }
}
