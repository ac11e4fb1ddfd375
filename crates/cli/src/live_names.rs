//! Renames cases in another tool's results to the names of the same benchmarks in the project. These names
//! are known if Derny has measured the tool's benchmarks itself.

use derny_engine::discover::Source;
use derny_import::live::{self, Program, Project};
use derny_import::{Cases, Format};
use derny_model::CaseId;
use derny_workbench::project::session::Session;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// Number of recent runs whose cases are considered.
const RUNS: usize = 50;

/// Data of the project from which the names of cases in files of one format are found.
pub struct LiveNames {
    format: &'static Format,
    root: PathBuf,
    programs: Vec<Program>,
    measured: Vec<CaseId>,
    texts: RefCell<HashMap<String, Option<String>>>,
}

impl LiveNames {
    /// Finds the programs of a format and the cases that they have measured. Starts no program.
    pub fn of(session: &Session, format: &'static Format) -> LiveNames {
        let harnesses = live::harnesses(format.name);
        let root = session.project.root.clone();
        let mut names =
            LiveNames { format, root, programs: Vec::new(), measured: Vec::new(), texts: RefCell::default() };
        if !harnesses.is_empty() {
            names.programs = session.programs().into_iter().filter_map(program).collect();
            let store = session.existing_store().ok();
            let measured = store.and_then(|store| store.measured_names(RUNS, harnesses).ok());
            names.measured = measured.unwrap_or_default();
        }
        names
    }

    /// Renames the cases to those of the project, and returns their suites.
    pub fn give(&self, cases: &mut Cases) -> Vec<String> {
        let text = |file: &str| {
            let mut texts = self.texts.borrow_mut();
            let read = || fs::read_to_string(self.root.join(file)).ok();
            texts.entry(file.to_owned()).or_insert_with(read).clone()
        };
        let project = Project { programs: &self.programs, text: &text, measured: &self.measured };
        live::rename(self.format.name, cases, &project)
    }
}

/// Renames the cases to those of the project, and returns their suites. Starts no program.
pub fn give(session: &Session, format: &'static Format, cases: &mut Cases) -> Vec<String> {
    LiveNames::of(session, format).give(cases)
}

fn program(source: Source) -> Option<Program> {
    Some(Program { suite: source.suite, harness: source.harness, file: source.file?, files: source.covers })
}
