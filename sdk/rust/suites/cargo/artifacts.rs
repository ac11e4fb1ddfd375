//! Calls Cargo for the bench targets of a workspace. One call builds all of them. If it fails, each of the
//! missing targets is built separately.

use crate::json::Json;
use crate::lockfile::Lockfile;
use crate::programs::Outcome;
use crate::target::{Hash, TargetFolder};
use crate::workspace::{same, Package, Place, Target, Workspace};
use crate::{wrapper, Order};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

type Wanted<'a> = (&'a PathBuf, &'a Package, &'a Target);

pub fn build(
    order: &Order,
    workspace: &Workspace,
    files: &[PathBuf],
    outcome: &mut Outcome,
) -> Result<(), String> {
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for file in files {
        match workspace.place(file, &order.with) {
            Place::Bench(package, target) => wanted.push((file, package, target)),
            Place::Other(why) => outcome.skip(order, file, &why)?,
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let cargo = Cargo::new(order, workspace)?;
    if !cargo.rustc.is_unstable {
        let (refused, rest) = wanted.into_iter().partition(|(file, ..)| needs_nightly(file));
        wanted = rest;
        for (file, ..) in refused {
            outcome.skip(order, file, "#[bench] needs a nightly compiler: set RUSTUP_TOOLCHAIN=nightly")?;
        }
        if wanted.is_empty() {
            return Ok(());
        }
    }
    let _lockfile = Lockfile::of(order, &workspace.root);
    cargo.target.begin(&workspace.root);
    let all = cargo.all(&wanted)?;
    let built = executables(&all);
    let (done, missing): (Vec<&Wanted<'_>>, Vec<&Wanted<'_>>) =
        wanted.iter().partition(|(_, _, target)| found(&built, &target.source).is_some());
    for (file, _, target) in done {
        if let Some(executable) = found(&built, &target.source) {
            outcome.place(order, file, executable)?;
        }
    }
    // An error outside of the benches would fail each of them in the same way.
    let is_common = !errors(&all).contains("(bench \"");
    for wanted in &missing {
        let (file, _, target) = wanted;
        let one = match is_common || missing.len() == 1 && wanted_alone(files) {
            true => None,
            false => Some(cargo.call(&[**wanted])?),
        };
        let one = one.as_ref().unwrap_or(&all);
        match found(&executables(one), &target.source) {
            Some(executable) => outcome.place(order, file, executable)?,
            None => outcome.fail(order, file, &errors(one))?,
        }
    }
    cargo.target.end(&workspace.root);
    Ok(())
}

fn wanted_alone(files: &[PathBuf]) -> bool {
    files.len() == 1
}

/// Returns true if a file contains `#![feature(test)]`, which stable compilers always reject.
fn needs_nightly(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().any(|line| line.starts_with("#![feature(") && line.contains("test"))
}

struct Cargo<'a> {
    order: &'a Order,
    workspace: &'a Workspace,
    target: TargetFolder,
    rustc: Rustc,
    next: Option<String>,
    /// Seed for shuffling the memory layout, if another layout is requested.
    padding: Option<String>,
}

impl Cargo<'_> {
    fn new<'a>(order: &'a Order, workspace: &'a Workspace) -> Result<Cargo<'a>, String> {
        let (target, rustc) = (TargetFolder::of(order)?, Rustc::of(order, workspace));
        let padding = env::var("DERNY_PADDING").ok().filter(|number| !["", "0"].contains(&number.as_str()));
        Ok(Cargo { order, workspace, target, rustc, next: next_wrapper(workspace), padding })
    }

    /// Builds all targets with one call of Cargo. If another memory layout is requested, builds them one by
    /// one, because only then does Cargo apply flags to the program's crate alone.
    fn all(&self, wanted: &[Wanted<'_>]) -> Result<Output, String> {
        let Some((first, rest)) = wanted.split_first().filter(|_| self.padding.is_some()) else {
            return self.call(wanted);
        };
        let mut all = self.call(&[*first])?;
        for one in rest {
            let output = self.call(&[*one])?;
            all.stdout.extend(output.stdout);
            all.stderr.extend(output.stderr);
        }
        Ok(all)
    }

    fn call(&self, wanted: &[Wanted<'_>]) -> Result<Output, String> {
        let Cargo { order, workspace, .. } = self;
        let (program, words) = order.cargo.split_first().ok_or("--cargo needs a command")?;
        let mut command = Command::new(program);
        command.args(words);
        match self.padding {
            None => command.args(["bench", "--no-run"]),
            Some(_) if order.with.iter().any(|word| word.starts_with("--profile")) => command.arg("rustc"),
            Some(_) => command.args(["rustc", "--profile", "bench"]),
        };
        command.args(["--message-format", "json-render-diagnostics"]);
        // A flag on the command line takes precedence over the environment and all configuration files.
        command.arg("--target-dir").arg(&self.target.folder);
        let mut named: Vec<String> = Vec::new();
        for (_, package, target) in wanted {
            for words in [["-p".to_owned(), package.id.clone()], ["--bench".to_owned(), target.name.clone()]]
            {
                if !named.chunks(2).any(|known| known == words) {
                    named.extend(words);
                }
            }
        }
        if wanted.len() > 1 {
            command.arg("--no-fail-fast");
        }
        command.args(named).args(&order.with);
        if let Some(padding) = &self.padding {
            // Make the linker shuffle the sections of functions and data.
            let shuffle = format!("link-arg=-Wl,--shuffle-sections=*={padding}");
            command.args(["--", "-C", "link-arg=-fuse-ld=lld", "-C", &shuffle]);
        }
        let wrapper =
            env::current_exe().map_err(|why| format!("cannot determine the path of this program: {why}"))?;
        command.env(wrapper::LIBTEST, self.libtest(&wrapper)?);
        command.env("RUSTC_WRAPPER", wrapper).env(wrapper::SOURCES, order.sdk.join("suites"));
        command.env(wrapper::NEXT, self.next.as_deref().unwrap_or_default());
        command.env("DERNY_RUSTC", &self.rustc.version).env("DERNY_HARNESS", harness(&order.sdk));
        // Keep the replaced crates out of the folder in which the user's builds look for artifacts.
        command.env("CARGO_BUILD_BUILD_DIR", &self.target.folder);
        command.env_remove("CARGO_TARGET_DIR").current_dir(&workspace.root);
        command.output().map_err(|why| format!("cannot start {program}: {why}"))
    }

    /// Returns the path prefix of the crate that replaces `test`. The crate is stored next to the builder,
    /// because all projects with the same compiler share it.
    fn libtest(&self, builder: &Path) -> Result<PathBuf, String> {
        let mut hash = Hash::of_sources(self.order)?;
        hash.write(self.rustc.version.as_bytes());
        Ok(builder.with_file_name(format!("libderny_test-{:016x}", hash.0)))
    }
}

/// Returns the programs that Cargo built, by source file.
fn executables(output: &Output) -> BTreeMap<PathBuf, PathBuf> {
    let mut found = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some(json) = Json::parse(line) else { continue };
        let Some(target) =
            json.get("target").filter(|target| target.texts("kind").contains(&"bench".to_owned()))
        else {
            continue;
        };
        if let (Some(source), Some(executable)) = (target.text("src_path"), json.text("executable")) {
            found.insert(PathBuf::from(source), PathBuf::from(executable));
        }
    }
    found
}

fn found<'a>(built: &'a BTreeMap<PathBuf, PathBuf>, source: &Path) -> Option<&'a PathBuf> {
    built.iter().find(|(known, _)| same(known, source)).map(|(_, executable)| executable)
}

fn errors(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let from = text.lines().position(|line| line.starts_with("error")).unwrap_or(0);
    let is_progress = |line: &&str| {
        let word = line.trim_start().split(' ').next().unwrap_or_default();
        ["Compiling", "Downloading", "Downloaded", "Updating", "Locking", "Adding", "Blocking"]
            .contains(&word)
    };
    text.lines().skip(from).filter(|line| !is_progress(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
}

struct Rustc {
    /// Version, as harnesses report it.
    version: String,
    /// True if the compiler accepts `#![feature(…)]`.
    is_unstable: bool,
}

impl Rustc {
    fn of(order: &Order, workspace: &Workspace) -> Rustc {
        let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        if let Some(toolchain) = order.cargo.get(1).and_then(|word| word.strip_prefix('+')) {
            command.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        let told = command.arg("--version").current_dir(&workspace.root).output();
        let text = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default();
        let version = text.split(' ').nth(1).unwrap_or("unknown").to_owned();
        let is_unstable = ["nightly", "dev"].iter().any(|channel| version.contains(channel))
            || env::var_os("RUSTC_BOOTSTRAP").is_some();
        Rustc { version, is_unstable }
    }
}

fn harness(sdk: &Path) -> String {
    let manifest = fs::read_to_string(sdk.join("copied.toml")).unwrap_or_default();
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    version.and_then(|rest| rest.split('"').next()).unwrap_or("unknown").to_owned()
}

/// Returns the compiler wrapper that Cargo would otherwise use, from the environment or else from the nearest
/// configuration file.
fn next_wrapper(workspace: &Workspace) -> Option<String> {
    for name in ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"] {
        if let Ok(wrapper) = env::var(name) {
            return Some(wrapper);
        }
    }
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let folders = workspace.root.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    let files = folders.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name)));
    files.filter_map(|file| Some((fs::read_to_string(&file).ok()?, file))).find_map(|(text, file)| {
        let wrapper = wrapper_in(&text)?;
        // A relative path is resolved against the folder that contains `.cargo`.
        match wrapper.contains('/') {
            true => file.parent()?.parent().map(|base| base.join(&wrapper).display().to_string()),
            false => Some(wrapper),
        }
    })
}

fn wrapper_in(text: &str) -> Option<String> {
    let mut table = "";
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        if line.starts_with('[') {
            table = line.trim_matches(['[', ']', ' ']);
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let key = key.trim();
        if key == "build.rustc-wrapper" && table.is_empty() || key == "rustc-wrapper" && table == "build" {
            return Some(value.trim().trim_matches(['"', '\'']).to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::wrapper_in;

    #[test]
    fn a_wrapper_stands_in_the_configuration() {
        assert_eq!(
            wrapper_in("[build]\njobs = 2\nrustc-wrapper = \"sccache\" # fast\n").as_deref(),
            Some("sccache")
        );
        assert_eq!(wrapper_in("build.rustc-wrapper = '/a/b'").as_deref(), Some("/a/b"));
        assert_eq!(wrapper_in("[target.x]\nrustc-wrapper = \"no\"\n[build]\nrustc = \"x\""), None);
    }
}
