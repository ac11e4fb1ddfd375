//! What a plan measures, as hashes. They are the same wherever the same is measured: folders of this machine have no part in them.

use super::hex;
use crate::project::git;
use crate::project::session::Session;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::hash::Fnv;
use derny_json::ToJson;
use derny_model::{Identity, Settings, Variant};
use std::path::Path;

/// Of these cases, sides and settings; the seed is the plan's.
pub fn of(session: &Session, catalogue: &Catalogue, sides: &[Variant], settings: &Settings) -> Identity {
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

/// Processor and system.
pub fn architecture() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

fn hash(texts: impl IntoIterator<Item = String>) -> String {
    let mut hash = Fnv::new();
    texts.into_iter().for_each(|text| _ = hash.write(text.as_bytes()));
    hex(&hash)
}

fn side(variant: &Variant) -> String {
    let Variant { name, command, args, build_args, env, revision, benchmark, control, .. } = variant;
    format!("{:?}", (name, command, args, build_args, env, revision, benchmark, control))
}

/// How each program is built and launched on each side. What a program is, its commit and its launch line say.
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

/// Settings without what each machine has for itself: processors and memory.
fn measured(settings: &Settings) -> String {
    let own = Settings { pin: Vec::new(), memory_bytes: None, ..settings.clone() };
    own.to_json().unwrap_or_default()
}
