//! A case, as `list` reports it.

use crate::error::{ParseError, value};
use crate::fields::Fields;
use crate::line::Line;
use crate::metric::{Kind, Metric};

/// The code that times a case: the harness's loop or the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Timing {
    /// The harness's loop, which times `iterations` calls of the body together.
    #[default]
    Loop,
    /// The body itself, which also reports the number of its operations.
    SelfTimed,
}

/// A benchmark with one value per parameter, and the properties that the engine needs to run it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Case {
    /// Name of the benchmark, a path such as `url/parse`.
    pub benchmark: String,
    /// Names and values of the parameters. `open` repeats them in the same order.
    pub params: Vec<(String, String)>,
    /// The code that times the case.
    pub timing: Timing,
    /// True if a self-timed body may be called repeatedly in one process.
    pub again: bool,
    /// Name of the parameter that `iterations` sets.
    pub scale: Option<String>,
    /// Name of the program that the benchmark was written for, if that program reports the first call in
    /// a fresh process.
    pub runner: Option<String>,
    /// Flags for the process of this case.
    pub args: Vec<String>,
    /// Environment variables for the process of this case.
    pub env: Vec<(String, String)>,
    /// Maximum number of iterations in a batch.
    pub max_iterations: Option<u64>,
    /// Maximum number of batches in one process. Batches of the empty body do not count.
    pub max_batches: Option<u32>,
    /// True if everything is set up again for each call, as in a new process. The first call is then
    /// like later calls.
    pub fresh: bool,
    /// Number of operations per iteration.
    pub ops: Option<f64>,
    /// Unit that operations are counted in, such as `request`.
    pub unit: Option<String>,
    /// Number of bytes processed per iteration.
    pub bytes: Option<f64>,
    /// Number of items processed per iteration.
    pub items: Option<f64>,
    /// Number of threads that run the body.
    pub threads: Option<u32>,
    /// True if the case must not share its process with other cases.
    pub isolate: bool,
    /// Key of the global set-up that the case needs once per run. A process performs it when it receives
    /// `list` with this key as `prepare`.
    pub prepared: Option<String>,
    /// Estimated time of one call in ns. Used only for planning.
    pub about_ns: Option<u64>,
    /// Shortest meaningful time of a batch, in ns.
    pub least_batch_ns: Option<u64>,
    /// Time in ns that one call of the body takes in the benchmark's own framework. The framework chooses
    /// the number of iterations to fill this time.
    pub count_ns: Option<u64>,
    /// Time limit in ns of `open`, `check` and each `measure`.
    pub timeout_ns: Option<u64>,
    /// Metrics of this case other than times. In the line that ends a turn, their values follow the
    /// harness's own counters.
    pub metrics: Vec<Metric>,
    /// Package, class or module of the case. Used for display and selection. Not part of the identity.
    pub suite: Option<String>,
    /// Name of the case in its own tool, if it does not follow from benchmark and parameters. Used for
    /// display and selection.
    pub printed: Option<String>,
    /// Position of the case among the harness's cases, as any text. The engine does not interpret the
    /// text, but passes it back in `open`.
    pub at: Option<String>,
    /// Reason why the case cannot be measured on this machine, if it is known while listing.
    pub skip: Option<String>,
    /// Reason why cases could not be listed, for example those of one file. The line then describes no
    /// case.
    pub error: Option<String>,
    /// Long text of the error, such as a stack trace.
    pub detail: Option<String>,
    /// Name of the group in which the case is shown.
    pub group: Option<String>,
    /// True for a parent. A parent is not measured: `expand` runs it to find the cases below it.
    pub parent: bool,
    /// Labels for selection.
    pub tags: Vec<String>,
    /// Path of the file that defines the case.
    pub file: Option<String>,
    /// Line in that file.
    pub line: Option<u32>,
}

impl Case {
    pub(crate) fn parse(rest: Option<&str>) -> Result<Self, ParseError> {
        let fields = Fields::parse("case", rest)?;
        let timing = match fields.text("timing")?.as_deref() {
            None | Some("loop") => Timing::Loop,
            Some("self") => Timing::SelfTimed,
            Some(other) => return Err(value("timing", other, "loop or self")),
        };
        Ok(Self {
            benchmark: fields.needed_text("benchmark")?,
            params: fields.params()?,
            timing,
            again: fields.flag("again")?,
            scale: fields.text("scale")?,
            runner: fields.text("runner")?,
            args: fields.items("args")?,
            env: fields.pairs("env")?,
            max_iterations: fields.integer("max_iterations")?,
            max_batches: fields.integer("max_batches")?,
            fresh: fields.flag("fresh")?,
            ops: fields.float("ops")?,
            unit: fields.text("unit")?,
            bytes: fields.float("bytes")?,
            items: fields.float("items")?,
            threads: fields.integer("threads")?,
            isolate: fields.flag("isolate")?,
            prepared: fields.text("prepared")?.filter(|key| key != "0"),
            about_ns: fields.integer("about_ns")?,
            least_batch_ns: fields.integer("least_batch_ns")?,
            count_ns: fields.integer("count_ns")?,
            timeout_ns: fields.integer("timeout_ns")?,
            metrics: fields.metrics(Kind::Level)?,
            suite: fields.text("suite")?,
            printed: fields.text("printed")?,
            at: fields.text("at")?,
            skip: fields.text("skip")?,
            error: fields.text("error")?,
            detail: fields.text("detail")?,
            group: fields.text("group")?,
            parent: fields.flag("parent")?,
            tags: fields.items("tags")?,
            file: fields.text("file")?,
            line: fields.integer("line")?,
        })
    }

    pub(crate) fn line(&self) -> Line {
        let mut line = Line::new("case");
        line.text("benchmark", &self.benchmark).params(&self.params);
        if self.timing == Timing::SelfTimed {
            line.text("timing", "self");
        }
        line.flag("again", self.again)
            .maybe_text("scale", self.scale.as_ref())
            .maybe_text("runner", self.runner.as_ref())
            .items("args", &self.args)
            .pairs("env", &self.env)
            .maybe_number("max_iterations", self.max_iterations)
            .maybe_number("max_batches", self.max_batches)
            .flag("fresh", self.fresh)
            .maybe_number("ops", self.ops)
            .maybe_text("unit", self.unit.as_ref())
            .maybe_number("bytes", self.bytes)
            .maybe_number("items", self.items)
            .maybe_number("threads", self.threads)
            .flag("isolate", self.isolate)
            .maybe_text("prepared", self.prepared.as_ref())
            .maybe_number("about_ns", self.about_ns)
            .maybe_number("least_batch_ns", self.least_batch_ns)
            .maybe_number("count_ns", self.count_ns)
            .maybe_number("timeout_ns", self.timeout_ns)
            .metrics(&self.metrics)
            .maybe_text("suite", self.suite.as_ref())
            .maybe_text("printed", self.printed.as_ref())
            .maybe_text("at", self.at.as_ref())
            .maybe_text("skip", self.skip.as_ref())
            .maybe_text("error", self.error.as_ref())
            .maybe_text("detail", self.detail.as_ref())
            .maybe_text("group", self.group.as_ref())
            .flag("parent", self.parent)
            .items("tags", &self.tags)
            .maybe_text("file", self.file.as_ref())
            .maybe_number("line", self.line);
        line
    }
}
