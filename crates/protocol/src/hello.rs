//! The hello: the first line that a harness sends.

use crate::error::{ParseError, value};
use crate::fields::Fields;
use crate::line::Line;
use crate::metric::{Kind, Metric};
use crate::number;

/// A harness's declaration about garbage collections during turns of its first mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Collector {
    /// There is no collector.
    None,
    /// The counter `gc` counts every collection.
    Counted,
    /// A collector may run, but the harness does not report collections.
    #[default]
    Untold,
}

impl Collector {
    const WORDS: [(&str, Collector); 3] =
        [("none", Collector::None), ("counted", Collector::Counted), ("untold", Collector::Untold)];

    fn parse(word: Option<&str>) -> Collector {
        let known = Collector::WORDS.iter().find(|(known, _)| Some(*known) == word);
        known.map_or(Collector::Untold, |(_, collector)| *collector)
    }

    fn word(self) -> Option<String> {
        let (word, _) = Collector::WORDS.iter().find(|(_, collector)| *collector == self)?;
        (self != Collector::Untold).then(|| (*word).to_owned())
    }
}

/// The first message of a harness, with its capabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// Version of the protocol that the harness uses.
    pub version: u32,
    /// Language, such as `javascript`, `java` or `elixir`.
    pub language: String,
    /// Runtime and its version, such as `node/20.20.2`.
    pub runtime: String,
    /// Version of the SDK.
    pub harness: String,
    /// Id of the process to observe from outside.
    pub pid: u32,
    /// The system's id of the measuring thread, if the runtime reveals it.
    pub thread: Option<u32>,
    /// Name of the clock.
    pub clock: String,
    /// Smallest step of the clock, in nanoseconds.
    pub step_ns: u64,
    /// Optional verbs and features that the harness supports, such as `collect` or `hash`.
    pub can: Vec<String>,
    /// True if a forced collection returns memory to the system. The next use of that memory costs a
    /// first touch again.
    pub gives_back: bool,
    /// Declaration about garbage collections during turns.
    pub collector: Collector,
    /// Modes of measuring. Each turn uses one mode, by default the first.
    pub modes: Vec<String>,
    /// Counters whose values are in the line that ends every turn, in this order.
    pub metrics: Vec<Metric>,
    /// Settings of the runtime that may affect times, such as heap, collector and flags.
    pub settings: Vec<(String, String)>,
    /// The packages whose code is measured, if the engine requested them. Each consists of six words
    /// (PROTOCOL.md, 3.1).
    pub package: Vec<String>,
}

impl Hello {
    pub(crate) fn parse(rest: Option<&str>) -> Result<Self, ParseError> {
        let rest = rest.unwrap_or_default();
        let (version, rest) =
            rest.split_once(' ').map_or((rest, None), |(version, rest)| (version, Some(rest)));
        let version = number::integer(version.as_bytes())
            .and_then(|version| u32::try_from(version).ok())
            .ok_or_else(|| value("derny", version, "a version number"))?;
        let fields = Fields::parse("derny", rest)?;
        Ok(Self {
            version,
            language: fields.needed_text("language")?,
            runtime: fields.needed_text("runtime")?,
            harness: fields.needed_text("harness")?,
            pid: fields.needed_integer("pid")?,
            thread: fields.integer("thread")?,
            clock: fields.needed_text("clock")?,
            step_ns: fields.needed_integer("step_ns")?,
            can: fields.items("can")?,
            gives_back: fields.flag("gives_back")?,
            collector: Collector::parse(fields.text("collector")?.as_deref()),
            modes: fields.items("modes")?,
            metrics: fields.metrics(Kind::Total)?,
            settings: fields.pairs("settings")?,
            package: fields.items("package")?,
        })
    }

    pub(crate) fn line(&self) -> Line {
        let mut line = Line::new("derny");
        line.word(self.version)
            .text("language", &self.language)
            .text("runtime", &self.runtime)
            .text("harness", &self.harness)
            .number("pid", self.pid)
            .maybe_number("thread", self.thread)
            .text("clock", &self.clock)
            .number("step_ns", self.step_ns)
            .items("can", &self.can)
            .flag("gives_back", self.gives_back)
            .maybe_text("collector", self.collector.word().as_ref())
            .items("modes", &self.modes)
            .metrics(&self.metrics)
            .pairs("settings", &self.settings)
            .items("package", &self.package);
        line
    }
}
