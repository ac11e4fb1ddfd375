//! Hashes that identify a measurement. Machines compare them to check that they take part in the same
//! measurement. The hashes depend on neither the machine nor its folders.

use crate::error::Result;
use crate::project::git;
use crate::project::session::Session;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::hash::Fnv;
use derny_json::ToJson;
use derny_model::{Identity, Settings, Variant, problem};
use std::path::Path;

/// Returns the identity of these cases, sides and settings. Its seed is 0, and the plan sets it later.
pub(crate) fn of(
    session: &Session,
    catalogue: &Catalogue,
    sides: &[Variant],
    settings: &Settings,
) -> Identity {
    let root = &session.project.root;
    let (commit, changes) = git::state(root);
    Identity {
        derny: env!("CARGO_PKG_VERSION").to_owned(),
        architecture: architecture(),
        commit,
        changes,
        sides: hash(sides.iter().map(side)),
        launch: hash(launches(root, catalogue, sides)),
        cases: hash(catalogue.cases.iter().map(|case| {
            let (id, ops) = (&case.id, case.ops);
            format!("{id}\n{:?} {ops} {} {}", case.timing, case.fresh, case.skip.is_some())
        })),
        settings: hash([measured(settings)]),
        seed: 0,
    }
}

/// Returns the processor architecture and the operating system.
pub fn architecture() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

fn hash(texts: impl IntoIterator<Item = String>) -> String {
    let mut hash = Fnv::new();
    texts.into_iter().for_each(|text| _ = hash.write(text.as_bytes()));
    hash.hex()
}

fn side(variant: &Variant) -> String {
    let Variant { name, command, args, build_args, env, revision, benchmark, control, .. } = variant;
    format!("{:?}", (name, command, args, build_args, env, revision, benchmark, control))
}

/// Returns texts that describe how each program is built and launched on each side. They contain hashes of
/// benchmark files, but not of programs: the commit and the launch line identify a program.
fn launches(root: &Path, catalogue: &Catalogue, sides: &[Variant]) -> Vec<String> {
    let root = root.display().to_string();
    let mut used: Vec<usize> = catalogue.source_of.clone();
    used.sort_unstable();
    used.dedup();
    let sources = used.into_iter().map(|at| &catalogue.sources[at]);
    let plain = |text: String| text.replace(&root, "{root}");
    let lines = sources.flat_map(|source| {
        let line = |side: &Variant| {
            let side = Variant { directory: None, builds: Vec::new(), ..side.clone() };
            (source.build_line(&side), source.launch_line(&side))
        };
        let own = (&source.suite, &source.file, &source.env, &source.params);
        let own = format!("{own:?} {}", if source.file.is_some() { &source.hash } else { "" });
        [own].into_iter().chain(sides.iter().map(|side| format!("{:?}", line(side)))).collect::<Vec<String>>()
    });
    lines.map(plain).collect()
}

/// Returns the settings without those that differ between machines: processors and memory.
fn measured(settings: &Settings) -> String {
    let own = Settings { pin: Vec::new(), memory_bytes: None, ..settings.clone() };
    own.to_json().unwrap_or_default()
}

/// Checks that the selection on this machine is the planned one. The seeds may differ.
///
/// # Errors
/// Fails if it is not. The error names the parts that differ.
pub(crate) fn expect(planned: &Identity, here: &Identity) -> Result<()> {
    let differences = differences(planned, &Identity { seed: planned.seed, ..here.clone() });
    if differences.is_empty() {
        return Ok(());
    }
    Err(problem!("this machine does not match the plan: {} differ", differences.join(", "))
        .why("the plan was made with different ones")
        .remedy(
            "use the derny.toml, environment and programs that the plan was made with, or run `derny \
            fleet plan` again",
        )
        .into())
}

/// Returns the names of the parts in which two identities differ.
pub fn differences(one: &Identity, other: &Identity) -> Vec<&'static str> {
    let parts = [
        ("the engines", one.derny == other.derny),
        ("the architectures", one.architecture == other.architecture),
        ("the commits", one.commit == other.commit),
        ("the uncommitted changes", one.changes == other.changes),
        ("the sides", one.sides == other.sides),
        ("the launch lines or benchmark files", one.launch == other.launch),
        ("the cases", one.cases == other.cases),
        ("the settings", one.settings == other.settings),
        ("the seeds", one.seed == other.seed),
    ];
    parts.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_names() {
        let one = Identity { cases: "a".into(), ..Identity::default() };
        let other = Identity { settings: "b".into(), seed: 1, ..Identity::default() };
        assert_eq!(differences(&one, &other), ["the cases", "the settings", "the seeds"]);
        assert!(differences(&one, &one).is_empty());
    }
}
