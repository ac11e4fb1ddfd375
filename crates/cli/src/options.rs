//! What clap read, as the plain options of the workbench.

use crate::args::{self, FailOn, SettingArgs};
use derny_workbench::gate;
use derny_workbench::options::{Narrow, Selection, Stated, Stored};

impl From<&args::Selection> for Selection {
    fn from(args: &args::Selection) -> Selection {
        let args = args.clone();
        Selection {
            patterns: args.patterns,
            exclude: args.exclude,
            params: args.param,
            command: args.command,
        }
    }
}

impl From<&args::Narrow> for Narrow {
    fn from(args: &args::Narrow) -> Narrow {
        Narrow { exclude: args.exclude.clone(), params: args.param.clone() }
    }
}

impl From<&args::Stored> for Stored {
    fn from(args: &args::Stored) -> Stored {
        Stored {
            run: args.run.clone(),
            patterns: args.patterns.clone(),
            narrow: (&args.narrow).into(),
            name_template: args.name_template.clone(),
        }
    }
}

impl From<&SettingArgs> for Stated {
    fn from(args: &SettingArgs) -> Stated {
        let joined = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        let flags = [
            ("budget", args.budget.clone()),
            ("total", args.total.clone()),
            ("precision", args.precision.clone()),
            ("confidence", args.confidence.clone()),
            ("processes", args.processes.clone()),
            ("rounds", args.rounds.clone()),
            ("batch-time", args.batch_time.clone()),
            ("duration", args.duration.clone()),
            ("warmup", args.warmup.clone()),
            ("gc", args.gc.clone()),
            ("reject", args.reject.clone()),
            ("timeout", args.timeout.clone()),
            ("pin", args.pin.clone()),
            ("isolation", args.isolation.clone()),
            ("metrics", joined(&args.metrics)),
            ("modes", joined(&args.modes)),
            ("memory", args.memory.clone()),
            ("wave", args.wave.clone()),
            ("name-template", args.name_template.clone()),
        ];
        let values = flags.into_iter().filter_map(|(name, value)| Some((name, value?)));
        Stated { profile: args.profile.clone(), values: values.collect() }
    }
}

/// The verdicts that `--fail-on` names.
pub fn fail_on(args: &[FailOn]) -> Vec<gate::FailOn> {
    let plain = |fail_on: &FailOn| match fail_on {
        FailOn::Worse => gate::FailOn::Worse,
        FailOn::Unclear => gate::FailOn::Unclear,
    };
    args.iter().map(plain).collect()
}
