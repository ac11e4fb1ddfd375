//! Simulated times: the time that a body would take on a machine with known noise. Nothing waits.

use crate::args::Settings;
use derny_stats::Rng;
use std::io::Write;

/// Length of a turn in ns, to which the share in `--pauses` refers.
const TURN_NS: f64 = 2_000_000.0;

/// Pauses that occur at random, at a constant rate per unit of the body's time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pauses {
    /// Share of 2 ms turns that contain a pause.
    pub share: f64,
    /// Duration of each pause in ns.
    pub ns: f64,
}

/// The simulated clock of a process for one case.
pub struct MadeUp {
    rng: Rng,
    /// Factor that multiplies the body's time in this process.
    factor: f64,
    /// Standard deviation of the logarithm of a batch's time.
    noise: f64,
    pauses: Option<Pauses>,
    /// Time of the body until the next pause, in ns.
    until_pause_ns: f64,
    paused: u64,
}

impl MadeUp {
    /// Creates the clock for this benchmark. Equal seeds, environment paddings and names give equal
    /// times.
    ///
    /// # Errors
    ///
    /// Fails if the file of `--first` cannot be used.
    pub fn new(settings: &Settings, benchmark: &str) -> Result<Self, String> {
        let padding = std::env::var("DERNY_STACK_PADDING").map_or(0, |padding| padding.len() as u64);
        let mut rng = Rng::new(settings.seed ^ padding << 32).fork(label(benchmark));
        let speed = settings.process_noise / 100.0 * rng.normal();
        let changed = settings.changed.iter().filter(|(name, _)| name == benchmark);
        let changes: f64 = changed.map(|(_, percent)| 1.0 + percent / 100.0).product();
        let factor = speed.exp() * changes * place(settings)?;
        let (noise, pauses) = (settings.noise / 100.0, settings.pauses);
        let mut clock = Self { rng, factor, noise, pauses, until_pause_ns: 0.0, paused: 0 };
        clock.draw();
        Ok(clock)
    }

    /// Returns the time of a batch in ns, given the time of its body.
    pub fn batch(&mut self, ns: f64) -> u64 {
        let own = ns * self.factor * (self.noise * self.rng.normal()).exp();
        let mut all = own;
        self.until_pause_ns -= own;
        while let Some(pauses) = self.pauses
            && self.until_pause_ns <= 0.0
        {
            all += pauses.ns;
            self.paused += 1;
            let over = self.until_pause_ns;
            self.draw();
            self.until_pause_ns += over;
        }
        all.round() as u64
    }

    pub fn take_pauses(&mut self) -> u64 {
        std::mem::take(&mut self.paused)
    }

    fn draw(&mut self) {
        let every_ns = self.pauses.map_or(f64::INFINITY, |pauses| TURN_NS / pauses.share);
        self.until_pause_ns = -every_ns * (1.0 - self.rng.f64()).ln();
    }
}

/// Returns the factor for the position of this process in its block. An engine opens a case in one process
/// after another, so every other process is the first of two.
fn place(settings: &Settings) -> Result<f64, String> {
    let Some((percent, path)) = &settings.first else { return Ok(1.0) };
    let wrong = |error: std::io::Error| format!("cannot use {}: {error}", path.display());
    let mut file = std::fs::File::options().append(true).create(true).open(path).map_err(wrong)?;
    let before = file.metadata().map_err(wrong)?.len();
    file.write_all(b".").map_err(wrong)?;
    Ok(if before % 2 == 0 { 1.0 + percent / 100.0 } else { 1.0 })
}

fn label(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
