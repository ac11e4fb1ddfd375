//! Parses the arguments of `derny try`.

use crate::args::{FigureArgs, TryArgs};
use derny_command::calls::{Accepted, Output};
use derny_command::parameters::{Parameter, items, scan};
use derny_command::request::{Judged, Request};
use derny_model::problem;
use derny_model::words::counted;
use derny_workbench::Result;
use derny_workbench::config::units;
use std::path::Path;

/// Returns the request. Paths are relative to `directory`.
pub fn request(args: &TryArgs, directory: &Path) -> Result<Request> {
    if args.command_name.len() > args.commands.len() {
        return Err(problem!(
            "-n is given {} times for {}",
            args.command_name.len(),
            counted(args.commands.len(), "command", "commands")
        )
        .remedy("add a command for each name")
        .into());
    }
    if let Some(at) = args.commands.iter().position(|command| command.trim().is_empty()) {
        return Err(problem!("command {} is empty", at + 1)
            .remedy("write the command in quotes: derny try 'sleep 0.1'")
            .into());
    }
    let own_names = (0..args.commands.len()).map(|at| args.command_name.get(at).cloned());
    let timeout = args.run_timeout.as_deref().map(units::duration_ns).transpose();
    let input = (args.input.as_os_str() != "null").then(|| directory.join(&args.input));
    if let Some(input) = input.as_ref().filter(|input| !input.is_file()) {
        return Err(problem!("--input: there is no file {}", input.display())
            .remedy("use null, or the path of a file")
            .into());
    }
    Ok(Request {
        commands: args.reference.iter().chain(&args.commands).cloned().collect(),
        names: args.reference.iter().map(|_| args.reference_name.clone()).chain(own_names).collect(),
        parameters: parameters(args)?,
        shell: if args.no_shell { Some("none".to_owned()) } else { args.shell.clone() },
        setup: args.setup.clone(),
        prepare: args.prepare.clone(),
        conclude: args.conclude.clone(),
        cleanup: args.cleanup.clone(),
        output: outputs(args, directory),
        input,
        accepted: accepted(args.ignore_failure.as_deref())?,
        copy: args.copy,
        timeout_ns: timeout
            .map_err(|why| problem!("{why}").place("--timeout").remedy("use --timeout 10s"))?,
        directory: directory.to_owned(),
        judged: figures(&args.figures, !args.judge.fail_on.is_empty())?,
    })
}

/// Returns the figures to judge. `fails` is true if verdicts can fail the command.
pub fn figures(args: &FigureArgs, fails: bool) -> Result<Judged> {
    if !args.metric_from.is_empty() && args.metric.is_empty() && fails {
        return Err(problem!("--fail-on needs a figure with a direction")
            .remedy("use --metric NAME:higher or --metric NAME:lower")
            .into());
    }
    Ok(Judged::parse(&args.metric_from, &args.metric)?)
}

fn parameters(args: &TryArgs) -> Result<Vec<Parameter>> {
    if let [name, least, most] = &args.parameter_scan[..] {
        let values = scan(least, most, args.parameter_step_size.as_deref());
        let values = values.map_err(|why| problem!("-P {name} {least} {most}: {why}"))?;
        return Ok(vec![Parameter { name: name.clone(), values }]);
    }
    if !args.parameter_scan.is_empty() {
        return Err(problem!("--parameter-scan is given several times")
            .remedy("use -L VAR VALUES, which can be repeated")
            .into());
    }
    let lists = args.parameter_list.chunks_exact(2);
    Ok(lists.map(|list| Parameter { name: list[0].clone(), values: items(&list[1]) }).collect())
}

fn outputs(args: &TryArgs, directory: &Path) -> Vec<Output> {
    if args.show_output {
        return vec![Output::Inherit];
    }
    let output = |text: &String| match text.as_str() {
        "null" => Output::Null,
        "pipe" => Output::Pipe,
        "inherit" => Output::Inherit,
        file => Output::File(directory.join(file)),
    };
    args.output.iter().map(output).collect()
}

fn accepted(mode: Option<&str>) -> Result<Accepted> {
    let statuses = match mode {
        None => return Ok(Accepted::Zero),
        Some("all-non-zero") => return Ok(Accepted::Any),
        Some(list) => list.split(',').map(|one| one.trim().parse::<i32>()),
    };
    let statuses: Result<Vec<i32>, _> = statuses.collect();
    let wrong = |_| {
        problem!("-i: `{}` is not a list of statuses", mode.unwrap_or_default()).remedy("use -i, or -i=1,2")
    };
    Ok(Accepted::Statuses(statuses.map_err(wrong)?))
}
