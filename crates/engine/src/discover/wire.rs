//! Converts cases, metrics and collectors between the protocol and the model.

use crate::discover::{COMMAND, Source};
use derny_model::{Case, CaseId, Collector, Direction, Kind, Metric, Timing};
use derny_protocol::Command;
use std::path::Path;

/// Returns the file and the line of a case. Normally, the file is the launched one, with its path relative to
/// the root.
///
/// A harness may also report the file in which the benchmark is defined. The reported file is used for a
/// command after `--`, and if the suite covers it. The line is dropped if it is in another file than the
/// returned one. `root` is the root of the variant, whose files a variant of another revision reports.
fn file_and_line(
    source: &Source,
    root: &Path,
    file: Option<String>,
    line: Option<u32>,
) -> (Option<String>, Option<u32>) {
    let told = file.map(|file| {
        let path = Path::new(&file);
        let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(&source.root));
        below.map(|path| path.display().to_string()).unwrap_or(file)
    });
    let (known, launched) = (told.clone(), source.file.clone());
    let is_covered = |file: &String| source.covers.binary_search(file).is_ok();
    let knows = source.harness == COMMAND || told.as_ref().is_some_and(is_covered);
    let file = if knows { known.or(launched) } else { launched.or(known) };
    let line = line.filter(|_| told.is_none() || told == file);
    (file, line)
}

pub(crate) fn from_wire(source: &Source, root: &Path, case: derny_protocol::Case) -> Case {
    let (file, line) = file_and_line(source, root, case.file, case.line);
    Case {
        id: CaseId { suite: source.suite.clone(), benchmark: case.benchmark, params: case.params },
        harness: source.harness.clone(),
        file,
        line,
        timing: match case.timing {
            derny_protocol::Timing::Loop => Timing::Loop,
            derny_protocol::Timing::SelfTimed => Timing::SelfTimed,
        },
        again: case.again,
        scale: case.scale,
        runner: case.runner,
        args: case.args,
        env: case.env,
        max_iterations: case.max_iterations,
        max_batches: case.max_batches,
        fresh: case.fresh,
        ops: case.ops.unwrap_or(1.0),
        unit: case.unit,
        bytes: case.bytes,
        items: case.items,
        threads: case.threads,
        isolate: case.isolate,
        global_setup: case.prepared,
        about_ns: case.about_ns,
        least_batch_ns: case.least_batch_ns,
        count_ns: case.count_ns,
        timeout_ns: case.timeout_ns,
        module: case.suite,
        at: case.at,
        skip: case.skip,
        metrics: case.metrics.iter().map(metric).collect(),
        parent: case.parent,
        group: case.group,
        tags: case.tags,
        called: None,
        printed: case.printed,
    }
}

/// Converts a harness's declaration of its garbage collector to the model.
pub fn collector(collector: derny_protocol::Collector) -> Collector {
    match collector {
        derny_protocol::Collector::None => Collector::None,
        derny_protocol::Collector::Counted => Collector::Counted,
        derny_protocol::Collector::Untold => Collector::Untold,
    }
}

/// Converts a declared metric to the model.
pub fn metric(metric: &derny_protocol::Metric) -> Metric {
    let direction = match metric.direction {
        derny_protocol::Direction::Less => Direction::Less,
        derny_protocol::Direction::More => Direction::More,
        derny_protocol::Direction::None => Direction::None,
    };
    let kind = match metric.kind {
        derny_protocol::Kind::Total => Kind::Total,
        derny_protocol::Kind::Level => Kind::Level,
        derny_protocol::Kind::Peak => Kind::Peak,
        derny_protocol::Kind::Rate => Kind::Rate,
    };
    Metric { name: metric.name.clone(), unit: metric.unit.clone(), kind, direction, exact: metric.exact }
}

/// Returns the command that opens a case.
pub fn open(case: &Case) -> Command {
    Command::Open { benchmark: case.called().to_owned(), params: case.id.params.clone(), at: case.at.clone() }
}

/// Converts a case to the form that the protocol's session needs before `open`.
pub fn to_wire(case: &Case) -> derny_protocol::Case {
    derny_protocol::Case {
        benchmark: case.called().to_owned(),
        params: case.id.params.clone(),
        timing: match case.timing {
            Timing::Loop => derny_protocol::Timing::Loop,
            Timing::SelfTimed => derny_protocol::Timing::SelfTimed,
        },
        metrics: case
            .metrics
            .iter()
            .map(|m| derny_protocol::Metric {
                name: m.name.clone(),
                unit: m.unit.clone(),
                kind: match m.kind {
                    Kind::Total => derny_protocol::Kind::Total,
                    Kind::Level | Kind::Reported => derny_protocol::Kind::Level,
                    Kind::Peak => derny_protocol::Kind::Peak,
                    Kind::Rate => derny_protocol::Kind::Rate,
                },
                direction: match m.direction {
                    Direction::Less => derny_protocol::Direction::Less,
                    Direction::More => derny_protocol::Direction::More,
                    Direction::None => derny_protocol::Direction::None,
                },
                exact: m.exact,
            })
            .collect(),
        ..derny_protocol::Case::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover;

    #[test]
    fn a_case_is_in_the_file_that_is_launched() {
        let root = Path::new("/p");
        let command = discover::command(root, &["./bench".to_string()]);
        let found = Source { harness: "node".into(), file: Some("a.bench.js".into()), ..command.clone() };
        let of = |source, file: &str| file_and_line(source, root, Some(file.to_string()), Some(3));
        assert_eq!(of(&found, "/p/a.bench.js"), (Some("a.bench.js".into()), Some(3)));
        assert_eq!(
            of(&found, "/p/lib/shared.js"),
            (Some("a.bench.js".into()), None),
            "not a line of that file"
        );
        assert_eq!(of(&command, "/p/src/b.c"), (Some("src/b.c".into()), Some(3)));
        assert_eq!(of(&command, "/elsewhere/b.c"), (Some("/elsewhere/b.c".into()), Some(3)));
        assert_eq!(file_and_line(&found, root, None, Some(3)), (Some("a.bench.js".into()), Some(3)));
        let (worktree, file) = (Path::new("/trees/main"), Some("/trees/main/a.bench.js".to_string()));
        assert_eq!(
            file_and_line(&found, worktree, file, Some(3)),
            (Some("a.bench.js".into()), Some(3)),
            "of another revision"
        );
    }
}
