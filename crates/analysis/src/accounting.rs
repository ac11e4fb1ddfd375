//! Accounts for a run's wall time.
//!
//! Every step of a run has a recorded time: launches, visits, turns, ends of processes, yardsticks. All
//! steps share one axis that begins with the run ([`axis`]). A resumed or merged run has several sections
//! ([`sections`]).

mod axis;
mod sections;

use axis::{Part, Step};
use derny_model::{
    Accounting, Phase, Preparation, ProcessEnd, ProcessStart, Records, TimeParts, Turn, Visit, WorkCounts,
};
use sections::Sections;
use std::collections::HashMap;

/// Returns how the run spent its time, or `None` for imported results. `now_ms` is the current time in ms
/// since the Unix epoch. Pass it only if the run has just been measured: the time since its end then counts
/// as analysis.
pub fn accounting(records: &Records, now_ms: Option<i64>) -> Option<Accounting> {
    if records.header.imported.is_some() {
        return None;
    }
    let sections = Sections::new(records);
    let Gathered { steps, timed_ns, counts } = gathered(records, &sections);
    let spent = axis::spent(steps);
    let of = |part: Part| spent[part as usize];
    let Preparation { build_ns, listing_ns } = records.header.preparation.unwrap_or_default();
    let since = |end: i64| now_ms.map(|now| (now - end).max(0) as u64 * 1_000_000);
    let analysis_ns = records.header.ended_ms.and_then(since);
    let timed_ns = timed_ns.min(of(Part::Measured));
    let known_ns: u64 = spent.iter().sum();
    let run_ns = sections.wall_ns(&records.header).max(known_ns);
    let parts = TimeParts {
        timed_ns,
        exchange_ns: of(Part::Measured) - timed_ns,
        empty_ns: of(Part::Empty),
        warm_up_ns: of(Part::WarmUp),
        settling_ns: of(Part::Settling),
        launch_ns: of(Part::Launch),
        end_ns: of(Part::End),
        yardsticks_ns: of(Part::Yardsticks),
        build_ns,
        listing_ns,
        analysis_ns,
        other_ns: run_ns - known_ns,
    };
    let wall_ns = run_ns + build_ns + listing_ns + analysis_ns.unwrap_or(0);
    Some(Accounting { wall_ns, parts, counts: WorkCounts { waves: sections.waves(records), ..counts } })
}

#[derive(Default)]
struct Gathered {
    steps: Vec<Step>,
    timed_ns: u64,
    counts: WorkCounts,
}

fn gathered(records: &Records, sections: &Sections) -> Gathered {
    let mut all = Gathered::default();
    all.counts.processes = records.processes.len() as u32;
    let shift = |process: u32| sections.shift_ns(process);
    for ProcessStart { process, launch_ns, at_ns, .. } in &records.processes {
        all.add(Part::Launch, shift(*process) + at_ns, *launch_ns);
    }
    for ProcessEnd { process, ending_ns, at_ns, .. } in &records.process_ends {
        all.add(Part::End, shift(*process) + at_ns, ending_ns.unwrap_or(0));
    }
    for (at_ns, took_ns) in sections.readings(records) {
        all.add(Part::Yardsticks, at_ns, took_ns);
    }
    let blocks: HashMap<u32, u32> =
        records.processes.iter().map(|start| (start.process, start.block)).collect();
    // Number of rounds by case and block.
    let mut rounds: HashMap<(u32, u32), u32> = HashMap::new();
    for record in &records.visits {
        let Visit { process, case, open_ns, at_ns, mode, .. } = &record.visit;
        let shift_ns = shift(*process);
        if mode.is_none() {
            all.add(Part::Launch, shift_ns + at_ns, *open_ns);
            all.counts.visits += 1;
            all.counts.exchanges += 1 + u32::from(record.complete);
        }
        let measured: u32 = record.at_hand().turns.iter().map(|turn| all.turn(turn, shift_ns)).sum();
        if mode.is_none() {
            let block = blocks.get(process).copied().unwrap_or(*process);
            let most = rounds.entry((block, *case)).or_default();
            *most = measured.max(*most);
        }
    }
    all.counts.rounds = rounds.values().sum();
    all
}

impl Gathered {
    fn add(&mut self, part: Part, end_ns: u64, took_ns: u64) {
        if took_ns > 0 {
            self.steps.push(Step { part, begin_ns: end_ns.saturating_sub(took_ns), end_ns });
        }
    }

    /// Adds the step and the counts of a turn. Returns 1 if the turn belongs to a round: it was measured and
    /// not rejected. Returns 0 otherwise.
    fn turn(&mut self, turn: &Turn, shift_ns: u64) -> u32 {
        let begin_ns = shift_ns + turn.at_ns;
        let part = match turn.phase {
            Phase::Cold | Phase::Calibration | Phase::WarmUp => Part::WarmUp,
            Phase::Measured | Phase::Rejected | Phase::Window => Part::Measured,
            Phase::Overhead => Part::Empty,
            Phase::Collection | Phase::Settling => Part::Settling,
        };
        self.steps.push(Step { part, begin_ns, end_ns: begin_ns + turn.wall_ns });
        self.counts.exchanges += 1;
        self.counts.warm_up_turns += u32::from(part == Part::WarmUp);
        if part != Part::Measured {
            return 0;
        }
        self.counts.measured_turns += 1;
        // A turn without batch times counts with its whole wall time.
        let timed_ns = turn.times_ns.iter().sum();
        self.timed_ns += if turn.times_ns.is_empty() { turn.wall_ns } else { timed_ns };
        u32::from(turn.phase != Phase::Rejected)
    }
}
