//! Renames cases in another tool's results to the names of the same benchmarks in the project. These names
//! are known if Derny has measured the tool's benchmarks itself.

use derny_engine::discover::Source;
use derny_import::live::{self, Program, Project};
use derny_import::{Cases, Format};
use derny_workbench::project::session::Session;
use std::fs;

/// Number of recent runs whose cases are considered.
const RUNS: usize = 50;

/// Renames the cases to those of the project, and returns their suites. Starts no program.
pub fn give(session: &Session, format: &Format, cases: &mut Cases) -> Vec<String> {
    let harnesses = live::harnesses(format.name);
    if harnesses.is_empty() {
        return Vec::new();
    }
    let programs: Vec<Program> = session.programs().into_iter().filter_map(program).collect();
    let store = session.existing_store().ok();
    let measured = store.and_then(|store| store.measured_names(RUNS, harnesses).ok()).unwrap_or_default();
    let text = |file: &str| fs::read_to_string(session.project.root.join(file)).ok();
    live::rename(format.name, cases, &Project { programs: &programs, text: &text, measured: &measured })
}

fn program(source: Source) -> Option<Program> {
    Some(Program { suite: source.suite, harness: source.harness, file: source.file?, files: source.covers })
}
