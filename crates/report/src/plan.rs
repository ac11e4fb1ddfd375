//! Formats the plan of a run: the order of launches, and their cost.

use crate::style::{Paint, columns, shorten, visible};
use crate::{Style, numbers};
use derny_model::{Case, Isolation, Plan, PlannedLaunch, Variant};

/// Returns the plan as text: the isolation, the size, the cost, and the launch order of the first stage.
pub fn plan(plan: &Plan, cases: &[Case], variants: &[Variant], style: &Style) -> String {
    let (isolation, meaning) = match plan.isolation {
        Isolation::Case => ("case", "a process measures one case"),
        Isolation::Suite => ("suite", "a process measures many cases"),
        Isolation::Shared => ("shared", "a process measures many cases"),
    };
    let reason = if plan.reason.is_empty() { meaning } else { &plan.reason };
    let mut out = format!("isolation {isolation}: {}\n", style.prose(reason));
    let several = variants.len() > 1;
    out.push_str(&style.prose(&format!(
        "{} per case × {}; a case may stop after {}",
        if several {
            numbers::counted(plan.processes as usize, "block", "blocks")
        } else {
            numbers::counted(plan.processes as usize, "process", "processes")
        },
        numbers::counted(plan.rounds as usize, "round", "rounds"),
        looks(&plan.looks, plan.processes)
    )));
    let budget = budget(plan).map_or(String::new(), |budget| format!("; the run's budget is {budget}"));
    out.push_str(&format!("\nthe first stage takes about {}{budget}\n\n", numbers::wall(plan.expected_ns)));
    out.push_str(&launches(&plan.launches, cases, variants, style));
    out
}

/// Returns the time limit of all cases together, or `None` if there is none and the run continues until it is
/// precise. Builds, the start of runtimes, and bodies that hang may exceed this limit. Only `--total` limits
/// those.
fn budget(plan: &Plan) -> Option<String> {
    (plan.bound_ns < u64::MAX).then(|| numbers::wall(plan.bound_ns))
}

/// Formats the numbers of processes at which looks happen: `8, 11, 15, 21, 29 or 40`.
fn looks(looks: &[u32], processes: u32) -> String {
    let texts: Vec<String> = looks.iter().map(u32::to_string).collect();
    match texts.split_last() {
        None => processes.to_string(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

fn launches(launches: &[PlannedLaunch], cases: &[Case], variants: &[Variant], style: &Style) -> String {
    let name = |index: u32| variants.get(index as usize).map_or("?", |variant| variant.name.as_str());
    let order = launches.len().to_string().len().max(1);
    let block = launches.iter().map(|l| l.block.to_string().len()).max().unwrap_or(0).max("block".len());
    let variant = launches.iter().map(|l| columns(name(l.variant))).max().unwrap_or(0).max("variant".len());
    let several = variants.len() > 1;
    let blank = if several { format!("{:<variant$}  ", "variant") } else { String::new() };
    let head = format!("{:>order$}  {:>block$}  {blank}cases", "", "block");
    let mut out = format!("{}\n", style.paint(Paint::Dim, &head));
    for (index, launch) in launches.iter().enumerate() {
        let mut line = format!("{:>order$}  {:>block$}  ", index + 1, launch.block);
        if several {
            let name = visible(name(launch.variant)).into_owned();
            line.push_str(&format!("{name}{}  ", " ".repeat(variant - columns(&name).min(variant))));
        }
        let room = style.width.map_or(usize::MAX, |width| width.saturating_sub(columns(&line)).max(8));
        line.push_str(&shorten(&names(launch, cases), room, style));
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Returns the names of the first cases of a launch, and the number of further cases.
fn names(launch: &PlannedLaunch, cases: &[Case]) -> String {
    const NAMED: usize = 3;
    let name = |index: &u32| cases.get(*index as usize).map_or("?".to_owned(), |case| case.id.to_string());
    let named: Vec<String> = launch.cases.iter().take(NAMED).map(name).collect();
    let mut text = visible(&named.join(", ")).into_owned();
    if launch.cases.len() > NAMED {
        text.push_str(&format!(" and {} more", launch.cases.len() - NAMED));
    }
    text
}

/// Expected duration in ns above which the announcement explains how to shorten the run.
const LONG_NS: u64 = 600_000_000_000;

/// Returns the line before a run: how much it measures, the isolation if that was chosen automatically, and
/// the expected duration.
pub fn announcement(plan: &Plan, cases: usize, style: &Style) -> String {
    let mut facts = vec![
        numbers::counted(cases, "case", "cases"),
        format!("{} or more per case", numbers::counted(plan.processes as usize, "process", "processes")),
        match budget(plan) {
            Some(budget) => format!("about {}, budget {budget}", numbers::wall(plan.expected_ns)),
            None => format!("about {} until the first look", numbers::wall(plan.expected_ns)),
        },
    ];
    if plan.expected_ns > LONG_NS {
        facts.push("Ctrl-C keeps the results so far, --total 30m sets a limit".to_owned());
    }
    if plan.isolation == Isolation::Suite {
        facts.push(format!("suite isolation: {}", plan.reason));
    }
    style.paint(Paint::Dim, &style.prose(&facts.join(style.dot())))
}
