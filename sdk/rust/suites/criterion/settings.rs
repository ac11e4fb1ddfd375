//! Settings of a benchmark: batch size, throughput and plots.

#[derive(Debug, Eq, PartialEq, Copy, Hash, Clone)]
pub enum BatchSize {
    SmallInput,
    LargeInput,
    PerIteration,
    NumBatches(u64),
    NumIterations(u64),
    #[doc(hidden)]
    __NonExhaustive,
}

impl BatchSize {
    /// Returns the maximum number of inputs that exist at the same time, or `None` if there is no limit.
    pub(crate) fn most(self) -> Option<u64> {
        match self {
            BatchSize::PerIteration => Some(1),
            BatchSize::NumIterations(size) => Some(size.max(1)),
            // criterion.rs makes a thousandth of a sample's inputs at a time, which is usually one.
            BatchSize::LargeInput => Some(8),
            BatchSize::SmallInput | BatchSize::NumBatches(_) | BatchSize::__NonExhaustive => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Baseline {
    Compare,
    CompareLenient,
    CompareStrict,
    Save,
    Discard,
}

#[derive(Debug, Clone, Copy)]
pub enum PlottingBackend {
    Gnuplot,
    Plotters,
    None,
}

#[derive(Debug, Clone)]
pub enum BenchmarkFilter {
    AcceptAll,
    #[cfg(derny_regex)]
    Regex(regex::Regex),
    Exact(String),
    RejectAll,
}

/// The amount that one call processes. The variants must be exactly those of each version of criterion.rs,
/// because a user's formatter may match them exhaustively.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Throughput {
    #[cfg(derny_bits)]
    Bits(u64),
    Bytes(u64),
    #[cfg(not(derny_criterion = "0.3"))]
    BytesDecimal(u64),
    Elements(u64),
    #[cfg(derny_both)]
    ElementsAndBytes {
        elements: u64,
        bytes: u64,
    },
}

impl Throughput {
    /// Returns the numbers of bytes and items.
    pub(crate) fn amounts(&self) -> (Option<u64>, Option<u64>) {
        match *self {
            #[cfg(derny_bits)]
            Throughput::Bits(bits) => (Some(bits / 8), None),
            Throughput::Bytes(bytes) => (Some(bytes), None),
            #[cfg(not(derny_criterion = "0.3"))]
            Throughput::BytesDecimal(bytes) => (Some(bytes), None),
            Throughput::Elements(items) => (None, Some(items)),
            #[cfg(derny_both)]
            Throughput::ElementsAndBytes { elements, bytes } => (Some(bytes), Some(elements)),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum AxisScale {
    Linear,
    Logarithmic,
}

#[derive(Debug, Clone)]
pub struct PlotConfiguration {
    summary_scale: AxisScale,
}

impl Default for PlotConfiguration {
    fn default() -> PlotConfiguration {
        PlotConfiguration { summary_scale: AxisScale::Linear }
    }
}

impl PlotConfiguration {
    pub fn summary_scale(mut self, new_scale: AxisScale) -> PlotConfiguration {
        self.summary_scale = new_scale;
        self
    }
}

#[derive(Debug, Default, Clone, Copy)]
pub enum SamplingMode {
    #[default]
    Auto,
    Linear,
    Flat,
}

/// Options of `iter_manual_unstable` in CodSpeed's fork.
#[cfg(derny_codspeed)]
#[derive(Debug, Clone, Copy, Default)]
pub struct IterManualOptions(());

#[cfg(derny_codspeed)]
impl IterManualOptions {
    pub fn new() -> IterManualOptions {
        IterManualOptions::default()
    }

    pub fn rounds(self, _rounds: u64) -> IterManualOptions {
        self
    }

    pub fn iters(self, _iters: u64) -> IterManualOptions {
        self
    }

    pub fn warmup(self, _warmup_rounds: u64) -> IterManualOptions {
        self
    }
}
