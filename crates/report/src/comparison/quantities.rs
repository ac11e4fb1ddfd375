//! The quantities of a comparison: which of them have rows, their names, and explanations.

use crate::Style;
use derny_model::{Change, ComparedCase, ComparedSide, Comparison, Direction, Quantity, Verdict};

/// Counters that explain a time but are not results of a benchmark.
const EXPLAINING: [&str; 6] = ["cpu", "cpu_process", "wait", "preempted", "faults", "touched"];

/// Harness counters that have rows only on request, or if they determine the verdict.
const FOLDED: [&str; 15] = [
    "gc",
    "gc_time",
    "gc_cpu",
    "kept",
    "blocks",
    "peak",
    "heap",
    "copied",
    "mutator",
    "compiled",
    "compile_time",
    "classes",
    "safepoints",
    "safepoint_time",
    "evaluated",
];

/// Returns the quantities of a side that have a row. These are typical time, mean time if it differs, the
/// deciding change, and metrics that were requested, declared by the author, or changed beyond the margin.
/// Counters that only explain a time need `all`.
pub(crate) fn shown<'a>(
    comparison: &Comparison,
    case: &ComparedCase,
    side: &'a ComparedSide,
    all: bool,
) -> Vec<&'a Change> {
    let timed = side.changes.iter().any(|change| change.quantity == Quantity::Typical);
    // The engine's counters have a row if nothing else was requested.
    let explains = side.changes.iter().any(|change| !is_of(change, &EXPLAINING));
    let worth = |(at, change): &(usize, &Change)| match &change.quantity {
        Quantity::Typical => true,
        _ if side.decided_by == Some(*at as u32) => true,
        Quantity::Mean => side.split || !timed,
        Quantity::Metric(name) if case.case.as_run().is_some_and(|own| *name == own) => true,
        Quantity::Metric(name) if case.case.metrics.iter().any(|metric| *name == metric.name) => true,
        Quantity::Metric(_) if is_of(change, &EXPLAINING) => !explains,
        Quantity::Metric(_) => {
            let folds = timed && comparison.metrics.is_empty() && is_of(change, &FOLDED);
            is_changed(change) && (all || !folds)
        }
    };
    side.changes.iter().enumerate().filter(worth).map(|(_, change)| change).collect()
}

fn is_of(change: &Change, names: &[&str]) -> bool {
    matches!(&change.quantity, Quantity::Metric(own) if names.contains(&own.as_str()))
}

fn is_changed(change: &Change) -> bool {
    change.direction != Direction::None && matches!(change.verdict, Verdict::Better | Verdict::Worse)
}

/// Returns the name of a quantity: `time/op`, `mean/op`, `alloc/op`, `rate`.
pub(crate) fn quantity(case: &ComparedCase, change: &Change, style: &Style) -> String {
    let per = case.case.unit.as_deref().unwrap_or("op");
    let text = match &change.quantity {
        Quantity::Typical if case.case.runner.is_some() => format!("steady/{per}"),
        Quantity::Typical => format!("time/{per}"),
        Quantity::Mean => format!("mean/{per}"),
        Quantity::Metric(name) if *name == "allocated" && change.per_operation => format!("alloc/{per}"),
        Quantity::Metric(name) if !change.per_operation => name.to_string(),
        Quantity::Metric(name) => format!("{name}/{per}"),
    };
    style.prose(&text)
}

struct Seen<'a> {
    name: String,
    change: &'a Change,
    better: usize,
    worse: usize,
}

fn distinct<'a>(
    changes: impl Iterator<Item = (&'a ComparedCase, &'a Change)>,
    style: &Style,
) -> Vec<Seen<'a>> {
    let mut all: Vec<Seen> = Vec::new();
    for (case, change) in changes {
        let name = quantity(case, change, style);
        let at = all.iter().position(|seen| seen.name == name).unwrap_or_else(|| {
            all.push(Seen { name, change, better: 0, worse: 0 });
            all.len() - 1
        });
        all[at].better += usize::from(change.verdict == Verdict::Better);
        all[at].worse += usize::from(change.verdict == Verdict::Worse);
    }
    all
}

/// Explains the quantities in the rows of `sides`, such as `alloc/op: memory allocated`. Times and the
/// author's metrics need no explanation. `None` if there is nothing to explain.
pub(crate) fn legend(comparison: &Comparison, sides: &[u32], all: bool, style: &Style) -> Option<String> {
    let rows = of_sides(comparison, sides)
        .flat_map(|(case, side)| shown(comparison, case, side, all).into_iter().map(move |row| (case, row)));
    let words = distinct(rows, style)
        .into_iter()
        .filter_map(|seen| Some(format!("{}: {}", seen.name, meaning(&seen.change.quantity)?)));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Lists metrics that changed but have no rows: `also changed: peak (peak memory in use, 2 worse)`. `None` if
/// there are none.
pub(crate) fn folded(comparison: &Comparison, sides: &[u32], style: &Style) -> Option<String> {
    let hidden = of_sides(comparison, sides).flat_map(|(case, side)| {
        let rows = shown(comparison, case, side, false);
        let all = shown(comparison, case, side, true);
        let hidden =
            all.into_iter().filter(move |change| !rows.iter().any(|row| std::ptr::eq(*row, *change)));
        hidden.map(move |change| (case, change))
    });
    let words = distinct(hidden, style).into_iter().map(|seen| {
        let counts = [(seen.worse, "worse"), (seen.better, "better")];
        let counts =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        let meaning = meaning(&seen.change.quantity).map(str::to_owned);
        let facts: Vec<String> = meaning.into_iter().chain(counts).collect();
        format!("{} ({})", seen.name, facts.join(", "))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("also changed: {}", words.join(", ")))
}

fn of_sides<'a>(
    comparison: &'a Comparison,
    sides: &'a [u32],
) -> impl Iterator<Item = (&'a ComparedCase, &'a ComparedSide)> {
    comparison.cases.iter().flat_map(move |case| {
        case.sides.iter().filter(|side| sides.contains(&side.side)).map(move |side| (case, side))
    })
}

/// Explains a quantity whose name may be unclear. The protocol reserves these counter names.
fn meaning(quantity: &Quantity) -> Option<&'static str> {
    let Quantity::Metric(name) = quantity else {
        return (*quantity == Quantity::Mean).then_some("average time, including pauses and collections");
    };
    Some(match name.as_str() {
        "allocated" => "memory allocated",
        "allocations" => "number of allocations",
        "cpu" => "processor time of the measuring thread",
        "cpu_process" => "processor time of the whole process",
        "wait" => "time the thread waited for a processor",
        "preempted" => "number of times the thread was preempted",
        "faults" => "page faults",
        "touched" => "memory written for the first time",
        "gc" => "garbage collections",
        "gc_time" => "time in garbage collections",
        "gc_cpu" => "processor time of the garbage collector",
        "kept" => "memory not freed",
        "blocks" => "blocks of memory not freed",
        "peak" => "peak memory in use",
        "heap" => "memory in use after collections",
        "copied" => "memory copied by the garbage collector",
        "mutator" => "time outside of collections",
        "compiled" => "units compiled at run time",
        "compile_time" => "time spent compiling at run time",
        "classes" => "classes loaded",
        "safepoints" => "times that all threads were paused",
        "safepoint_time" => "time during which all threads were paused",
        "evaluated" => "calls that were interpreted",
        "reductions" => "work, in reductions of the BEAM",
        _ => return None,
    })
}
