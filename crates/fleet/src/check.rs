//! Checks that a text is a plan, and that this checkout can measure it.

use derny_json::FromJson;
use derny_model::{FleetPlan, Identity, problem};
use derny_workbench::error::Result;
use derny_workbench::pipeline::identity::architecture;
use derny_workbench::project::git;
use derny_workbench::project::session::Session;
use serde_json::Value;

pub(crate) fn parse(text: &str) -> Result<FleetPlan> {
    let none =
        |why: &str| problem!("it is not a plan: {why}").remedy("`derny fleet plan -o plan.json` writes one");
    let value = Value::from_json(text).map_err(|why| none(&why.to_string()))?;
    let format = value.get("format").and_then(Value::as_u64);
    let format = format.filter(|_| value.get("shards").is_some()).ok_or_else(|| none("it has no shards"))?;
    if format > u64::from(FleetPlan::FORMAT) {
        let derny = value["identity"]["derny"].as_str().unwrap_or("of a later version").to_owned();
        return Err(problem!(
            "its format is {format}, but this version of Derny reads {}",
            FleetPlan::FORMAT
        )
        .why(format_args!("Derny {derny} wrote it"))
        .remedy(format_args!("use Derny {derny} on every machine, or run `derny fleet plan` again"))
        .into());
    }
    let plan = FleetPlan::from_json(text).map_err(|why| none(&why.to_string()))?;
    let known = plan.cases.len() as u32;
    if plan.shards.iter().flat_map(|shard| &shard.blocks).any(|block| block.case >= known) {
        return Err(none("a shard has a case that is not in the plan").into());
    }
    Ok(plan)
}

/// Checks that a plan can be measured here. It must be for this version of the engine, this processor
/// architecture and this checkout, and its commits must exist. Builds and lists nothing.
///
/// # Errors
/// Fails with the first condition that is not met.
pub fn is_of_here(session: &Session, plan: &FleetPlan) -> Result<()> {
    let root = &session.project.root;
    let Identity { derny, architecture: of, commit, changes, .. } = &plan.identity;
    let version = env!("CARGO_PKG_VERSION");
    if derny != version {
        return Err(problem!("the plan is for another version of Derny")
            .why(format_args!("Derny {derny} made it, but this is Derny {version}"))
            .remedy(format_args!(
                "use Derny {derny} here, or run `derny fleet plan` again with Derny {version}"
            ))
            .into());
    }
    if *of != architecture() {
        return Err(problem!("the plan is for another architecture")
            .why(format_args!("it is for {of}, but this machine is {}", architecture()))
            .remedy(format_args!("use a machine with {of}, or run `derny fleet plan` on one like this"))
            .into());
    }
    let (here, changed) = git::state(root);
    if here != *commit {
        let name = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "no commit".to_owned());
        let try_this = match commit {
            Some(hash) => {
                format!("run `git checkout {hash}`, or run `derny fleet plan` again")
            }
            None => "run `derny fleet plan` again in this checkout".to_owned(),
        };
        return Err(problem!("the plan is for another commit")
            .place(root.display())
            .why(format_args!("it is for {}, but {} is checked out", name(commit), name(&here)))
            .remedy(try_this)
            .into());
    }
    if changed != *changes {
        let why = match (changes, &changed) {
            (Some(_), None) => "it was made with uncommitted changes, which this checkout does not have",
            (None, Some(_)) => "this checkout has uncommitted changes, but the plan was made without any",
            _ => "this checkout has different uncommitted changes",
        };
        return Err(problem!("the plan is for another checkout")
            .place(root.display())
            .why(why)
            .remedy("commit them and run `derny fleet plan` again; `git status` shows what is changed here")
            .into());
    }
    for side in &plan.sides {
        if let Some(revision) = &side.revision
            && let Err(error) = git::resolve(root, revision)
        {
            return Err(problem!("the plan is outdated: one of its commits is not in this repository")
                .why(error.in_a_line())
                .remedy(format_args!("run `git fetch origin {revision}`, or run `derny fleet plan` again"))
                .into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_plan_and_what_is_newer_is_refused_by_name() {
        for (text, part) in [
            ("", "it is not a plan"),
            ("{}", "it has no shards"),
            ("{\"format\": 2, \"shards\": [], \"identity\": {\"derny\": \"9.1.0\"}}", "Derny 9.1.0 wrote it"),
            ("{\"format\": 1, \"shards\": []}", "it is not a plan"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
