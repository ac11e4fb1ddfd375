//! Which package each side measures, and from where: sides are never the same by accident.
//!
//! A program that knows is asked in a process of its own, before anything is measured.

use crate::error::{Result, refuse};
use crate::notice::Notice;
use crate::options::Selection;
use crate::pipeline::Bench;
use crate::session::{Listing, Session};
use derny_engine::discover::Source;
use derny_model::{Package, Variant};

/// Refuses a variant whose program is not there: it would fail in every case, or be another than was meant.
///
/// # Errors
/// The program that is missing, with what to type.
pub fn programs(session: &Session, sources: &[Source], variants: &mut [Variant]) -> Result<()> {
    if !sources.iter().any(|source| source.tells_package.is_some()) {
        return Ok(());
    }
    let here = &session.place.directory;
    for variant in variants.iter_mut().filter(|variant| variant.again.is_none()) {
        let name = variant.name.clone();
        let Some(program) = variant.command.as_mut().and_then(|words| words.first_mut()) else { continue };
        if program.contains(['{', '$']) {
            continue;
        }
        if !program.contains('/') {
            if !on_path(program) && !cfg!(windows) {
                refuse!(
                    "side `{name}` names a program that is not there\n  where  {program}, on the PATH\n  \
                     try    the path of the program, as in -x {name}=FOLDER/bin/{program}"
                );
            }
            continue;
        }
        // A path is meant from where it was typed, or from the project's root.
        let typed = [here.join(&*program), session.project.root.join(&*program)];
        let Some(found) = typed.iter().find(|path| path.is_file()) else {
            refuse!(
                "side `{name}` names a program that is not there\n  where  {}\n  try    -x {name}=PROGRAM with the path of one",
                typed[0].display()
            );
        };
        if variant.revision.is_some() || !session.project.root.join(&*program).is_file() {
            *program = found.display().to_string();
        }
    }
    Ok(())
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// What a side has told: its package, and its runtime.
type Told = (Package, String);

/// Asks each side which package it measures, tells it, and refuses sides that would measure the same files by accident.
///
/// # Errors
/// Two sides of different programs or revisions that load the package from one place.
pub fn tell(
    bench: Bench<'_>,
    select: &Selection,
    sources: &[Source],
    variants: &mut [Variant],
    timeout_ns: u64,
    tell: &mut dyn FnMut(Notice),
) -> Result<()> {
    let telling = |source: &&Source| source.tells_package.is_some();
    let Some(source) = sources.iter().find(telling) else { return Ok(()) };
    let remedy = source.tells_package.as_deref().unwrap_or_default();
    let way = |variant: &Variant| (variant.command.clone(), variant.revision.clone(), variant.env.clone());
    if variants.iter().all(|variant| way(variant) == way(&variants[0])) {
        return Ok(());
    }
    let mut known: Vec<(usize, Told)> = Vec::new();
    let copies = variants.to_vec();
    for (number, variant) in copies.iter().enumerate() {
        if variant.again.is_some() || variant.control {
            continue;
        }
        let (reaper, stop) = (bench.reaper, bench.stop);
        let listing = Listing { variant, test: false, timeout_ns, refresh: false, reaper, stop };
        // A side that does not start fails with its first case, in the words of its own.
        let Ok(Some(told)) = bench.session.package(select, source, &listing) else { continue };
        tell(Notice::Package { side: variant.name.clone(), package: told.0.clone() });
        variants[number].package = Some(told.0.clone());
        for (other, theirs) in &known {
            together((&variants[*other], theirs), (variant, &told), remedy, tell)?;
        }
        known.push((number, told));
    }
    Ok(())
}

/// Compares what two sides have told.
fn together(
    one: (&Variant, &Told),
    other: (&Variant, &Told),
    remedy: &str,
    tell: &mut dyn FnMut(Notice),
) -> Result<()> {
    let ((first, (mine, runtime)), (second, (theirs, other_runtime))) = (one, other);
    if (&first.command, &first.revision) == (&second.command, &second.revision) {
        return Ok(());
    }
    // Two interpreters may well be compared on one copy of a package.
    if mine.from == theirs.from && runtime == other_runtime {
        refuse!(
            "sides `{}` and `{}` would measure the same files of {}\n  where  {}\n  \
             why    both load it from there, whatever else they have installed\n  \
             try    {remedy}",
            first.name,
            second.name,
            mine.name,
            mine.from
        );
    }
    if mine.from != theirs.from && !mine.hash.is_empty() && mine.hash == theirs.hash {
        let sides = (first.name.clone(), second.name.clone());
        tell(Notice::Identical { sides, what: format!("{} {}", mine.name, mine.version) });
    }
    Ok(())
}
