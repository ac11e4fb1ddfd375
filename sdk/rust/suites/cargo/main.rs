//! Builds the benches of Cargo packages with this SDK's sources replacing the frameworks. The project's files
//! are not changed.
//!
//!     build --sdk FOLDER --root FOLDER --build FOLDER --cargo COMMAND… --with ARGUMENTS… --files FILES…
//!
//! Cargo also calls this program, as its compiler wrapper.

mod artifacts;
mod json;
mod lockfile;
mod programs;
mod target;
mod workspace;
mod wrapper;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workspace::Workspace;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().map(String::as_str) != Some("build") {
        return wrapper::run(&args);
    }
    match Order::parse(&args[1..]).and_then(|order| run(&order)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

pub struct Order {
    sdk: PathBuf,
    root: PathBuf,
    build: PathBuf,
    cargo: Vec<String>,
    with: Vec<String>,
    files: Vec<PathBuf>,
}

impl Order {
    fn parse(args: &[String]) -> Result<Order, String> {
        const PARTS: [&str; 6] = ["--sdk", "--root", "--build", "--cargo", "--with", "--files"];
        let at = |name: &str| args.iter().position(|arg| arg == name).ok_or(format!("{name} is missing"));
        let mut parts: Vec<&[String]> = Vec::new();
        for (place, name) in PARTS.iter().enumerate() {
            let end = PARTS.get(place + 1).map_or(Ok(args.len()), |next| at(next))?;
            parts.push(args.get(at(name)? + 1..end).ok_or("expected --cargo, --with and --files in this order")?);
        }
        let path = |part: &[String]| part.first().map(PathBuf::from).ok_or("a folder is missing");
        Ok(Order {
            sdk: path(parts[0])?,
            root: path(parts[1])?,
            build: path(parts[2])?,
            cargo: parts[3].to_vec(),
            with: parts[4].to_vec(),
            files: parts[5].iter().map(PathBuf::from).collect(),
        })
    }

    /// Returns the store's folder, which contains builds in `builds/build-N/HASH` or
    /// `worktrees/KEY/build-N/HASH`.
    fn store(&self) -> PathBuf {
        let above = self.build.ancestors().nth(2).unwrap_or(&self.build);
        let store = match above.ends_with("builds") {
            true => above.parent(),
            false => above.ancestors().nth(2),
        };
        store.unwrap_or(above).to_path_buf()
    }

    /// Returns the folder that contains a revision's tree and builds, if a revision is being built.
    fn worktree(&self) -> Option<&Path> {
        self.build
            .ancestors()
            .nth(2)
            .filter(|above| above.parent().map_or(false, |parent| parent.ends_with("worktrees")))
    }

    fn program(&self, file: &Path) -> PathBuf {
        self.build.join(file.strip_prefix(&self.root).unwrap_or(file)).with_extension("")
    }
}

/// Files that Cargo and rustup also look for in all parent folders.
const LOOKED_UP: [&str; 4] = [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/// Reports settings of the working tree that differ from those of the revision. They apply to the revision
/// too, because it is built in a folder below the working tree.
fn tell_settings_from_above(order: &Order) {
    let store = order.store();
    let Some(project) = store.parent().filter(|_| order.root.starts_with(store.join("worktrees"))) else {
        return;
    };
    for name in LOOKED_UP {
        let [above, own] = [project, &order.root].map(|folder| std::fs::read(folder.join(name)).ok());
        if above.is_some() && above != own {
            println!(
                "derny: {name} of the working tree applies to the revision too, although the revision has a different one: Cargo reads it from all parent folders"
            );
        }
    }
}

fn run(order: &Order) -> Result<(), String> {
    tell_settings_from_above(order);
    let mut by_folder: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut workspaces: Vec<Workspace> = Vec::new();
    let mut outcome = programs::Outcome::default();
    for file in &order.files {
        let Some(package) = file.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file())
        else {
            outcome.skip(order, file, "there is no Cargo.toml in its folder or a parent folder")?;
            continue;
        };
        if !workspaces.iter().any(|workspace| workspace.has(package)) {
            match Workspace::of(order, package) {
                Ok(workspace) => workspaces.push(workspace),
                Err(why) => {
                    outcome.fail(order, file, &why)?;
                    continue;
                }
            }
        }
        let known = workspaces.iter().find(|workspace| workspace.has(package));
        let root = known.map_or(package, |workspace| &workspace.root);
        by_folder.entry(root.to_path_buf()).or_default().push(file.clone());
    }
    for workspace in &workspaces {
        let files = by_folder.remove(&workspace.root).unwrap_or_default();
        artifacts::build(order, workspace, &files, &mut outcome)?;
    }
    outcome.told()
}
