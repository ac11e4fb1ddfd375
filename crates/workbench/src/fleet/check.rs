//! Whether a plan is one, and whether it is of what is here: what differs is said by name, with what to type.

use super::carried::{self, Carried};
use super::identity::architecture;
use crate::error::{Result, refuse, refused};
use crate::project::git;
use crate::project::session::Session;
use crate::results::input;
use derny_json::FromJson;
use derny_model::{FleetPlan, Identity};
use serde_json::Value;
use std::path::Path;

/// Reads a plan, which may have builds beside it.
///
/// # Errors
/// A file that cannot be read, that is no plan, or that a newer derny wrote.
pub fn read(file: &Path) -> Result<FleetPlan> {
    open(file).map(|(plan, _)| plan)
}

/// Reads a plan, and opens its builds if it has some.
///
/// # Errors
/// Those of [`read`].
pub fn open(file: &Path) -> Result<(FleetPlan, Option<Carried>)> {
    if carried::is_carrying(file) {
        return Carried::open(file).map(|(plan, carried)| (plan, Some(carried)));
    }
    let text = input::read_text(file)?;
    let plan = parse(&text).map_err(|error| error.within(&format!("cannot use {}", file.display())))?;
    Ok((plan, None))
}

/// The same from its text.
pub(super) fn parse(text: &str) -> Result<FleetPlan> {
    let none = |why: &str| refused!("it is no plan: {why}\n  try    `derny plan -o plan.json` writes one");
    let value = Value::from_json(text).map_err(|why| none(&why.to_string()))?;
    let format = value.get("format").and_then(Value::as_u64);
    let format = format.filter(|_| value.get("shards").is_some()).ok_or_else(|| none("it has no shards"))?;
    if format > u64::from(FleetPlan::FORMAT) {
        let derny = value["identity"]["derny"].as_str().unwrap_or("of a later version").to_owned();
        refuse!(
            "its format is {format}, and this derny reads {}\n  why    derny {derny} wrote it\n  \
             try    derny {derny} on every machine, or `derny plan` again",
            FleetPlan::FORMAT
        );
    }
    let plan = FleetPlan::from_json(text).map_err(|why| none(&why.to_string()))?;
    let known = plan.cases.len() as u32;
    if plan.shards.iter().flat_map(|shard| &shard.blocks).any(|block| block.case >= known) {
        return Err(none("a shard has a case that the plan has not"));
    }
    Ok(plan)
}

/// Refuses a plan that cannot be measured here: of another engine, another processor, another checkout, or of commits that are not known
/// any more. Nothing is built or listed for it.
///
/// # Errors
/// The first of these that is so.
pub fn is_of_here(session: &Session, plan: &FleetPlan) -> Result<()> {
    let root = &session.project.root;
    let Identity { derny, architecture: of, commit, changes, .. } = &plan.identity;
    let version = env!("CARGO_PKG_VERSION");
    if derny != version {
        refuse!(
            "the plan is of another engine\n  why    derny {derny} made it, and this is derny {version}\n  \
             try    derny {derny} here, or `derny plan` again with derny {version}"
        );
    }
    if *of != architecture() {
        refuse!(
            "the plan is for another architecture\n  why    it is for {of}, and this machine is {}\n  \
             try    a machine with {of}, or `derny plan` on one like this",
            architecture()
        );
    }
    let (here, changed) = git::state(root);
    if here != *commit {
        let name = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "no commit".to_owned());
        let try_this = match commit {
            Some(hash) => format!("`git checkout {hash}`, or `derny plan` again: this plan has expired"),
            None => "`derny plan` again in this checkout".to_owned(),
        };
        refuse!(
            "the plan is of another commit\n  where  {}\n  why    it is of {}, and {} is checked out\n  try    {try_this}",
            root.display(),
            name(commit),
            name(&here)
        );
    }
    if changed != *changes {
        let why = match (changes, &changed) {
            (Some(_), None) => "it was made with uncommitted changes, which are not here",
            (None, Some(_)) => "there are uncommitted changes here, and there were none",
            _ => "the uncommitted changes here are others",
        };
        refuse!(
            "the plan is of another checkout\n  where  {}\n  why    {why}\n  \
             try    commit them and `derny plan` again; `git status` shows what is changed here",
            root.display()
        );
    }
    for side in &plan.sides {
        if let Some(revision) = &side.revision
            && let Err(error) = git::resolve(root, revision)
        {
            refuse!(
                "the plan has expired: a commit of it is not here\n  why    {}\n  \
                 try    `git fetch origin {revision}`, or `derny plan` again",
                error.in_a_line()
            );
        }
    }
    Ok(())
}

/// Refuses what is here where it differs from what was planned, and says in what.
///
/// # Errors
/// Something differs.
pub(crate) fn differs(plan: &FleetPlan, here: &Identity) -> Result<()> {
    let differences = names(&plan.identity, &Identity { seed: plan.identity.seed, ..here.clone() });
    if differences.is_empty() {
        return Ok(());
    }
    refuse!(
        "this is not what was planned: {} differ\n  why    the plan knows others than those of this machine\n  \
         try    the same derny.toml, environment and installed programs here, or `derny plan` again",
        differences.join(", ")
    )
}

/// In what two plans measure something else.
pub(super) fn names(one: &Identity, other: &Identity) -> Vec<&'static str> {
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
    fn what_is_no_plan_and_what_is_newer_is_refused_by_name() {
        for (text, part) in [
            ("", "it is no plan"),
            ("{}", "it has no shards"),
            ("{\"format\": 2, \"shards\": [], \"identity\": {\"derny\": \"9.1.0\"}}", "derny 9.1.0 wrote it"),
            ("{\"format\": 1, \"shards\": []}", "it is no plan"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn differences_have_names() {
        let one = Identity { cases: "a".into(), ..Identity::default() };
        let other = Identity { settings: "b".into(), seed: 1, ..Identity::default() };
        assert_eq!(names(&one, &other), ["the cases", "the settings", "the seeds"]);
        assert!(names(&one, &one).is_empty());
    }
}
