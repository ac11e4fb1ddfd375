//! Records turns as the engine does between two turns: encodes each turn and appends it to the journal of a
//! store. The store is in a separate folder, which is removed when the case is closed.

use derny_model::{
    Event, Isolation, Machine, Phase, Plan, RunHeader, RunStatus, Settings, Turn, Variant, Visit,
};
use derny_stats::Rng;
use derny_store::{Recorder, Store};
use std::path::{Path, PathBuf};

/// Returns the times of `n` batches: 20 µs with 1 % of noise.
pub fn times(n: usize) -> Vec<u64> {
    let mut rng = Rng::new(1);
    (0..n).map(|_| (20_000.0 * (1.0 + 0.01 * rng.normal())) as u64).collect()
}

/// A store in which turns of one kind are recorded one after another.
pub struct Recording {
    /// The recorder. `None` only during drop, because the store must be closed before its folder is
    /// removed.
    recorder: Option<Recorder>,
    folder: PathBuf,
    event: Event,
}

impl Recording {
    /// Starts a recording of turns with `n` batches.
    ///
    /// # Panics
    /// Panics if the store cannot be opened in the folder for temporary files.
    pub fn start(n: usize) -> Recording {
        let folder = std::env::temp_dir().join(format!("derny-selfbench-{}", std::process::id()));
        let recorder = recorder(&folder).expect("the folder of temporary files can be written");
        let times_ns = times(n);
        let wall_ns = times_ns.iter().sum::<u64>() + 60_000;
        let event = Event::Turn(Turn {
            visit: 0,
            phase: Phase::Measured,
            round: 0,
            iterations: 412,
            times_ns,
            ops: None,
            counters: Vec::new(),
            cpu: Some(0),
            at_ns: 0,
            wall_ns,
            hash: None,
            thread: None,
            reported: Vec::new(),
            outside: None,
        });
        Recording { recorder: Some(recorder), folder, event }
    }

    /// Records the next turn.
    ///
    /// # Panics
    /// Panics if the store cannot be written. The case then fails.
    pub fn record(&mut self) {
        if let Event::Turn(turn) = &mut self.event {
            turn.round += 1;
            turn.at_ns += turn.wall_ns;
        }
        let Some(recorder) = &mut self.recorder else { return };
        recorder.on_event(&self.event).expect("the store takes a turn");
    }
}

fn recorder(folder: &Path) -> Result<Recorder, derny_store::StoreError> {
    let mut recorder = Store::open(folder)?.recorder()?;
    let plan = Plan {
        isolation: Isolation::Case,
        reason: String::new(),
        launches: Vec::new(),
        processes: 1,
        rounds: 1,
        expected_ns: 0,
        bound_ns: 0,
        looks: Vec::new(),
    };
    let (run, cases) = (Box::new(header()), Vec::new());
    recorder.on_event(&Event::RunStarted { format: 1, run, cases, plan: Box::new(plan) })?;
    let visit = Visit {
        visit: 0,
        process: 0,
        case: 0,
        position: 0,
        open_ns: 1,
        metrics: [].into(),
        at_ns: 1,
        mode: None,
    };
    recorder.on_event(&Event::VisitStarted(visit))?;
    Ok(recorder)
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.recorder = None;
        // A folder that cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn header() -> RunHeader {
    RunHeader {
        id: "self".to_owned(),
        started_ms: 0,
        ended_ms: None,
        status: RunStatus::Running,
        engine_pid: std::process::id(),
        derny: env!("CARGO_PKG_VERSION").to_owned(),
        args: Vec::new(),
        seed: 1,
        settings: settings(),
        variants: vec![Variant { name: "base".to_owned(), ..Variant::default() }],
        machine: Machine::default(),
        commit: None,
        note: None,
        runtimes: Vec::new(),
        series: None,
        imported: None,
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    }
}

fn settings() -> Settings {
    Settings {
        budget_ns: 0,
        processes: 1,
        gc: "never".to_owned(),
        timeout_ns: 0,
        wave: 1,
        ..Settings::default()
    }
}
