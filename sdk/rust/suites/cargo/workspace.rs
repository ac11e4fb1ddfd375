//! A workspace as Cargo reports it: its packages and their bench targets.

use crate::json::Json;
use crate::Order;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Workspace {
    pub root: PathBuf,
    packages: Vec<Package>,
}

pub struct Package {
    name: String,
    /// Argument of `-p`. The name and version would be ambiguous if a dependency from a registry has the same
    /// name and version.
    pub id: String,
    folder: PathBuf,
    features: BTreeMap<String, Vec<String>>,
    targets: Vec<Target>,
}

pub struct Target {
    pub name: String,
    pub source: PathBuf,
    is_bench: bool,
    kind: String,
    pub required: Vec<String>,
}

pub enum Place<'a> {
    Bench(&'a Package, &'a Target),
    /// Not a bench target. Contains the reason.
    Other(String),
}

impl Workspace {
    pub fn of(order: &Order, folder: &Path) -> Result<Workspace, String> {
        let (program, words) = order.cargo.split_first().ok_or("--cargo needs a command")?;
        let mut command = Command::new(program);
        command.args(words).args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
        command.arg(folder.join("Cargo.toml")).current_dir(folder);
        let told = command.output().map_err(|why| format!("cannot start {program}: {why}"))?;
        if !told.status.success() {
            return Err(String::from_utf8_lossy(&told.stderr).trim().to_owned());
        }
        let unread = || format!("cannot parse the output of `{program} metadata` for {}", folder.display());
        let json = Json::parse(&String::from_utf8_lossy(&told.stdout)).ok_or_else(unread)?;
        let root = PathBuf::from(json.text("workspace_root").ok_or_else(unread)?);
        let packages = json.list("packages").iter().filter_map(package).collect();
        Ok(Workspace { root, packages })
    }

    pub fn has(&self, folder: &Path) -> bool {
        self.packages.iter().any(|package| same(&package.folder, folder))
    }

    pub fn place(&self, file: &Path, with: &[String]) -> Place<'_> {
        let all = || {
            self.packages
                .iter()
                .flat_map(|package| package.targets.iter().map(move |target| (package, target)))
        };
        let mut here = all().filter(|(_, target)| same(&target.source, file)).collect::<Vec<_>>();
        here.sort_by_key(|(_, target)| !target.is_bench);
        match here.first() {
            None => {
                let owner = self.packages.iter().filter(|package| file.starts_with(&package.folder));
                let name = owner
                    .max_by_key(|package| package.folder.as_os_str().len())
                    .map_or("", |package| &package.name);
                Place::Other(format!("Cargo.toml of package {name} does not list it as a target"))
            }
            Some((package, target)) if !target.is_bench => Place::Other(format!(
                "it is a target of kind {} of package {}, not a bench",
                target.kind, package.name
            )),
            Some((package, target)) => {
                let given = package.features_of(with);
                let missing: Vec<&str> = target
                    .required
                    .iter()
                    .map(String::as_str)
                    .filter(|name| !given.contains(*name))
                    .collect();
                match missing.is_empty() {
                    true => Place::Bench(package, target),
                    false => Place::Other(format!(
                        "its target needs the features {0}: add --build-args '--features {0}'",
                        missing.join(",")
                    )),
                }
            }
        }
    }
}

impl Package {
    /// Returns the features that these arguments of Cargo enable.
    fn features_of(&self, with: &[String]) -> BTreeSet<String> {
        let has = |flag: &str| with.iter().any(|word| word == flag);
        if has("--all-features") {
            return self.features.keys().cloned().collect();
        }
        let mut open: Vec<String> =
            if has("--no-default-features") { Vec::new() } else { vec!["default".to_owned()] };
        let mut words = with.iter();
        while let Some(word) = words.next() {
            let list = match word.split_once('=') {
                Some(("--features" | "-F", list)) => Some(list),
                _ if word == "--features" || word == "-F" => words.next().map(String::as_str),
                _ => word.strip_prefix("-F").filter(|list| !list.is_empty()),
            };
            let names = list.into_iter().flat_map(|list| list.split([',', ' ']));
            open.extend(
                names.map(|name| name.strip_prefix(&format!("{}/", self.name)).unwrap_or(name).to_owned()),
            );
        }
        let mut on = BTreeSet::new();
        while let Some(name) = open.pop() {
            if on.insert(name.clone()) {
                open.extend(self.features.get(&name).into_iter().flatten().cloned());
            }
        }
        on
    }
}

fn package(json: &Json) -> Option<Package> {
    let folder = Path::new(json.text("manifest_path")?).parent()?.to_path_buf();
    let features = match json.get("features") {
        Some(all @ Json::Map(fields)) => {
            fields.iter().map(|(name, _)| (name.clone(), all.texts(name))).collect()
        }
        _ => BTreeMap::new(),
    };
    let (name, version) = (json.text("name")?, json.text("version")?);
    // Before Cargo 1.77, `-p` does not accept a complete id.
    let id = json.text("id").filter(|id| !id.contains(' '));
    Some(Package {
        name: name.to_owned(),
        id: id.map_or_else(|| format!("{name}:{version}"), str::to_owned),
        folder,
        features,
        targets: json.list("targets").iter().filter_map(target).collect(),
    })
}

fn target(json: &Json) -> Option<Target> {
    let kinds = json.texts("kind");
    Some(Target {
        name: json.text("name")?.to_owned(),
        source: PathBuf::from(json.text("src_path")?),
        is_bench: kinds.iter().any(|kind| kind == "bench"),
        kind: kinds.join("/"),
        required: json.texts("required-features"),
    })
}

/// Returns true if two paths refer to the same file after resolving links.
pub fn same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_named_so_that_no_other_is_meant() {
        let id = |id: &str| {
            let json = format!(
                r#"{{"name":"p","version":"1.0.0","id":"{id}","manifest_path":"/p/Cargo.toml","targets":[]}}"#
            );
            package(&Json::parse(&json).unwrap()).unwrap().id
        };
        assert_eq!(id("path+file:///p#1.0.0"), "path+file:///p#1.0.0");
        // Format of Cargo before 1.77.
        assert_eq!(id("p 1.0.0 (path+file:///p)"), "p:1.0.0");
    }

    #[test]
    fn features_follow_from_arguments() {
        let json = r#"{"name":"p","version":"1.0.0","manifest_path":"/p/Cargo.toml","features":{"default":["a"],"a":["b"],"b":[],"c":["b"],"d":[]},"targets":[]}"#;
        let package = package(&Json::parse(json).unwrap()).unwrap();
        let on = |line: &str| {
            let words: Vec<String> = line.split('|').map(String::from).collect();
            package.features_of(&words).into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(on(""), "a b default");
        assert_eq!(on("--no-default-features"), "");
        assert_eq!(on("--no-default-features|--features|c p/d"), "b c d");
        assert_eq!(on("--features=c,d|--no-default-features"), "b c d");
        assert_eq!(on("-Fd|--no-default-features"), "d");
        assert_eq!(on("--all-features"), "a b c d default");
    }
}
