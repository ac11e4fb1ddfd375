//! The folders in which commands of variants run: the working tree, or the worktree of a revision. No program
//! is built for them.

use crate::error::Result;
use crate::notice::Notice;
use crate::project::session::Session;
use crate::variants::build::{self, Order, Prepared};
use crate::variants::resolve::Requested;
use derny_model::{Settings, Variant};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Variants with their folders.
#[derive(Debug)]
pub struct Places {
    /// Each variant, and the folder in which its commands run.
    pub all: Vec<(Variant, PathBuf)>,
    /// Holds the locks of the worktrees. A run that uses them takes the locks itself, so they must be
    /// released before it is planned.
    pub locks: Prepared,
}

/// Finds the folders of the variants that these texts of `-x` describe. Checks out revisions that have no
/// worktree yet.
///
/// # Errors
/// Fails if a text is invalid, or if a revision does not exist or cannot be checked out.
pub fn places(
    session: &Session,
    stop: &AtomicBool,
    texts: &[String],
    tell: &mut dyn FnMut(Notice),
) -> Result<Places> {
    let requested = Requested::described(session, (&[], texts), (false, false))?;
    let resolved = requested.resolve(session, None, &[])?;
    let settings = Settings::default();
    let order = Order {
        session,
        stop,
        settings: &settings,
        sources: &[],
        others: false,
        base: &[],
        goes_on: false,
        prebuilt: None,
    };
    let (variants, locks) = build::build(order, resolved, tell)?;
    let root = &session.project.root;
    let below = session.place.directory.strip_prefix(root).unwrap_or(std::path::Path::new(""));
    let place = |variant: Variant| {
        let directory = match &variant.directory {
            Some(tree) => PathBuf::from(tree).join(below),
            None => session.place.directory.clone(),
        };
        (variant, directory)
    };
    Ok(Places { all: variants.into_iter().map(place).collect(), locks })
}
