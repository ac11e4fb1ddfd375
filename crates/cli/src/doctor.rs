//! Checks whether the machine is suitable for measurements. Facts come from the engine's observers. Each
//! check here judges one fact and is pure.

mod checks;
pub mod kernel;
mod noise;

use derny_engine::discover::runtime;
use derny_engine::discover::sdk::{Convention, Sdk};
use derny_engine::observe::programs::Programs;
use derny_engine::observe::{self, clock, limits, machine, memory, spin, system};
use derny_engine::os;
use derny_model::{Machine, Observation};
use derny_report::doctor::{Check, Status};
use derny_store::{Location, Store};
use derny_workbench::project::session::Session;
use std::time::{Duration, Instant};

/// All warning codes that checks use.
#[cfg(test)]
pub const CODES: &[&str] = &[
    "DY101", "DY103", "DY104", "DY105", "DY106", "DY107", "DY108", "DY109", "DY110", "DY112", "DY113",
    "DY120", "DY121", "DY122", "DY123",
];

/// Duration for which the idle machine is observed.
const WATCHED: Duration = Duration::from_millis(400);

/// Returns the check of the noise floor. It is separate from the others because it takes seconds.
pub fn noise() -> Check {
    checks::noise(noise::floor().map_err(|error| error.to_string()))
}

/// Returns all other checks. Takes half a second.
pub fn checks(session: &Session) -> Vec<Check> {
    let machine = machine::machine();
    let (observation, busiest) = watch();
    let allowed = os::affinity(0);
    let chosen = machine::processors();
    let mut checks = vec![
        checks::clock(clock::clock(), machine.facts.get("clocksource").map(String::as_str)),
        checks::cores(machine.cores, allowed.len(), chosen.len()),
        checks::smt(fact(&machine, "smt"), allowed.len() - chosen.len().min(allowed.len())),
        checks::governor(fact(&machine, "governor")),
        checks::turbo(fact(&machine, "turbo-off"), fact(&machine, "boost")),
        checks::load(&observation, machine.cores),
        checks::programs(&busiest, WATCHED),
        checks::quota(limits::processor_quota(), machine.cores),
        checks::steal(observation.steal),
        checks::pressure(observation.pressure),
        checks::virtual_machine(fact(&machine, "virtualised")),
        checks::layout(fact(&machine, "aslr"), &machine.os),
        checks::battery(fact(&machine, "on-battery")),
        checks::memory(memory::available_bytes(), machine.memory_bytes),
        checks::swap(memory::swap_bytes()),
        checks::counters(limits::counters()),
        checks::speed(&spin::by_processor(&allowed)),
        store(session),
    ];
    checks.extend(runtimes(session));
    checks.extend(unobserved());
    checks
}

fn fact<'a>(machine: &'a Machine, name: &str) -> Option<&'a str> {
    machine.facts.get(name).map(String::as_str)
}

/// Observes the idle machine. Returns the observation, and the programs that used processor time during it.
fn watch() -> (Observation, Vec<(String, u64)>) {
    let before = Programs::look();
    let mut system = system::System::new(Instant::now());
    std::thread::sleep(WATCHED);
    let observation = system.observe(Vec::new());
    (observation, Programs::look().busiest_since(&before))
}

/// Returns the check of the store. Opens it as a run would, but leaves no new files behind.
fn store(session: &Session) -> Check {
    let location = session.location();
    let size = |store: Store| Ok((store.runs(usize::MAX)?.len(), store.bytes()?));
    let (existed, tried) = match &location {
        Location::Folder(folder) => {
            let existed = folder.exists();
            let tried = Store::open(folder).and_then(size);
            if !existed {
                // Remove the folder that opening the store created. A failure to remove it does not affect
                // the check.
                let _ = std::fs::remove_dir_all(folder);
            }
            (existed, tried)
        }
        // Open a database only if it exists, because the check must not create anything.
        on_server => match on_server.open_to_read() {
            Ok(Some(store)) => (true, size(store)),
            Ok(None) => (false, Ok((0, 0))),
            Err(error) => (true, Err(error)),
        },
    };
    checks::store(&location.to_string(), existed, tried.map_err(|error| error.problem.into_parts().why))
}

/// Returns one check per SDK runtime, whether or not the project uses it.
fn runtimes(session: &Session) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for sdk in session.sdks.all() {
        let mut seen: Vec<&str> = Vec::new();
        for convention in &sdk.harness {
            if !seen.contains(&convention.runtime.as_str()) && !convention.version.is_empty() {
                seen.push(&convention.runtime);
                let used = used(session, sdk, convention);
                let found =
                    runtime::version(convention, &session.project.root).map_err(|error| error.to_string());
                let install = convention.install.as_deref();
                checks.push(checks::runtime(&convention.runtime, &sdk.title, found, used, install));
            }
        }
    }
    checks
}

/// Returns true if the project appears to use this language.
fn used(session: &Session, sdk: &Sdk, convention: &Convention) -> bool {
    let root = &session.project.root;
    let detected = sdk.init.iter().any(|init| derny_workbench::init::is_used(init, root));
    let named = |suite: &derny_engine::discover::project::SuiteTable| match &suite.harness {
        derny_engine::discover::project::HarnessChoice::Named(name) => *name == convention.name,
        derny_engine::discover::project::HarnessChoice::Table { .. } => false,
    };
    detected || session.project.content.suite.values().any(named)
}

fn unobserved() -> Option<Check> {
    let missing = observe::unobserved();
    (!missing.is_empty()).then(|| Check {
        status: Status::Warn,
        name: "system".into(),
        text: format!("not available on this system: {}", missing.join(", ")),
        code: None,
    })
}
