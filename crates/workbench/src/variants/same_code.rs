//! Checks which package each side measures and where it is. Fails if two sides would measure the same files
//! by accident.
//!
//! Before anything is measured, each program that can report its packages is started once for each side, in a
//! separate process.

use crate::config::options::Selection;
use crate::error::Result;
use crate::notice::Notice;
use crate::project::session::{Launcher, Listing};
use derny_analysis::same::{self, Same};
use derny_engine::discover::Source;
use derny_engine::observe::machine;
use derny_model::{Package, Variant, problem};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Benchmark files of one folder and one convention. They load the same packages, so one process can report
/// for all of them.
struct Group<'a> {
    source: &'a Source,
    files: Vec<&'a str>,
}

fn groups(sources: &[Source]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<(&str, &str, &Path), Group<'_>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.tells_package.is_some()) {
        let file = source.file.as_deref().unwrap_or_default();
        // A source of several files forms a separate group.
        let is_one = source.covers.is_empty() && source.file.is_some();
        let folder = Path::new(file).parent().filter(|_| is_one).unwrap_or(Path::new(file));
        let suite = if is_one { "" } else { source.suite.as_str() };
        let key = (source.harness.as_str(), suite, folder);
        groups.entry(key).or_insert_with(|| Group { source, files: Vec::new() }).files.push(file);
    }
    groups.into_values().collect()
}

/// Finds the package that each variant measures, and reports it. Returns the variants with their packages.
///
/// # Errors
/// Fails if two sides of different programs or revisions load a package from the same place. They would then
/// measure the same files by accident.
pub fn check(
    launcher: Launcher<'_>,
    select: &Selection,
    sources: &[Source],
    variants: Vec<Variant>,
    timeout_ns: u64,
    tell: &mut dyn FnMut(Notice),
) -> Result<Vec<Variant>> {
    let way = |variant: &Variant| (variant.command.clone(), variant.revision.clone(), variant.env.clone());
    let own: Vec<usize> =
        (0..variants.len()).filter(|at| variants[*at].again.is_none() && !variants[*at].control).collect();
    if own.iter().all(|at| way(&variants[*at]) == way(&variants[own[0]])) {
        return Ok(variants);
    }
    let groups = groups(sources);
    let asked: Vec<(usize, usize)> =
        (0..groups.len()).flat_map(|group| own.iter().map(move |side| (group, *side))).collect();
    let answers = ask(launcher, select, &groups, &variants, &asked, timeout_ns);
    let mut said = BTreeSet::new();
    let mut once = |notice: Notice| {
        if said.insert(notice.to_string()) {
            tell(notice);
        }
    };
    for ((_, side), told) in asked.iter().zip(&answers) {
        let name = &variants[*side].name;
        for package in told.iter().filter(|package| package.own).take(MOST_REPORTED) {
            once(Notice::Package { side: name.clone(), package: package.clone() });
        }
    }
    for ((group, side), told) in asked.iter().zip(&answers) {
        for ((other_group, other), theirs) in asked.iter().zip(&answers) {
            if group == other_group && other < side {
                together(
                    groups[*group].source,
                    (&variants[*other], theirs),
                    (&variants[*side], told),
                    &mut once,
                )?;
            }
        }
    }
    let with_own = |(at, variant): (usize, Variant)| {
        let told = asked.iter().zip(&answers).filter(|((_, side), _)| *side == at);
        let told = told.flat_map(|(_, told)| told.iter().cloned());
        let packages = each_once(variant.packages.iter().cloned().chain(told).collect());
        Variant { packages, ..variant }
    };
    Ok(variants.into_iter().enumerate().map(with_own).collect())
}

/// Removes duplicate packages, and puts the measured packages first.
fn each_once(mut packages: Vec<Package>) -> Vec<Package> {
    packages.sort_by_key(|package| !package.own);
    let mut seen = BTreeSet::new();
    packages.retain(|package| seen.insert((package.name.clone(), package.from.clone())));
    packages
}

/// Maximum number of packages to report per side.
const MOST_REPORTED: usize = 3;

/// Starts the processes of these groups on each side and returns the packages that they report. A side that
/// does not start reports nothing here. Its first case fails later, with a more specific error.
fn ask(
    launcher: Launcher<'_>,
    select: &Selection,
    groups: &[Group<'_>],
    variants: &[Variant],
    asked: &[(usize, usize)],
    timeout_ns: u64,
) -> Vec<Vec<Package>> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![Vec::new(); asked.len()]);
    let workers = machine::at_once().min(asked.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((at, (group, side))) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, asked.get(at)?)))
                {
                    let variant = &variants[*side];
                    let listing =
                        Listing { launcher, cache: None, variant, test: false, timeout_ns, refresh: false };
                    let Group { source, files } = &groups[*group];
                    let told = launcher.session.packages(select, (source, files), &listing);
                    if let (Ok(told), Ok(mut answers)) = (told, answers.lock()) {
                        answers[at] = told;
                    }
                }
            });
        }
    });
    answers.into_inner().unwrap_or_default()
}

/// Compares the reports of two sides. Fails if both load a package from the same place although they were
/// meant to differ. Otherwise, reports it.
fn together(
    source: &Source,
    (first, mine): (&Variant, &[Package]),
    (second, theirs): (&Variant, &[Package]),
    tell: &mut dyn FnMut(Notice),
) -> Result<()> {
    let Some(same) = same::packages(mine, theirs) else { return Ok(()) };
    let is_other_way = (&first.command, &first.revision) != (&second.command, &second.revision);
    let path = source.code_path.as_deref().filter(|name| value(first, name) != value(second, name));
    if !is_other_way && path.is_none() {
        // A variable that does not name a folder does not affect which code is loaded.
        if first.env.iter().chain(&second.env).any(|(_, value)| names_a_folder(value)) {
            tell(Notice::Same { sides: (first.name.clone(), second.name.clone()), how: same.to_string() });
        }
        return Ok(());
    }
    if same.is_by_accident() {
        let Same { what, places, hidden, .. } = &same;
        let remedy = match path.filter(|_| !is_other_way) {
            None => source.tells_package.clone().unwrap_or_default(),
            Some(name) => format!(
                "set {name} to the folder that contains the package, as in -x {}+{name}=FOLDER; files next \
                    to the benchmark may take precedence",
                second.name
            ),
        };
        let hidden: Vec<String> = [(first, &hidden[0]), (second, &hidden[1])]
            .into_iter()
            .filter(|(_, hidden)| !hidden.is_empty())
            .map(|(side, hidden)| {
                format!("{} also has {}, which is not loaded", side.name, hidden.join(", "))
            })
            .collect();
        let why = match hidden.is_empty() {
            true => "both load it from there, even if other versions are installed".to_owned(),
            false => hidden.join("; "),
        };
        return Err(problem!(
            "sides `{}` and `{}` would measure the same files of {what}",
            first.name,
            second.name
        )
        .place(places.join(", "))
        .why(why)
        .remedy(remedy)
        .into());
    }
    tell(Notice::Same { sides: (first.name.clone(), second.name.clone()), how: same.to_string() });
    Ok(())
}

/// Returns the value of an environment variable on a side.
fn value<'a>(variant: &'a Variant, name: &str) -> Option<&'a str> {
    variant.env.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn names_a_folder(value: &str) -> bool {
    std::env::split_paths(value).any(|path| path.is_absolute() && path.is_dir())
}
