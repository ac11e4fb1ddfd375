//! Resolves the variants that a run requests: finds their programs, and turns their revisions into commits.

use crate::error::Result;
use crate::project::git;
use crate::project::session::Session;
use crate::variants::baseline::Base;
use crate::variants::parse::{self, HEAD, VariantSpec};
use derny_engine::discover::pattern::closest;
use derny_engine::discover::{self, Source};
use derny_model::{Variant, problem};
use std::ops::Deref;

/// A variant whose program and commit exist, but that is not built yet.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedVariant(Variant);

impl Deref for ResolvedVariant {
    type Target = Variant;

    fn deref(&self) -> &Variant {
        &self.0
    }
}

impl ResolvedVariant {
    /// Completes the variant after its build, with the folders of its builds and the directory to launch it
    /// in.
    pub(crate) fn built(self, directory: Option<String>, builds: Vec<String>) -> Variant {
        Variant { directory, builds, ..self.0 }
    }
}

/// The variants that a run requests. They are parsed, but their programs and commits have not been looked up
/// yet.
pub(crate) struct Requested<'a> {
    sides: Sides<'a>,
    /// True to measure the first variant against itself too.
    control: bool,
    /// Files that variants name instead of a benchmark file.
    pub files: Vec<String>,
    /// Number of variants, including a baseline and a control.
    pub count: u32,
}

enum Sides<'a> {
    /// Variants that the user described.
    Described(Vec<VariantSpec>),
    /// Variants that an interrupted run or a plan has recorded.
    Recorded(&'a [Variant]),
}

impl<'a> Requested<'a> {
    /// Parses benchmarks and texts of `-x`. `beside` adds a baseline and `control` a control.
    ///
    /// # Errors
    /// Fails if a text is invalid, or if it names an unknown revision or a file that does not exist.
    pub(crate) fn described(
        session: &Session,
        texts: (&[String], &[String]),
        (beside, control): (bool, bool),
    ) -> Result<Requested<'a>> {
        let globs = session.side_globs();
        let specs = parse::parse(&session.project, texts, &globs)?;
        let files = side_files(session, &globs, specs.iter().filter_map(|spec| spec.command.as_ref()))?;
        check_names(session, &specs)?;
        let count = count(specs.len(), beside, control);
        Ok(Requested { sides: Sides::Described(specs), control, files, count })
    }

    /// Takes variants that the caller has parsed. `control` adds a control.
    pub(crate) fn parsed(specs: &[VariantSpec], control: bool) -> Requested<'a> {
        let (count, specs) = (count(specs.len(), false, control), specs.to_vec());
        Requested { sides: Sides::Described(specs), control, files: Vec::new(), count }
    }

    /// Takes the variants from the record of an interrupted run or of a plan.
    ///
    /// # Errors
    /// Fails if a file that a variant names does not exist.
    pub(crate) fn recorded(session: &Session, variants: &'a [Variant]) -> Result<Requested<'a>> {
        let own = variants.iter().filter(|variant| variant.again.is_none());
        let commands = own.filter_map(|variant| variant.command.as_ref());
        let files = side_files(session, &session.side_globs(), commands)?;
        let count = variants.len() as u32;
        Ok(Requested { sides: Sides::Recorded(variants), control: false, files, count })
    }

    /// Finds the programs and commits. Also checks the programs if a suite requires it. With the wrong
    /// program, every case would fail, or something else would be measured.
    ///
    /// # Errors
    /// Fails if a program or file does not exist, or if git does not have a revision. The error contains a
    /// command to try.
    pub(crate) fn resolve(
        self,
        session: &Session,
        base: Option<&Base>,
        sources: &[Source],
    ) -> Result<Vec<ResolvedVariant>> {
        let variants = match self.sides {
            Sides::Described(specs) => named(specs, base.map(|base| base.variant.clone()), self.control)?,
            Sides::Recorded(variants) => variants.to_vec(),
        };
        let globs: Vec<String> = sources.iter().flat_map(|source| source.sides.clone()).collect();
        let is_checked = !globs.is_empty() || sources.iter().any(|source| source.tells_package.is_some());
        let one = |variant: Variant| -> Result<ResolvedVariant> {
            let command = match variant.command {
                Some(words) if is_checked && variant.again.is_none() => {
                    let name = (variant.name.as_str(), variant.revision.is_some());
                    Some(found(session, &globs, name, words)?)
                }
                command => command,
            };
            let commit = |revision: String| git::resolve(&session.project.root, &revision);
            let revision = variant.revision.map(commit).transpose()?;
            Ok(ResolvedVariant(Variant { command, revision, ..variant }))
        };
        variants.into_iter().map(one).collect()
    }
}

/// Checks that every variant given by a name alone is a revision. derny.toml has no variant of that name.
///
/// # Errors
/// Fails if git has no such revision. The error suggests the nearest variant or revision.
fn check_names(session: &Session, specs: &[VariantSpec]) -> Result<()> {
    let root = &session.project.root;
    let is_unknown = |spec: &&VariantSpec| spec.is_bare && git::resolve(root, &spec.name).is_err();
    let Some(VariantSpec { name, .. }) = specs.iter().find(is_unknown) else { return Ok(()) };
    let tables = session.project.content.variant.keys().map(String::as_str);
    let near = closest(name, tables.chain([HEAD])).into_iter().next().or_else(|| git::near(root, name));
    let what = match git::is_shallow(root) {
        None => problem!(
            "derny.toml has no variant `{name}`, and there is no git repository here to search for a revision"
        ),
        Some(_) => problem!("`{name}` is neither a variant in derny.toml nor a revision of this repository"),
    };
    let remedy = match near {
        Some(near) => format!("use -x {near}, or -x {name}@. for the working tree under this name"),
        None => format!("use -x head for the working tree, or -x {name}=COMMAND for another program"),
    };
    Err(what.place(format_args!("-x {name}")).remedy(remedy).into())
}

/// Returns the number of variants that [`named`] makes from `specs` specifications.
fn count(specs: usize, beside: bool, control: bool) -> u32 {
    specs.max(1) as u32 + u32::from(beside) + u32::from(control)
}

/// Returns the variants of a run in order. A run without specifications has one variant, `base`. A baseline
/// that is measured again comes first. If there is no other variant, `new` is added after the baseline. With
/// `control`, a copy of the first variant follows it.
///
/// # Errors
/// Fails if two variants have the same name.
fn named(specs: Vec<VariantSpec>, again: Option<Variant>, control: bool) -> Result<Vec<Variant>> {
    let mut specs = specs;
    if specs.is_empty() {
        specs.push(VariantSpec::plain(match &again {
            None => "base",
            Some(again) if again.name == "new" => HEAD,
            Some(_) => "new",
        }));
    }
    let mut variants: Vec<Variant> = again.into_iter().chain(specs.into_iter().map(variant)).collect();
    if control {
        let copy = Variant { name: "control".into(), control: true, ..variants[0].clone() };
        variants.insert(1, copy);
    }
    for i in 0..variants.len() {
        if variants[..i].iter().any(|other| other.name == variants[i].name) {
            return Err(problem!("two variants are called `{}`", variants[i].name)
                .remedy("use another NAME in -x NAME=COMMAND")
                .into());
        }
    }
    Ok(variants)
}

fn variant(spec: VariantSpec) -> Variant {
    let VariantSpec { name, command, args, build_args, env, revision, benchmark, is_bare: _ } = spec;
    Variant { name, command, args, build_args, env, revision, benchmark, ..Variant::default() }
}

/// Returns the words of a command, with full paths for its program and the files that it names. `name` is the
/// name of the side, for errors. `is_revision` is true if the command is launched in a worktree instead of
/// the project's root.
fn found(
    session: &Session,
    globs: &[String],
    (name, is_revision): (&str, bool),
    words: Vec<String>,
) -> Result<Vec<String>> {
    let file = |word: String| match discover::names_side(globs, &word) {
        true => side_file(session, &word),
        false => Ok(word),
    };
    let words: Vec<String> = words.into_iter().map(file).collect::<Result<_>>()?;
    let Some((program, rest)) = words.split_first() else { return Ok(words) };
    if program.contains(['{', '$']) || discover::names_side(globs, program) {
        return Ok(words);
    }
    if !program.contains('/') {
        if !on_path(program) && !cfg!(windows) {
            return Err(problem!("side `{name}` names a program that does not exist")
                .place(format_args!("{program}, on the PATH"))
                .remedy(format_args!("use the path of the program, as in -x {name}=FOLDER/bin/{program}"))
                .into());
        }
        return Ok(words);
    }
    // A path is relative to the folder in which it was typed, or else to the project's root.
    let root = &session.project.root;
    let typed = [session.place.directory.join(program), root.join(program)];
    let Some(path) = typed.iter().find(|path| path.is_file()) else {
        return Err(problem!("side `{name}` names a program that does not exist")
            .place(typed[0].display())
            .remedy(format_args!("use -x {name}=PROGRAM with the path of a program"))
            .into());
    };
    if !is_revision && root.join(program).is_file() {
        return Ok(words);
    }
    Ok([path.display().to_string()].into_iter().chain(rest.iter().cloned()).collect())
}

/// Returns the paths of the files that commands name instead of a benchmark file.
///
/// # Errors
/// Fails if a file does not exist.
fn side_files<'a>(
    session: &Session,
    globs: &[String],
    commands: impl Iterator<Item = &'a Vec<String>>,
) -> Result<Vec<String>> {
    let named = |words: &'a Vec<String>| words.iter().find(|word| discover::names_side(globs, word));
    commands.filter_map(named).map(|word| side_file(session, word)).collect()
}

/// Returns the path of the file `word`, which is relative to the folder in which it was typed, or else to the
/// project's root. A path in the project is returned relative to its root.
fn side_file(session: &Session, word: &str) -> Result<String> {
    let (here, root) = (&session.place.directory, &session.project.root);
    let typed = [here.join(word), root.join(word)];
    let Some(found) = typed.iter().find(|path| path.is_file()) else {
        return Err(problem!("a side names a file that does not exist")
            .place(typed[0].display())
            .remedy("use -x NAME=FILE with the path of an existing file")
            .into());
    };
    Ok(found.strip_prefix(root).unwrap_or(found).display().to_string())
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::options::Place;

    fn spec(name: &str) -> VariantSpec {
        VariantSpec { command: Some(vec![format!("./{name}")]), ..VariantSpec::plain(name) }
    }

    fn names(variants: &[Variant]) -> Vec<&str> {
        variants.iter().map(|variant| variant.name.as_str()).collect()
    }

    #[test]
    fn the_control_is_the_first_variant_again_behind_it() {
        let variants = named(vec![spec("a"), spec("b")], None, true).unwrap();
        assert_eq!(names(&variants), ["a", "control", "b"]);
        assert_eq!(variants.iter().map(|variant| variant.control).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(variants[1].command, variants[0].command);
        assert_eq!(names(&named(Vec::new(), None, true).unwrap()), ["base", "control"]);
        let again = Some(Variant { name: "new".into(), ..Variant::default() });
        assert_eq!(names(&named(Vec::new(), again, true).unwrap()), ["new", "control", "head"]);
    }

    #[test]
    fn they_are_as_many_as_was_counted() {
        let again = || Variant { name: "old".into(), ..Variant::default() };
        for (specs, beside, control) in
            [(0, false, false), (0, true, true), (2, false, true), (1, true, false)]
        {
            let all = (0..specs).map(|at| spec(&format!("x{at}"))).collect();
            let variants = named(all, beside.then(again), control).unwrap();
            assert_eq!(variants.len(), count(specs, beside, control) as usize);
        }
    }

    #[test]
    fn two_of_one_name_are_refused() {
        assert!(
            named(vec![spec("a"), spec("a")], None, false).unwrap_err().to_string().contains("two variants")
        );
    }

    #[test]
    fn files_that_commands_name_come_as_their_sides_have_them() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place { directory: folder.path().to_owned(), no_config: true, ..Place::default() };
        let session = Session::open(place).unwrap();
        std::fs::create_dir(folder.path().join("c")).unwrap();
        let elsewhere = tempfile::NamedTempFile::with_suffix(".pkg").unwrap();
        let elsewhere = elsewhere.path().display().to_string();
        for file in ["a.pkg", "c/b.pkg"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<String>>();
        let commands = ["a.pkg", "run -x=1 c/b.pkg", "run", &format!("run {elsewhere}")].map(words);
        let files = side_files(&session, &["**/*.pkg".to_string()], commands.iter()).unwrap();
        assert_eq!(files, ["a.pkg", "c/b.pkg", &elsewhere]);
        let missing = [words("run d.pkg")];
        assert!(side_files(&session, &["**/*.pkg".to_string()], missing.iter()).is_err());
    }
}
