//! Generates files for schedulers, which start the shards and merge their parts. Fills in the templates in
//! the folder `generate`.

use derny_model::FleetPlan;
use derny_workbench::release;

/// The scheduler that a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduler {
    /// Slurm: a script that submits a job array.
    Slurm,
    /// Kubernetes: the manifest of an Indexed Job.
    Kubernetes,
    /// GitHub Actions: a workflow.
    GitHub,
    /// GitLab CI: a pipeline.
    GitLab,
    /// Buildkite: a pipeline.
    Buildkite,
}

impl Scheduler {
    fn text(self) -> &'static str {
        match self {
            Scheduler::Slurm => include_str!("generate/slurm.sh"),
            Scheduler::Kubernetes => include_str!("generate/kubernetes.yml"),
            Scheduler::GitHub => include_str!("generate/github.yml"),
            Scheduler::GitLab => include_str!("generate/gitlab.yml"),
            Scheduler::Buildkite => include_str!("generate/buildkite.yml"),
        }
    }
}

/// Returns the file for a plan. `place` is the path of the plan.
pub fn file(scheduler: Scheduler, plan: &FleetPlan, place: &str) -> String {
    let shards = plan.shards.len();
    let numbers: Vec<String> = (1..=shards).map(|shard| shard.to_string()).collect();
    // Kubernetes uses other names for processor architectures.
    let processor = match plan.identity.architecture.split('-').next() {
        Some("x86_64") => "amd64",
        Some("aarch64") => "arm64",
        other => other.unwrap_or_default(),
    };
    let text = release::fill(scheduler.text());
    let text = text.replace("SHARDS", &shards.to_string()).replace("NUMBERS", &numbers.join(", "));
    let text = text.replace("RETRIES", &(2 * shards).to_string()).replace("ARCHITECTURE", processor);
    // A plan with builds is a tar.
    let carries = plan.args.iter().take_while(|word| *word != "--").any(|word| word == "--build");
    let text = if carries { text.replace("plan.json", CARRYING) } else { text };
    // A later wave takes the builds from the plan of the first wave.
    let builds = if carries { format!(" --builds {CARRYING}") } else { String::new() };
    let text = text.replace(" BUILDS", &builds).replace("=BUILDS", if carries { "=PLAN" } else { "=" });
    let text = text.replace("-NAME", &format!("-{}", &plan.id[..plan.id.len().min(8)]));
    let output = if carries { CARRYING } else { "plan.json" };
    text.replace("PLAN", &quoted(place)).replace("WORDS", &words(&plan.args, output))
}

const CARRYING: &str = "plan.tar";

/// Returns the command that makes this plan again and writes it to `output`. `-o` comes first, because the
/// last arguments may belong to a harness.
fn words(args: &[String], output: &str) -> String {
    let mut all = vec!["derny".to_owned()];
    let mut own = true;
    let mut words = args.iter();
    while let Some(word) = words.next() {
        own &= word != "--";
        match word.as_str() {
            "-o" | "--output" if own => _ = words.next(),
            word if own && (word.starts_with("-o") || word.starts_with("--output=")) => {}
            word => all.push(quoted(word)),
        }
    }
    let verb = all.iter().position(|word| word == "plan").map_or(all.len(), |at| at + 1);
    all.splice(verb..verb, ["-o".to_owned(), output.to_owned()]);
    all.join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('\'', r"'\''")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./-_".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", escaped(word)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        words(&text.split_whitespace().map(str::to_owned).collect::<Vec<String>>(), "plan.json")
    }

    #[test]
    fn the_words_of_a_plan_are_those_of_a_shell_with_a_file_of_their_own() {
        let both = of("fleet plan -x main@main -x head --shards 4 -o a.json");
        assert_eq!(both, "derny fleet plan -o plan.json -x main@main -x head --shards 4");
        assert_eq!(
            of("-C sub fleet plan --output=a.json it's"),
            r"derny -C sub fleet plan -o plan.json 'it'\''s'"
        );
        assert_eq!(
            of("fleet plan -x a=b -- ./bench -o x"),
            "derny fleet plan -o plan.json -x a=b -- ./bench -o x"
        );
    }
}
