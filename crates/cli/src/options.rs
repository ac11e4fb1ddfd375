//! Converts clap's arguments to the workbench's options.

use crate::args::{
    self, AttachArgs, FailOn, Format, ListArgs, Once, PassedArgs, PlanArgs, ReportArgs, RunArgs, SettingArgs,
    VerdictArgs,
};
use derny_engine::discover::project::split;
use derny_workbench::config::gate::{self, StatedTerms};
use derny_workbench::config::options::{Narrow, Selection, Stated, Stored};
use derny_workbench::config::settings::Mode;
use derny_workbench::pipeline::{AttachOptions, RunOptions};

impl From<&args::Selection> for Selection {
    fn from(args: &args::Selection) -> Selection {
        let args = args.clone();
        Selection {
            patterns: args.patterns,
            exclude: args.exclude,
            params: args.param,
            command: args.command,
            ..Selection::default()
        }
    }
}

impl PassedArgs {
    /// Returns the selection of benchmarks, including the arguments that are passed to them.
    pub fn on(&self, select: &args::Selection) -> Selection {
        let words = |texts: &[String]| texts.iter().flat_map(|text| split(text)).collect();
        Selection { args: words(&self.args), build_args: words(&self.build_args), ..select.into() }
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
        let flags = [("budget", args.budget.clone()), ("total", args.total.clone())];
        let values = flags.into_iter().filter_map(|(name, value)| Some((name, value?)));
        Stated { profile: args.profile.clone(), values: values.collect(), set: args.set.clone() }
    }
}

impl From<&RunArgs> for RunOptions {
    fn from(args: &RunArgs) -> RunOptions {
        let RunArgs { select, sides, how: args, .. } = args;
        RunOptions {
            select: Selection { cover: args.cover, ..args.passed.on(select) },
            stated: (&args.settings).into(),
            mode: Mode {
                once: args.once.is_some(),
                smallest: args.once == Some(Once::Smallest),
                quick: args.settings.quick,
                control: args.control,
                precise: args.precise,
                ..Mode::default()
            },
            variants: sides.variants.clone(),
            benchmarks: Vec::new(),
            parsed: Vec::new(),
            against: sides.against.clone(),
            called: None,
            stored: sides.stored,
            profiler: args.profiler.clone(),
            diagnose: args.diagnose.clone(),
            save: args.save.clone(),
            note: args.note.clone(),
            refresh: args.refresh,
            margin: args.judge.margin.clone(),
            mean_margin: args.judge.mean_margin.clone(),
            fail_on: fail_on(&args.judge.fail_on),
            judged: matches!(args.format, Format::Junit | Format::Github),
            stats: args.stats,
        }
    }
}

impl From<&ListArgs> for RunOptions {
    fn from(args: &ListArgs) -> RunOptions {
        RunOptions {
            select: args.passed.on(&args.select),
            stated: Stated {
                values: args.timeout.clone().map(|time| ("timeout", time)).into_iter().collect(),
                ..Stated::default()
            },
            mode: Mode {
                once: args.once.is_some(),
                smallest: args.once == Some(Once::Smallest),
                ..Mode::default()
            },
            refresh: args.refresh,
            ..RunOptions::default()
        }
    }
}

impl From<&PlanArgs> for RunOptions {
    fn from(args: &PlanArgs) -> RunOptions {
        RunOptions {
            select: args.passed.on(&args.select),
            stated: (&args.settings).into(),
            mode: Mode { quick: args.settings.quick, control: args.control, ..Mode::default() },
            variants: args.variants.clone(),
            refresh: args.refresh,
            margin: args.margin.clone(),
            mean_margin: args.mean_margin.clone(),
            fail_on: fail_on(&args.fail_on),
            ..RunOptions::default()
        }
    }
}

impl From<&AttachArgs> for AttachOptions {
    fn from(args: &AttachArgs) -> AttachOptions {
        AttachOptions {
            select: (&args.select).into(),
            stated: (&args.settings).into(),
            suite: args.suite.clone(),
            quick: args.settings.quick,
            save: args.save.clone(),
            note: args.note.clone(),
        }
    }
}

impl VerdictArgs {
    /// Returns the terms of the comparison as given on the command line.
    pub fn terms(&self) -> StatedTerms<'_> {
        StatedTerms {
            margin: self.judge.margin.as_deref(),
            mean_margin: self.judge.mean_margin.as_deref(),
            confidence: self.confidence.as_deref(),
            metrics: &self.metrics,
        }
    }
}

impl ReportArgs {
    /// Returns the terms of the comparison as given on the command line.
    pub fn terms(&self) -> StatedTerms<'_> {
        StatedTerms {
            margin: self.margin.as_deref(),
            mean_margin: self.mean_margin.as_deref(),
            confidence: self.confidence.as_deref(),
            metrics: &[],
        }
    }
}

/// Returns the verdicts that `--fail-on` names.
pub fn fail_on(args: &[FailOn]) -> Vec<gate::FailOn> {
    let plain = |fail_on: &FailOn| match fail_on {
        FailOn::Worse => gate::FailOn::Worse,
        FailOn::Unclear => gate::FailOn::Unclear,
    };
    args.iter().map(plain).collect()
}
