//! The checks of `derny doctor`. Each is a pure function of the facts that it receives.

use super::noise::MARGIN;
use derny_engine::observe::clock::Clock;
use derny_engine::observe::limits::Counters;
use derny_model::{Interval, Observation};
use derny_report::doctor::{Check, Status};
use derny_report::{Style, numbers};
use std::time::Duration;

/// Returns a check. It has a code only if its status is a warning or a failure.
fn check(status: Status, name: &str, text: impl Into<String>, code: &str) -> Check {
    let code = matches!(status, Status::Warn | Status::Fail).then(|| code.to_string());
    Check { status, name: name.into(), text: text.into(), code }
}

fn warn_if(bad: bool) -> Status {
    if bad { Status::Warn } else { Status::Ok }
}

/// Returns the check of a fact that this system does not provide.
fn unknown(name: &str) -> Check {
    check(Status::Unknown, name, "unknown: not available on this system", "")
}

/// Checks the resolution and cost of the clock. A reading above 200 ns is a system call. A resolution above 1
/// µs makes batches long, and one of 10 ms or more is too coarse to measure with.
pub fn clock(clock: Clock, source: Option<&str>) -> Check {
    let style = Style::default();
    let source = source.map_or(String::new(), |source| format!(", source {source}"));
    let step = numbers::duration(clock.step_ns as f64, &style);
    let text = format!("resolution {step}, {:.0} ns to read{source}", clock.cost_ns);
    let status = if clock.step_ns >= 10_000_000 {
        Status::Fail
    } else {
        warn_if(clock.step_ns > 1_000 || clock.cost_ns > 200.0)
    };
    check(status, "clock", text, "DY103")
}

/// Reports the processors online, those available to this process, and those used for measurements.
pub fn cores(online: u32, allowed: usize, chosen: usize) -> Check {
    let mut text = format!("{} online", numbers::counted(online as usize, "processor", "processors"));
    if allowed == 0 {
        text.push_str(", and threads cannot be pinned");
    } else {
        text.push_str(&format!(", {chosen} used for measurements"));
    }
    check(Status::Ok, "cores", text, "")
}

/// Checks SMT siblings: hardware threads that share a core with a measured one.
pub fn smt(active: Option<&str>, siblings: usize) -> Check {
    match active {
        Some("1") if siblings > 0 => check(
            Status::Warn,
            "smt",
            format!(
                "other programs can run on {} of measured cores",
                numbers::counted(siblings, "sibling", "siblings")
            ),
            "DY106",
        ),
        Some(_) => check(Status::Ok, "smt", "no siblings", ""),
        None => unknown("smt"),
    }
}

/// Checks the frequency governor.
pub fn governor(governor: Option<&str>) -> Check {
    match governor {
        Some("performance") => check(Status::Ok, "governor", "performance", ""),
        Some(other) => {
            check(Status::Warn, "governor", format!("{other}: clock frequency follows load"), "DY104")
        }
        None => unknown("governor"),
    }
}

/// Checks that turbo is off. Depending on its driver, the kernel reports `no_turbo`, where `1` means off, or
/// `boost`, where `1` means on.
pub fn turbo(no_turbo: Option<&str>, boost: Option<&str>) -> Check {
    match (no_turbo, boost) {
        (Some("1"), _) | (None, Some("0")) => check(Status::Ok, "turbo", "off", ""),
        (Some(_), _) | (None, Some(_)) => {
            check(Status::Warn, "turbo", "on: frequency depends on temperature and on other cores", "DY105")
        }
        (None, None) => unknown("turbo"),
    }
}

/// Checks the load average, and the load by other programs during the observation.
pub fn load(seen: &Observation, cores: u32) -> Check {
    let Some(load) = seen.load else { return unknown("load") };
    let busy = seen.busy_others.unwrap_or(0.0);
    let high = load > 0.5 * f64::from(cores) || busy > 0.1;
    let others = if high { ": another program is running" } else { "" };
    let now = format!(", other programs use {} now", percent(busy));
    let now = if busy > 0.005 { now.as_str() } else { "" };
    let processors = numbers::counted(cores as usize, "core", "cores");
    check(warn_if(high), "load", format!("{load:.1} on {processors}{now}{others}"), "DY101")
}

/// Checks for programs that used more than a tenth of a processor during the observation, and lists at most
/// three. The times in `busiest` are in ticks of 10 ms.
pub fn programs(busiest: &[(String, u64)], watched: Duration) -> Check {
    let share = |ticks: u64| ticks as f64 / (watched.as_secs_f64() * 100.0);
    let busy: Vec<String> = busiest
        .iter()
        .take(3)
        .filter(|(_, ticks)| share(*ticks) > 0.1)
        .map(|(name, ticks)| format!("{name} ({} of a processor)", percent(share(*ticks))))
        .collect();
    let text = if busy.is_empty() { "no other program is busy".to_owned() } else { busy.join(", ") };
    check(warn_if(!busy.is_empty()), "programs", text, "DY101")
}

/// Checks the CPU quota of the container. Once it is exhausted, all threads stop for the rest of a period of
/// about 100 ms.
pub fn quota(quota: Option<f64>, cores: u32) -> Check {
    match quota {
        Some(quota) if quota < f64::from(cores) => {
            check(Status::Warn, "quota", format!("limited to {quota:.1} of {cores} processors"), "DY112")
        }
        _ => check(Status::Ok, "quota", "no limit on processor time", ""),
    }
}

/// Checks that at most a quarter of the swap is in use. Memory in swap is on the disk and slow to read.
pub fn swap(swap: Option<(u64, u64)>) -> Check {
    let size = |bytes: u64| numbers::bytes(bytes as f64, &Style::default());
    match swap {
        None => check(Status::Ok, "swap", "none", ""),
        Some((used, all)) => {
            let text = format!("{} of {} in use", size(used), size(all));
            check(warn_if(used > all / 4), "swap", text, "DY113")
        }
    }
}

/// Checks access to hardware performance counters. Tools such as `--profiler "perf stat"` need them, but
/// Derny itself does not.
pub fn counters(counters: Option<Counters>) -> Check {
    match counters {
        None => unknown("perf"),
        Some(Counters::Permitted) => check(Status::Ok, "perf", "counters permitted", ""),
        Some(Counters::Missing) => check(Status::Ok, "perf", "this processor has no counters", ""),
        Some(Counters::Forbidden(caution)) => check(
            Status::Warn,
            "perf",
            format!("counters not permitted (perf_event_paranoid = {caution})"),
            "DY120",
        ),
    }
}

/// Checks the noise floor: the apparent difference of a program from itself after two seconds. Changes
/// smaller than the interval's half-width cannot be detected, and an interval without 0 is a false positive.
/// Warns if the half-width, or the midpoint of a false positive, exceeds the default margin.
pub fn noise(floor: Result<Interval, String>) -> Check {
    match floor {
        Err(why) => check(Status::Warn, "noise", why, "DY123"),
        Ok(Interval { lo, hi }) => {
            let (half, style) = ((hi - lo) / 2.0, Style::default());
            let mut text = format!(
                "a change under {} cannot be detected here in 2 s",
                numbers::fine_percent(half, &style)
            );
            let alarm = lo > 0.0 || hi < 0.0;
            if alarm {
                let apart = if lo > 0.0 { lo } else { -hi };
                text.push_str(&format!(
                    "; identical programs appear to differ by at least {}",
                    numbers::fine_percent(apart, &style)
                ));
            }
            check(warn_if(half > MARGIN || alarm && (lo + hi).abs() / 2.0 > MARGIN), "noise", text, "DY123")
        }
    }
}

/// Checks steal time: processor time that the hypervisor gave to other machines.
pub fn steal(steal: Option<f64>) -> Check {
    match steal {
        Some(share) => {
            let text = format!("the hypervisor took {} of processor time", percent(share));
            check(warn_if(share > 0.01), "steal", text, "DY101")
        }
        None => unknown("steal"),
    }
}

/// Checks pressure: the share of time in which a task waited for a processor.
pub fn pressure(pressure: Option<f64>) -> Check {
    match pressure {
        Some(share) => {
            let text = format!("tasks waited for a processor {} of the time", percent(share));
            check(warn_if(share > 0.1), "pressure", text, "DY101")
        }
        None => unknown("pressure"),
    }
}

fn percent(share: f64) -> String {
    numbers::percent(share, &Style::default())
}

/// Reports a virtual machine. There is no remedy, and the check of steal time shows when it matters.
pub fn virtual_machine(virtualised: Option<&str>) -> Check {
    match virtualised {
        Some("yes") => {
            check(Status::Ok, "virtual", "a virtual machine: other machines may take processor time", "")
        }
        Some(_) => check(Status::Ok, "virtual", "no", ""),
        None => unknown("virtual"),
    }
}

/// Checks address space layout randomisation: 0 is off, 1 randomises everything except the heap, and 2
/// everything.
pub fn layout(aslr: Option<&str>, system: &str) -> Check {
    match aslr {
        Some("0") => {
            check(Status::Warn, "layout", "not randomised: all processes have the same layout", "DY110")
        }
        Some(_) => check(Status::Ok, "layout", "randomised: each process has its own layout", ""),
        None if system == "linux" => unknown("layout"),
        None => check(Status::Ok, "layout", "always randomised on this system", ""),
    }
}

/// Checks the power supply.
pub fn battery(on_battery: Option<&str>) -> Check {
    match on_battery {
        Some("yes") => check(Status::Warn, "power", "on battery", "DY107"),
        Some(_) => check(Status::Ok, "power", "on mains", ""),
        None => check(Status::Ok, "power", "no battery", ""),
    }
}

/// Checks free memory. Fails below 32 MiB. Warns below 256 MiB, where two runtimes do not fit side by side,
/// and below 10 %, where swapping is likely.
pub fn memory(available: Option<u64>, installed: u64) -> Check {
    let Some(available) = available else { return unknown("memory") };
    let size = |bytes: u64| numbers::bytes(bytes as f64, &Style::default());
    let text = format!("{} free of {}", size(available), size(installed));
    let status = match available {
        0..33_554_432 => Status::Fail,
        _ => warn_if(available < 268_435_456 || available < installed / 10),
    };
    check(status, "memory", text, "DY108")
}

/// Checks that all processors run the reference kernel at the same speed.
pub fn speed(spin: &[(u32, f64)]) -> Check {
    let slowest = spin.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let fastest = spin.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(slowest), Some(fastest)) = (slowest, fastest) else { return unknown("speed") };
    let ratio = slowest.1 / fastest.1;
    let text = if ratio > 1.05 {
        format!("processor {} is {} slower than processor {}", slowest.0, percent(ratio - 1.0), fastest.0)
    } else {
        format!("{:.2} ns per step of the reference kernel on all processors", fastest.1)
    };
    check(warn_if(ratio > 1.05), "speed", text, "DY109")
}

/// Reports the number of runs and the size of the store, or why it cannot be opened.
pub fn store(folder: &str, existed: bool, tried: Result<(usize, u64), String>) -> Check {
    match tried {
        Err(why) => {
            check(Status::Fail, "store", format!("cannot open the store at {folder}: {why}"), "DY121")
        }
        Ok(_) if !existed => check(Status::Ok, "store", format!("{folder} can be created"), ""),
        Ok((runs, bytes)) => {
            let runs = numbers::counted(runs, "run", "runs");
            let size = numbers::bytes(bytes as f64, &Style::default());
            check(Status::Ok, "store", format!("{folder}: {runs}, {size}"), "")
        }
    }
}

/// Checks the version of a runtime. A missing runtime matters only if the project uses it.
pub fn runtime(
    name: &str,
    language: &str,
    found: Result<Option<String>, String>,
    used: bool,
    install: Option<&str>,
) -> Check {
    match found {
        Ok(version) => check(Status::Ok, name, version.unwrap_or_else(|| "found".into()), ""),
        Err(why) if used => {
            let install = install.map_or(String::new(), |install| format!("; {install}"));
            check(Status::Warn, name, format!("needed for {language}: {why}{install}"), "DY122")
        }
        Err(_) => check(Status::Ok, name, format!("not found; only {language} needs it"), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(check: Check) -> (Status, Option<String>) {
        assert!(!check.text.is_empty());
        (check.status, check.code)
    }

    fn warned(code: &str) -> (Status, Option<String>) {
        (Status::Warn, Some(code.into()))
    }

    const OK: (Status, Option<String>) = (Status::Ok, None);
    const UNKNOWN: (Status, Option<String>) = (Status::Unknown, None);

    #[test]
    fn clocks() {
        let judged = |step_ns, cost_ns| status(clock(Clock { step_ns, cost_ns }, Some("tsc")));
        assert_eq!(judged(1, 24.0), OK);
        assert_eq!(judged(1, 900.0), warned("DY103"));
        assert_eq!(judged(2_000, 30.0), warned("DY103"));
        assert_eq!(judged(15_600_000, 30.0), (Status::Fail, Some("DY103".into())));
    }

    #[test]
    fn processors_and_their_speed() {
        assert_eq!(status(smt(Some("1"), 2)), warned("DY106"));
        assert_eq!(status(smt(Some("0"), 0)), OK);
        assert_eq!(status(governor(Some("powersave"))), warned("DY104"));
        assert_eq!(status(governor(Some("performance"))), OK);
        assert_eq!(status(governor(None)), UNKNOWN);
        assert_eq!(status(smt(None, 0)), UNKNOWN);
        assert_eq!(status(turbo(Some("1"), None)), OK);
        assert_eq!(status(turbo(Some("0"), None)), warned("DY105"));
        assert_eq!(status(turbo(None, Some("1"))), warned("DY105"));
        assert_eq!(status(turbo(None, Some("0"))), OK);
        assert_eq!(status(speed(&[(0, 1.0), (1, 1.02)])), OK);
        let unequal = speed(&[(0, 1.0), (3, 1.5)]);
        assert_eq!(unequal.text, "processor 3 is 50 % slower than processor 0");
        assert_eq!(status(unequal), warned("DY109"));
        assert_eq!(cores(4, 4, 2).text, "4 processors online, 2 used for measurements");
    }

    #[test]
    fn company() {
        let seen =
            |load, busy| Observation { load: Some(load), busy_others: Some(busy), ..Default::default() };
        assert_eq!(status(load(&seen(0.1, 0.0), 2)), OK);
        assert_eq!(status(load(&seen(1.8, 0.0), 2)), warned("DY101"));
        assert_eq!(status(load(&seen(0.1, 0.4), 2)), warned("DY101"));
        assert_eq!(status(steal(Some(0.0))), OK);
        assert_eq!(status(steal(Some(0.05))), warned("DY101"));
        assert_eq!(status(pressure(Some(0.5))), warned("DY101"));
        assert_eq!(status(pressure(None)), UNKNOWN);
    }

    #[test]
    fn programs_by_name_and_limits() {
        let watched = Duration::from_millis(400);
        let busy = programs(&[("cc1".into(), 30), ("x".into(), 1)], watched);
        assert_eq!(busy.text, "cc1 (75 % of a processor)");
        assert_eq!(status(busy), warned("DY101"));
        assert_eq!(status(programs(&[("x".into(), 2)], watched)), OK);
        assert_eq!(quota(Some(1.5), 4).text, "limited to 1.5 of 4 processors");
        assert_eq!(status(quota(Some(1.5), 4)), warned("DY112"));
        assert_eq!(status(quota(Some(4.0), 4)), OK);
        assert_eq!(status(quota(None, 4)), OK);
        assert_eq!(status(swap(Some((3 << 30, 4 << 30)))), warned("DY113"));
        assert_eq!(status(swap(Some((0, 4 << 30)))), OK);
        assert_eq!(status(swap(None)), OK);
        assert_eq!(status(counters(Some(Counters::Forbidden(4)))), warned("DY120"));
        assert_eq!(status(counters(Some(Counters::Permitted))), OK);
        assert_eq!(status(counters(Some(Counters::Missing))), OK);
    }

    #[test]
    fn floors() {
        let quiet = noise(Ok(Interval { lo: -0.0006, hi: 0.0004 }));
        assert_eq!(quiet.text, "a change under 0.050 % cannot be detected here in 2 s");
        assert_eq!(status(quiet), OK);
        assert_eq!(status(noise(Ok(Interval { lo: -0.03, hi: 0.02 }))), warned("DY123"));
        let alarm = noise(Ok(Interval { lo: 0.013, hi: 0.017 }));
        assert!(
            alarm.text.ends_with(
                "identical programs appear to differ by at least 1.30 \
            %"
            ),
            "{}",
            alarm.text
        );
        assert_eq!(status(alarm), warned("DY123"));
        assert_eq!(status(noise(Ok(Interval { lo: 0.0001, hi: 0.0005 }))), OK, "of no consequence");
        assert_eq!(status(noise(Err("no".into()))), warned("DY123"));
    }

    #[test]
    fn layout_power_memory_store_runtimes() {
        assert_eq!(status(layout(Some("0"), "linux")), warned("DY110"));
        assert_eq!(status(layout(Some("2"), "linux")), OK);
        assert_eq!(status(battery(Some("yes"))), warned("DY107"));
        assert_eq!(status(battery(None)), OK);
        assert_eq!(status(memory(Some(8 << 30), 16 << 30)), OK);
        assert_eq!(status(memory(Some(1 << 30), 16 << 30)), warned("DY108"));
        assert_eq!(status(memory(Some(1 << 20), 16 << 30)).0, Status::Fail);
        assert_eq!(status(store("x", true, Err("read-only".into()))).0, Status::Fail);
        assert_eq!(store("x", true, Ok((3, 2_000))).text, "x: 3 runs, 2.0 kB");
        let missing = || Err("not found".to_string());
        assert_eq!(
            status(runtime("node", "JavaScript", missing(), true, Some("install it"))),
            warned("DY122")
        );
        assert_eq!(status(runtime("node", "JavaScript", missing(), false, None)), OK);
        assert_eq!(runtime("node", "JavaScript", Ok(Some("v22".into())), true, None).text, "v22");
    }
}
