//! The state of the entire machine between two readings: load, steal, pressure, and the processor time of
//! other programs.

use super::script;
use crate::os;
use derny_model::Observation;
use std::fs;
use std::time::Instant;

#[derive(Debug, Clone, Copy)]
struct Ticks {
    all: u64,
    busy: u64,
    steal: u64,
}

/// Observes the machine. Keeps the last reading, so that shares cover the time since then.
#[derive(Debug)]
pub struct System {
    start: Instant,
    at: Instant,
    ticks: Option<Ticks>,
    pressure_us: Option<u64>,
    own_ns: u64,
}

impl System {
    /// Starts observing. `start` is the start of the run.
    pub fn new(start: Instant) -> System {
        System { start, at: Instant::now(), ticks: ticks(), pressure_us: pressure_us(), own_ns: own_ns() }
    }

    /// Returns the observation since the last call. Must be called while no harness is alive, because
    /// only children that have ended count as the engine's own.
    pub fn observe(&mut self, spin_ns: Vec<(u32, f64)>) -> Observation {
        let now = Instant::now();
        let (ticks, pressure_us, own_ns) = (ticks(), pressure_us(), own_ns());
        let wall_ns = now.duration_since(self.at).as_nanos() as f64;
        let share = |part: u64, all: u64| (all > 0).then(|| (part as f64 / all as f64).clamp(0.0, 1.0));
        let (mut steal, mut busy_others) = (None, None);
        if let (Some(old), Some(new)) = (self.ticks, ticks) {
            let all = new.all.saturating_sub(old.all);
            steal = share(new.steal.saturating_sub(old.steal), all);
            // A tick is 10 ms of one processor.
            let own_ticks = own_ns.saturating_sub(self.own_ns) / 10_000_000;
            busy_others = share(new.busy.saturating_sub(old.busy).saturating_sub(own_ticks), all);
        }
        let pressure = match (self.pressure_us, pressure_us) {
            (Some(old), Some(new)) if wall_ns > 0.0 => {
                Some((new.saturating_sub(old) as f64 * 1e3 / wall_ns).clamp(0.0, 1.0))
            }
            _ => None,
        };
        (self.at, self.ticks, self.pressure_us, self.own_ns) = (now, ticks, pressure_us, own_ns);
        let at_ns = now.duration_since(self.start).as_nanos() as u64;
        let seen = Observation {
            at_ns,
            load: load(),
            steal,
            pressure,
            busy_others,
            spin_ns,
            yardsticks: Vec::new(),
            took_ns: None,
        };
        match script::read() {
            None => seen,
            Some(said) => Observation {
                load: said.load,
                steal: Some(said.steal),
                busy_others: Some(said.others),
                ..seen
            },
        }
    }
}

fn own_ns() -> u64 {
    let (own, children) = os::own_cpu_ns();
    own + children
}

fn ticks() -> Option<Ticks> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let fields: Vec<u64> =
        text.lines().next()?.split_ascii_whitespace().skip(1).map_while(|field| field.parse().ok()).collect();
    let (&[user, nice, system, idle, wait, irq, soft], rest) = fields.split_first_chunk::<7>()?;
    let steal = rest.first().copied().unwrap_or(0);
    let busy = user + nice + system + irq + soft;
    Some(Ticks { all: busy + idle + wait + steal, busy, steal })
}

/// Returns the one-minute load average.
pub fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_ascii_whitespace().next()?.parse().ok()
}

fn pressure_us() -> Option<u64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let line = text.lines().find(|line| line.starts_with("some"))?;
    line.rsplit_once("total=")?.1.trim().parse().ok()
}
