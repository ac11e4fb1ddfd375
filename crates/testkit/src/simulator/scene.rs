//! Describes the behaviour of two programs and their machine. Generates the pairs of processes that a
//! run would measure.
//!
//! A turn consists of eight batches with 2 ms of the body in total. It ends after the batch in which
//! this time has passed. A pause, a collection or a preemption affects one batch.

use super::process::{Process, Shown};
use derny_model::{Collector, Phase};
use derny_stats::Rng;

/// Length of a turn in ns.
pub const TURN_NS: f64 = 2e6;
const BATCHES: u64 = 8;
/// Number of operations in a turn of the base.
const OPERATIONS: u64 = 2000;

/// Events that make some turns longer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pauses {
    /// Share of turns with an event.
    pub share: f64,
    /// Duration in ns.
    pub ns: f64,
}

/// A collector that runs about once per fixed number of operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cycle {
    /// Number of turns of the base between two collections.
    pub turns: f64,
    /// Duration of a collection in ns.
    pub ns: f64,
}

/// One of the two programs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Side {
    /// Relative slowdown, as a share.
    pub slower: f64,
    /// Random pauses. They count as collections if the harness counts collections.
    pub pauses: Pauses,
    /// Regular collector.
    pub cycle: Option<Cycle>,
    /// Preemptions.
    pub preempted: Pauses,
    /// Number of initial measured turns in which code is compiled, and their relative slowdown.
    pub warming: (u32, f64),
}

/// Length of a visit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Visit {
    /// Fixed number of turns.
    Fixed,
    /// Complete cycles of the collector, within at most this number of turns. A pair that needs more is
    /// lost.
    Whole(u32),
    /// Fixed number of turns, after a warm-up that is longer by a random part of a cycle.
    AtRandom,
}

/// Two programs on a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scene {
    /// Base and other program.
    pub sides: [Side; 2],
    /// Standard deviation of the logarithm of a turn's time.
    pub white: f64,
    /// Standard deviation of the logarithm of time between processes.
    pub process: f64,
    /// True if a process has one of two equally likely offsets instead of a normally distributed one.
    pub layouts: bool,
    /// Correlation of the offsets of the two processes of a pair.
    pub shared: f64,
    /// Standard deviation of the logarithm of the level that all processes of a wave share.
    pub level: f64,
    /// Share of turns in a slow mode, and their relative slowdown.
    pub modes: (f64, f64),
    /// Relative slowdown of the machine from the first pair to the last of the plan.
    pub drift: f64,
    /// Relative slowdown of the process launched first.
    pub order: f64,
    /// Collector, as declared by the harness.
    pub collector: Collector,
    /// Number of warm-up turns.
    pub warm_up: u32,
    /// Minimum number of measured turns of a visit.
    pub rounds: u32,
    /// Rule for the length of a visit.
    pub visit: Visit,
}

impl Default for Scene {
    /// Returns a scene whose pairs have a standard deviation of 2.1 %, in a language without a
    /// collector.
    fn default() -> Self {
        Self {
            sides: [Side::default(); 2],
            white: 0.003,
            process: 0.0148,
            layouts: false,
            shared: 0.0,
            level: 0.0,
            modes: (0.0, 0.0),
            drift: 0.0,
            order: 0.0,
            collector: Collector::None,
            warm_up: 20,
            rounds: 12,
            visit: Visit::Fixed,
        }
    }
}

impl Scene {
    /// Returns the scene with a second program that is slower by `share`.
    #[must_use]
    pub fn slower(mut self, share: f64) -> Self {
        self.sides[1].slower = share;
        self
    }

    /// Returns the true logarithm of the ratio of typical times.
    #[must_use]
    pub fn typical(&self) -> f64 {
        let [base, new] = self.sides.map(|side| side.slower.ln_1p());
        new - base
    }

    /// Returns the true logarithm of the ratio of mean times. Does not include preemption, because it
    /// is not an effect of the program.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let [base, new] = self.sides.map(|side| {
            let own = TURN_NS * (1.0 + side.slower);
            // Pauses have a rate per unit of time. Collections have a rate per operation.
            let paused = 1.0 + side.pauses.share * side.pauses.ns / TURN_NS;
            own * paused + side.cycle.map_or(0.0, |cycle| cycle.ns / cycle.turns)
        });
        (new / base).ln()
    }
}

/// A run of a scene, which generates pairs.
pub struct SimulatedRun {
    scene: Scene,
    rng: Rng,
    pairs: u32,
    most: u32,
    /// Side that is launched first in the current pair.
    first: u64,
    /// Logarithm of the level that all processes of the wave share.
    machine: f64,
}

struct Living {
    process: Process,
    side: Side,
    /// Logarithm of the factor that multiplies the body's time.
    offset: f64,
    until_collection: f64,
    /// Number of operations since the window of the visit opened, or `None` before that.
    window: Option<u64>,
    is_closed: bool,
    /// True if a collection occurred in warm-up.
    has_collected: bool,
    measured: u32,
}

impl SimulatedRun {
    /// Creates a run of at most `most` pairs. Equal seeds give equal runs.
    #[must_use]
    pub fn new(scene: Scene, most: usize, seed: u64) -> Self {
        Self { scene, rng: Rng::new(seed), pairs: 0, most: most as u32, first: 0, machine: 0.0 }
    }

    /// Returns the next wave: pairs of base and other process, all of which are alive together.
    pub fn wave(&mut self, pairs: u32) -> Vec<[Process; 2]> {
        let drift = self.scene.drift * f64::from(self.pairs) / f64::from(self.most);
        let level = if self.scene.level > 0.0 { self.scene.level * self.rng.normal() } else { 0.0 };
        self.machine = drift + level;
        (0..pairs).map(|_| self.pair()).collect()
    }

    fn pair(&mut self) -> [Process; 2] {
        // Of two consecutive pairs, the first has a random launch order, and the second has the reverse
        // order.
        self.first = if self.pairs.is_multiple_of(2) { self.rng.below(2) } else { 1 - self.first };
        let offsets = self.offsets();
        let mut living = [0, 1].map(|side| self.launch(side, offsets[side]));
        for _ in 0..self.scene.warm_up {
            self.round(&mut living, Phase::WarmUp, 0);
        }
        if self.scene.visit == Visit::AtRandom {
            self.wait(&mut living);
        }
        let most = match self.scene.visit {
            Visit::Whole(most) => most,
            Visit::Fixed | Visit::AtRandom => self.scene.rounds,
        };
        let mut round = 0;
        // A process without a collection in warm-up does not wait for one.
        let waits = |one: &Living| one.has_collected && !one.is_closed;
        while round < self.scene.rounds || (round < most && living.iter().any(waits)) {
            let phase = if round < self.scene.rounds { Phase::Measured } else { Phase::Window };
            self.round(&mut living, phase, round);
            round += 1;
        }
        self.pairs += 1;
        living.map(|one| one.process)
    }

    /// Draws the offsets of the two processes of a pair, in standard deviations.
    fn offsets(&mut self) -> [f64; 2] {
        let Scene { layouts, shared, .. } = self.scene;
        let rng = &mut self.rng;
        let draw = |rng: &mut Rng| match layouts {
            true => [-1.0, 1.0][rng.below(2) as usize],
            false => rng.normal(),
        };
        let own = [draw(rng), draw(rng)];
        if shared == 0.0 {
            return own;
        }
        if layouts {
            return if rng.f64() < shared { [own[0]; 2] } else { own };
        }
        let both = shared.sqrt() * draw(rng);
        own.map(|own| both + (1.0 - shared).sqrt() * own)
    }

    fn launch(&mut self, side: usize, offset: f64) -> Living {
        let scene = self.scene;
        let is_first = side as u64 == self.first;
        let order = if is_first { scene.order.ln_1p() } else { 0.0 };
        let own = scene.sides[side];
        Living {
            process: Process::new(u32::from(!is_first), scene.collector),
            side: own,
            offset: own.slower.ln_1p() + order + scene.process * offset,
            until_collection: own.cycle.map_or(f64::INFINITY, |cycle| self.rng.f64() * cycle.turns)
                * OPERATIONS as f64,
            window: None,
            is_closed: false,
            has_collected: false,
            measured: 0,
        }
    }

    /// Extends the warm-up of both processes by the same random part of the longer cycle.
    fn wait(&mut self, living: &mut [Living; 2]) {
        let cycles = living.iter().filter_map(|one| one.side.cycle);
        let turns = self.rng.f64() * cycles.map(|cycle| cycle.turns).fold(0.0, f64::max);
        for _ in 0..turns.round() as u32 {
            self.round(living, Phase::WarmUp, 0);
        }
    }

    fn round(&mut self, living: &mut [Living; 2], phase: Phase, round: u32) {
        let scene = self.scene;
        for k in if self.rng.below(2) == 0 { [0, 1] } else { [1, 0] } {
            let is_slow = self.rng.f64() < scene.modes.0;
            let mode = if is_slow { scene.modes.1.ln_1p() } else { 0.0 };
            let shown = self.turn(&mut living[k], phase, self.machine + mode);
            living[k].process.add(phase, round, &shown);
            living[k].take(phase, &shown, scene.rounds);
        }
    }

    fn turn(&mut self, one: &mut Living, phase: Phase, machine: f64) -> Shown {
        let compiled = phase == Phase::Measured && one.measured < one.side.warming.0;
        let warming = if compiled { one.side.warming.1.ln_1p() } else { 0.0 };
        let white = self.scene.white * self.rng.normal();
        let turn_ns = TURN_NS * (one.offset + machine + warming + white).exp();
        let batch_ns = turn_ns / BATCHES as f64;
        let is_paused = self.rng.f64() < one.side.pauses.share * turn_ns / TURN_NS;
        let preempted = self.rng.f64() < one.side.preempted.share;
        let (pause, preemption) = (self.rng.below(BATCHES), self.rng.below(BATCHES));
        let operations = OPERATIONS / BATCHES;
        let mut shown = Shown { operations, compiled, ..Shown::default() };
        let mut passed_ns = 0.0;
        for batch in 0..BATCHES {
            let mut ns = batch_ns;
            if is_paused && batch == pause {
                ns += one.side.pauses.ns;
                shown.collections += 1;
            }
            if preempted && batch == preemption {
                ns += one.side.preempted.ns;
                shown.preempted = true;
            }
            one.until_collection -= operations as f64;
            if let Some(cycle) = one.side.cycle.filter(|_| one.until_collection <= 0.0) {
                ns += cycle.ns;
                shown.collections += 1;
                one.until_collection += cycle.turns * OPERATIONS as f64 * (1.0 + 0.1 * self.rng.normal());
            }
            shown.times_ns.push(ns);
            passed_ns += ns;
            // Noise alone must not end a turn early.
            if passed_ns >= TURN_NS + turn_ns / 2.0 {
                break;
            }
        }
        shown
    }
}

impl Living {
    /// Tracks the window of a visit. It begins after the first measured turn with a collection, and
    /// ends with the first turn with a collection after the planned length.
    fn take(&mut self, phase: Phase, shown: &Shown, rounds: u32) {
        let collected = shown.collections > 0;
        if phase == Phase::WarmUp {
            self.has_collected |= collected;
            return;
        }
        self.measured += 1;
        match &mut self.window {
            None if collected => self.window = Some(0),
            None => {}
            Some(operations) => {
                *operations += shown.operations * shown.times_ns.len() as u64;
                self.is_closed |= collected && *operations >= u64::from(rounds) * OPERATIONS;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_of(scene: Scene, pairs: usize) -> [f64; 2] {
        let mut run = SimulatedRun::new(scene, 40, 7);
        let mut sums = [(0.0, 0.0); 2];
        for _ in 0..pairs {
            for (sum, process) in sums.iter_mut().zip(run.wave(1).remove(0)) {
                let (ns, operations) = process.measured();
                *sum = (sum.0 + ns, sum.1 + operations);
            }
        }
        sums.map(|(ns, operations)| ns / operations)
    }

    #[test]
    fn without_noise_a_pair_shows_the_truth() {
        let quiet = Scene { white: 0.0, process: 0.0, ..Scene::default() };
        let [base, new] = mean_of(quiet.slower(0.02), 1);
        assert!((base - 1000.0).abs() < 1e-9 && (new / base - 1.02).abs() < 1e-6, "{base} {new}");
    }

    #[test]
    fn totals_reach_the_mean_that_the_scene_names() {
        let mut scene = Scene { collector: Collector::Counted, process: 0.002, ..Scene::default() };
        scene.sides[0].cycle = Some(Cycle { turns: 5.0, ns: 1e6 });
        scene.sides[1].pauses = Pauses { share: 0.01, ns: 1e7 };
        let [base, new] = mean_of(scene, 20_000);
        let off = (new / base).ln() - scene.mean();
        assert!(off.abs() < 0.005, "{off}");
    }

    /// Returns the log times of the processes of a run, base and other, by pair.
    fn logs(run: &mut SimulatedRun, pairs: u32) -> Vec<[f64; 2]> {
        let log = |process: &Process| {
            let (ns, operations) = process.measured();
            (ns / operations).ln()
        };
        run.wave(pairs).iter().map(|pair| pair.each_ref().map(log)).collect()
    }

    #[test]
    fn processes_of_a_wave_share_its_level_and_those_of_a_pair_their_offset() {
        let scene = Scene { white: 0.0, process: 0.01, level: 0.1, layouts: true, ..Scene::default() };
        let mut run = SimulatedRun::new(Scene { shared: 1.0, ..scene }, 40, 3);
        let waves = [logs(&mut run, 20), logs(&mut run, 20)];
        for wave in &waves {
            assert!(wave.iter().all(|[base, new]| (base - new).abs() < 1e-5), "{wave:?}");
            let first = wave[0][0];
            let is_one_of_two =
                |log: f64| [0.0, 0.02].iter().any(|apart| ((log - first).abs() - apart).abs() < 1e-5);
            assert!(wave.iter().flatten().all(|log| is_one_of_two(*log)), "{wave:?}");
            assert!(wave.iter().any(|[base, _]| (base - first).abs() > 0.01), "{wave:?}");
        }
        let apart = (waves[0][0][0] - waves[1][0][0]).abs();
        assert!(apart > 1e-4 && (apart - 0.02).abs() > 1e-4, "{apart}");
        let alone = logs(&mut SimulatedRun::new(scene, 40, 3), 40);
        let same = alone.iter().filter(|[base, new]| (base - new).abs() < 1e-5).count();
        assert!((8..=32).contains(&same), "{same} of 40 pairs have one layout");
    }

    #[test]
    fn couples_hold_both_orders_and_windows_whole_cycles() {
        let mut scene = Scene { collector: Collector::Counted, visit: Visit::Whole(400), ..Scene::default() };
        for side in &mut scene.sides {
            side.cycle = Some(Cycle { turns: 10.0, ns: 5e6 });
        }
        let mut run = SimulatedRun::new(scene, 40, 1);
        let pairs = run.wave(8);
        for couple in pairs.chunks(2) {
            assert_ne!(couple[0][0].place, couple[1][0].place);
        }
        let windows =
            |process: &Process| process.turns.iter().filter(|one| one.phase == Phase::Window).count();
        assert!(pairs.iter().all(|pair| windows(&pair[0]) > 0 && windows(&pair[0]) == windows(&pair[1])));
    }
}
