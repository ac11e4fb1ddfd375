//! Size and colours of charts.

/// The appearance of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// True for light drawings on a dark background.
    pub dark: bool,
    /// Width of the chart in pixels.
    pub width: u32,
    /// Height of a scatter chart or of each panel, in pixels. Charts with rows ignore it.
    pub height: Option<u32>,
}

impl Default for Look {
    fn default() -> Look {
        Look { dark: false, width: 860, height: None }
    }
}

/// Colours for a light background, based on those of Okabe and Ito. Neighbours in this order also differ in
/// lightness. Yellow is omitted because it is invisible on white.
const LIGHT: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#a6408a", "#b07800", "#3a97d3", "#5f6770"];
/// Colours for a dark background, in the same order.
const DARK: [&str; 7] = ["#56b4e9", "#f08c3c", "#2ec4a0", "#e08fc4", "#e6c13c", "#8ab4ff", "#aab2bb"];

impl Look {
    pub(super) fn series(&self, index: usize) -> &'static str {
        let palette = if self.dark { &DARK } else { &LIGHT };
        palette[index % palette.len()]
    }

    pub(super) fn ground(&self) -> &'static str {
        if self.dark { "#14171b" } else { "#ffffff" }
    }

    pub(super) fn ink(&self) -> &'static str {
        if self.dark { "#e8eaed" } else { "#1c2127" }
    }

    pub(super) fn faint(&self) -> &'static str {
        if self.dark { "#9aa3ad" } else { "#5a646f" }
    }

    pub(super) fn grid(&self) -> &'static str {
        if self.dark { "#2b3138" } else { "#e3e7eb" }
    }

    pub(super) fn band(&self) -> &'static str {
        if self.dark { "#1b1f24" } else { "#f6f7f9" }
    }
}
