//! Finds the shard of a job from the numbers that schedulers assign to the jobs of an array. Shards are
//! numbered from 1.

use derny_model::problem;
use derny_workbench::error::Result;

struct Words {
    name: &'static str,
    /// The variable that contains the number of the job.
    index: &'static str,
    /// The number of the first job.
    first: u32,
    /// The variable that contains the number of jobs, if any.
    count: Option<&'static str>,
    /// Another variable that must be set, because other schedulers use the same variables differently.
    marker: Option<&'static str>,
}

const SCHEDULERS: &[Words] = &[
    Words { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: 0, count: None, marker: None },
    Words {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: 0,
        count: Some("AWS_BATCH_JOB_ARRAY_SIZE"),
        marker: None,
    },
    Words {
        name: "GitLab",
        index: "CI_NODE_INDEX",
        first: 1,
        count: Some("CI_NODE_TOTAL"),
        marker: Some("GITLAB_CI"),
    },
    Words {
        name: "CircleCI",
        index: "CIRCLE_NODE_INDEX",
        first: 0,
        count: Some("CIRCLE_NODE_TOTAL"),
        marker: None,
    },
    Words {
        name: "Buildkite",
        index: "BUILDKITE_PARALLEL_JOB",
        first: 0,
        count: Some("BUILDKITE_PARALLEL_JOB_COUNT"),
        marker: None,
    },
    Words {
        name: "Azure Pipelines",
        index: "SYSTEM_JOBPOSITIONINPHASE",
        first: 1,
        count: Some("SYSTEM_TOTALJOBSINPHASE"),
        marker: None,
    },
];

/// The shard of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Number of the shard, from 1.
    pub shard: u32,
    /// Number of shards, if the source contains it.
    pub of: Option<u32>,
    /// Source of the number, such as `4/4` or `Slurm`.
    pub by: String,
}

/// Returns the shard that `I/N` denotes. Without it, returns the one in the scheduler's variables.
///
/// # Errors
/// Fails if there is no number, if it is invalid, or if several schedulers disagree.
pub fn number(typed: Option<&str>, variable: &dyn Fn(&str) -> Option<String>) -> Result<Place> {
    if let Some(text) = typed {
        return of_text(text);
    }
    let mut found: Vec<Place> = slurm(variable)?.into_iter().collect();
    for words in SCHEDULERS {
        if words.marker.is_none_or(|marker| variable(marker).is_some()) {
            found.extend(of_variables(words, variable)?);
        }
    }
    let Some(first) = found.first().cloned() else {
        return Err(problem!("no shard is given, and no scheduler sets one").why("no shard variable of Kubernetes, Slurm, GitLab, CircleCI, Buildkite, Azure Pipelines or AWS Batch is set").remedy("use `derny fleet shard plan.json 1/4` for the first of four").into());
    };
    if let Some(other) = found.iter().find(|other| other.shard != first.shard) {
        return Err(problem!("two schedulers name different shards")
            .why(format_args!(
                "{} says shard {}, but {} says shard {}",
                first.by, first.shard, other.by, other.shard
            ))
            .remedy("add I/N after the plan's name")
            .into());
    }
    // Prefer a scheduler that also provides the number of shards.
    Ok(found.iter().find(|place| place.of.is_some()).cloned().unwrap_or(first))
}

fn of_text(text: &str) -> Result<Place> {
    let wrong = || {
        problem!("`{text}` is not a shard")
            .why("shards count from 1 to N")
            .remedy("use 1/4 for the first of four")
    };
    let (shard, of) = match text.split_once('/') {
        Some((shard, of)) => (shard, Some(of)),
        None => (text, None),
    };
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(wrong);
    let (shard, of) = (number(shard)?, of.map(number).transpose()?);
    if of.is_some_and(|of| shard > of) {
        return Err(wrong().into());
    }
    Ok(Place { shard, of, by: text.to_owned() })
}

fn of_variables(words: &Words, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Place>> {
    let Some(index) = read(words.index, variable)? else { return Ok(None) };
    let of = match words.count {
        Some(name) => read(name, variable)?,
        None => None,
    };
    if index < words.first {
        return Err(
            problem!("{} is {index}, but {} counts from {}", words.index, words.name, words.first).into()
        );
    }
    Ok(Some(Place { shard: index - words.first + 1, of, by: words.name.to_owned() }))
}

/// Returns the shard from Slurm's variables, or `None` if they are not set. Users choose the numbers of an
/// array, which may start anywhere and have steps.
fn slurm(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Place>> {
    let of = |name: &str| read(&format!("SLURM_ARRAY_TASK_{name}"), variable);
    let Some(id) = of("ID")? else { return Ok(None) };
    let (least, step) = (of("MIN")?.unwrap_or(0), of("STEP")?.unwrap_or(1).max(1));
    if id < least || (id - least) % step != 0 {
        return Err(problem!(
            "SLURM_ARRAY_TASK_ID is {id}, which is not one of the numbers from {least} in steps of {step}"
        )
        .remedy("run `sbatch --array=1-4`")
        .into());
    }
    Ok(Some(Place { shard: (id - least) / step + 1, of: of("COUNT")?, by: "Slurm".to_owned() }))
}

fn read(name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<u32>> {
    let Some(text) = variable(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    match text.trim().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(problem!("{name} is `{text}`, which is not a number")
            .remedy("add I/N after the plan's name")
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<Place> {
        number(None, &|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    fn place(pairs: &[(&str, &str)]) -> (u32, Option<u32>) {
        let place = of(pairs).unwrap();
        (place.shard, place.of)
    }

    #[test]
    fn schedulers_say_which_shard_it_is() {
        assert_eq!(place(&[("JOB_COMPLETION_INDEX", "3")]), (4, None));
        assert_eq!(
            place(&[("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "4"), ("GITLAB_CI", "true")]),
            (4, Some(4))
        );
        assert_eq!(place(&[("CIRCLE_NODE_INDEX", "3"), ("CIRCLE_NODE_TOTAL", "4")]), (4, Some(4)));
        let buildkite = [("BUILDKITE_PARALLEL_JOB", "0"), ("BUILDKITE_PARALLEL_JOB_COUNT", "4")];
        assert_eq!(place(&buildkite), (1, Some(4)));
        let azure = [("SYSTEM_JOBPOSITIONINPHASE", "4"), ("SYSTEM_TOTALJOBSINPHASE", "4")];
        assert_eq!(place(&azure), (4, Some(4)));
        let aws = [("AWS_BATCH_JOB_ARRAY_INDEX", "3"), ("AWS_BATCH_JOB_ARRAY_SIZE", "4")];
        assert_eq!(place(&aws), (4, Some(4)));
    }

    #[test]
    fn slurm_counts_from_anywhere_in_any_steps() {
        let slurm = |id, least, step, count| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", least),
                ("SLURM_ARRAY_TASK_STEP", step),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        assert_eq!(place(&slurm("0", "0", "1", "4")), (1, Some(4)));
        assert_eq!(place(&slurm("4", "1", "1", "4")), (4, Some(4)));
        assert_eq!(place(&slurm("19", "10", "3", "4")), (4, Some(4)));
        assert!(of(&slurm("20", "10", "3", "4")).is_err());
        assert_eq!(place(&[("SLURM_ARRAY_TASK_ID", "2")]), (3, None));
    }

    #[test]
    fn what_is_ambiguous_or_missing_is_refused() {
        // Other schedulers also set GitLab's variables, but count from 0.
        assert!(of(&[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")]).is_err());
        assert!(of(&[]).is_err());
        assert!(of(&[("JOB_COMPLETION_INDEX", "three")]).is_err());
        assert!(of(&[("JOB_COMPLETION_INDEX", "3"), ("CIRCLE_NODE_INDEX", "0")]).is_err());
        let both = [
            ("JOB_COMPLETION_INDEX", "3"),
            ("BUILDKITE_PARALLEL_JOB", "3"),
            ("BUILDKITE_PARALLEL_JOB_COUNT", "4"),
        ];
        assert_eq!(place(&both), (4, Some(4)));
    }

    #[test]
    fn what_is_typed_counts_from_one() {
        let typed = |text: &str| number(Some(text), &|_| None);
        assert_eq!(typed("4/4").unwrap(), Place { shard: 4, of: Some(4), by: "4/4".into() });
        assert_eq!(typed("2").unwrap().of, None);
        for bad in ["0/4", "5/4", "a/4", "1/", "", "-1"] {
            assert!(typed(bad).is_err(), "{bad}");
        }
    }
}
