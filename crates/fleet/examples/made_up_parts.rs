//! Creates the parts of a large plan: `made_up_parts TEMPLATE.derny PLAN.json FOLDER`.
//!
//! The template is a part of a small plan with the same sides. Each case of each shard gets the measurements
//! of one of the template's cases. This shows the cost of merging in seconds, without hours of machine time
//! (docs/notes/014-many-machines.md).

use derny_model::{
    Case, Event, FleetPlan, Part, ProcessEnd, ProcessStart, Records, RunHeader, RunStatus, Turn, Visit,
};
use derny_store::Store;
use std::borrow::Cow;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [template, plan, folder] = &words[..] else {
        return Err("made_up_parts TEMPLATE.derny PLAN.json FOLDER".into());
    };
    let template = Store::open_part(Path::new(template))?.load("last")?;
    let plan = derny_fleet::read(Path::new(plan))?;
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    for shard in 1..=plan.shards.len() as u32 {
        part(&template, &plan, shard, folder)?;
    }
    Ok(())
}

fn part(template: &Records, plan: &FleetPlan, shard: u32, folder: &Path) -> Result<(), Box<dyn Error>> {
    let scratch = folder.join(format!("run-{shard}"));
    let store = Store::open(&scratch)?;
    store.set_plan(&serde_json::to_string(plan)?)?;
    let mut recorder = store.recorder()?;
    let blocks = plan.shards.get(shard as usize - 1).map_or(&[][..], |shard| &shard.blocks);
    let cases: Vec<Case> = blocks.iter().map(|block| plan.cases[block.case as usize].clone()).collect();
    let numbered = || (0..).zip(&cases).map(|(number, case)| (number, Cow::Borrowed(case)));
    recorder.begin_file(&header(template, plan, shard), &|| Box::new(numbered()))?;
    let each = template.cases.len().max(1);
    let mut copy = Copy::default();
    let copies = (0..cases.len())
        .step_by(each)
        .flat_map(|first| copy.cases(template, first as u32, each.min(cases.len() - first) as u32));
    let ended_ms = template.header.ended_ms.unwrap_or(template.header.started_ms);
    recorder.take_file(copies.chain([Event::RunEnded { ended_ms, status: RunStatus::Complete }]))?;
    drop(recorder);
    derny_fleet::digest(&store, plan)?;
    store.into_part(&folder.join(format!("part-{shard}.derny")))?;
    Ok(std::fs::remove_dir_all(&scratch)?)
}

fn header(template: &Records, plan: &FleetPlan, shard: u32) -> RunHeader {
    let part = Part {
        plan: plan.id.clone(),
        measures: plan.measures.clone(),
        wave: plan.wave,
        shard,
        of: plan.shards.len() as u32,
    };
    let mut header = template.header.clone();
    header.id = format!("p{shard:03}");
    header.machine.host = format!("machine-{shard}");
    RunHeader {
        part: Some(part),
        settings: plan.settings.clone(),
        variants: plan.sides.clone(),
        ended_ms: None,
        ..header
    }
}

/// The next unused numbers for records.
#[derive(Default)]
struct Copy {
    process: u32,
    block: u32,
    visit: u32,
}

impl Copy {
    fn cases(&mut self, from: &Records, first: u32, count: u32) -> Vec<Event> {
        let mut events = Vec::new();
        let after = |numbers: &mut dyn Iterator<Item = u32>| numbers.max().map_or(0, |last| last + 1);
        for process in &from.processes {
            events.push(Event::ProcessStarted(ProcessStart {
                process: process.process + self.process,
                block: process.block + self.block,
                ..process.clone()
            }));
        }
        for record in from.visits.iter().filter(|record| record.visit.case < count) {
            let visit = record.visit.visit + self.visit;
            events.push(Event::VisitStarted(Visit {
                visit,
                process: record.visit.process + self.process,
                case: record.visit.case + first,
                ..record.visit.clone()
            }));
            for turn in record.at_hand().turns.iter() {
                events.push(Event::Turn(Turn { visit, ..turn.clone() }));
            }
            events.push(Event::VisitEnded { visit });
        }
        for end in &from.process_ends {
            events
                .push(Event::ProcessEnded(ProcessEnd { process: end.process + self.process, ..end.clone() }));
        }
        for (case, reason) in from.ended.iter().filter(|(case, _)| *case < count) {
            events.push(Event::CaseEnded { case: case + first, reason: *reason });
        }
        self.process += after(&mut from.processes.iter().map(|one| one.process));
        self.block += after(&mut from.processes.iter().map(|one| one.block));
        self.visit += after(&mut from.visits.iter().map(|one| one.visit.visit));
        events
    }
}
