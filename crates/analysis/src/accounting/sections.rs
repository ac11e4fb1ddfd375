//! Sections of a run. Each was measured by one engine process whose clock began at 0. A resumed or merged run
//! has several sections, placed one after the other.

use derny_model::{Records, RunHeader};
use std::collections::HashMap;

/// The sections of a run.
#[derive(Debug)]
pub struct Sections {
    /// Start of each section on the common axis in ns, followed by the end of the last one.
    begin_ns: Vec<u64>,
    /// Index of the section of each process.
    of: HashMap<u32, usize>,
}

impl Sections {
    /// Finds the sections. Processes are numbered in launch order, so a process that starts earlier than its
    /// predecessor begins a new section.
    pub fn new(records: &Records) -> Sections {
        let mut starts: Vec<(u32, u64)> =
            records.processes.iter().map(|start| (start.process, start.at_ns)).collect();
        starts.sort_unstable();
        let sections = numbered(starts.iter().map(|(_, at_ns)| *at_ns));
        let of: HashMap<u32, usize> =
            starts.iter().zip(sections).map(|((process, _), section)| (*process, section)).collect();
        let count = of.values().max().map_or(1, |last| last + 1);
        let mut spans = vec![0; count];
        let mut reach = |section: usize, at_ns: u64| {
            let span: &mut u64 = &mut spans[section.min(count - 1)];
            *span = at_ns.max(*span);
        };
        let section = |process: u32| of.get(&process).copied().unwrap_or(0);
        records.processes.iter().for_each(|start| reach(section(start.process), start.at_ns));
        records.process_ends.iter().for_each(|end| reach(section(end.process), end.at_ns));
        records.visits.iter().for_each(|record| reach(section(record.visit.process), record.visit.at_ns));
        let seen = numbered(records.observations.iter().map(|seen| seen.at_ns));
        records.observations.iter().zip(seen).for_each(|(seen, section)| reach(section, seen.at_ns));
        let mut begin_ns = vec![0];
        for span in spans {
            begin_ns.push(begin_ns.last().copied().unwrap_or(0) + span);
        }
        Sections { begin_ns, of }
    }

    /// Returns the offset of a process's times on the common axis, in ns.
    pub fn shift_ns(&self, process: u32) -> u64 {
        self.of.get(&process).map_or(0, |section| self.begin_ns[*section])
    }

    /// Returns the end and the duration of each yardstick reading, in ns on the common axis.
    pub fn readings(&self, records: &Records) -> Vec<(u64, u64)> {
        let last = self.begin_ns.len() - 2;
        let seen = numbered(records.observations.iter().map(|seen| seen.at_ns));
        let all = records.observations.iter().zip(seen);
        all.filter_map(|(seen, section)| Some((self.begin_ns[section.min(last)] + seen.at_ns, seen.took_ns?)))
            .collect()
    }

    /// Returns the wall time of all sections in ns. If the run has a single section and was not merged, this
    /// is the time between its recorded start and end. Otherwise, each section lasts until its last step,
    /// because its end is not recorded.
    pub fn wall_ns(&self, header: &RunHeader) -> u64 {
        let steps_ns = self.begin_ns.last().copied().unwrap_or(0);
        let is_whole = self.begin_ns.len() == 2 && header.merged.is_none();
        let whole_ns = header
            .ended_ms
            .filter(|_| is_whole)
            .map(|end| (end - header.started_ms).max(0) as u64 * 1_000_000);
        whole_ns.map_or(steps_ns, |ns| ns.max(steps_ns))
    }

    /// Returns the number of waves. A wave ends when no process is alive.
    pub fn waves(&self, records: &Records) -> u32 {
        let ends: HashMap<u32, u64> = records
            .process_ends
            .iter()
            .map(|end| (end.process, self.shift_ns(end.process) + end.at_ns))
            .collect();
        let mut lives: Vec<(u64, u64)> = records
            .processes
            .iter()
            .map(|start| {
                let at_ns = self.shift_ns(start.process) + start.at_ns;
                // A process without a recorded end lived until the end of its section.
                let section = self.of.get(&start.process).map_or(0, |section| section + 1);
                let end_ns = ends.get(&start.process).copied().unwrap_or(self.begin_ns[section]);
                (at_ns.saturating_sub(start.launch_ns), end_ns)
            })
            .collect();
        lives.sort_unstable();
        let (mut waves, mut alive_until) = (0, 0);
        for (begin_ns, end_ns) in lives {
            waves += u32::from(waves == 0 || begin_ns >= alive_until);
            alive_until = end_ns.max(alive_until);
        }
        waves
    }
}

/// Returns the section of each time. A time below the previous one begins a new section.
fn numbered(times_ns: impl Iterator<Item = u64>) -> Vec<usize> {
    let (mut section, mut before) = (0, 0);
    times_ns
        .map(|at_ns| {
            section += usize::from(at_ns < before);
            before = at_ns;
            section
        })
        .collect()
}
