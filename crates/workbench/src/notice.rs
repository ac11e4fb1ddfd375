//! Notices: what the workbench has to say beside its results, as data.

use std::fmt;

/// How much a notice matters to someone who reads along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Something is not as it was asked for.
    Note,
    /// It only shows that work goes on.
    Progress,
}

/// Something to say. Its `Display` text is what a terminal shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A variant or a layout is being built.
    Building {
        /// The variant, with its commit if it has one.
        what: String,
        /// Number of the layout from 1, and how many there are, if there are several.
        layout: Option<(u32, u32)>,
    },
}

impl Notice {
    /// How much it matters.
    pub fn weight(&self) -> Weight {
        match self {
            Notice::Building { .. } => Weight::Progress,
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Building { what, layout: None } => write!(f, "building {what}"),
            Notice::Building { what, layout: Some((number, of)) } => {
                write!(f, "building {what}, layout {number} of {of}")
            }
        }
    }
}
