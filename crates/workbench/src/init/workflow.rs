//! Writes CI workflows from the templates in this folder. Each language adds the steps that it needs.

use crate::error::Result;
use crate::init::step::{Step, create};
use crate::release;
use derny_engine::discover::sdk::Needs;
use std::path::{Path, PathBuf};

/// A CI service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// GitHub Actions.
    GitHub,
    /// GitLab CI.
    GitLab,
}

const GITHUB: &str = include_str!("github.yml");
const GITLAB: &str = include_str!("gitlab.yml");

/// The last step, which the user has to take.
const COMMIT: &str = "commit these files and push them; each pull request is measured from then on";

/// Writes the workflow into the root of the repository, with the steps that `needs` contains for each
/// language. If `.gitlab-ci.yml` exists, writes a separate file for it to include.
pub fn write(root: &Path, service: Service, needs: &[&Needs]) -> Result<Vec<Step>> {
    let (repository, folder) = place(root);
    match service {
        Service::GitHub => {
            let text = github(&folder, needs);
            let only = create(&repository, ".github/workflows/benchmarks.yml", text.as_bytes())?;
            Ok(vec![only, Step::Do(COMMIT.into())])
        }
        Service::GitLab => {
            let text = gitlab(&folder, needs);
            let first = create(&repository, ".gitlab-ci.yml", text.as_bytes())?;
            if matches!(first, Step::Wrote(_)) {
                return Ok(vec![first, Step::Do(COMMIT.replace("pull", "merge"))]);
            }
            let name = "benchmarks.gitlab-ci.yml";
            let second = create(&repository, name, text.as_bytes())?;
            let say = format!("add `include: [{{ local: {name} }}]` to .gitlab-ci.yml");
            Ok(vec![first, second, Step::Do(say)])
        }
    }
}

/// Returns the root of the repository, and the project's folder in it.
fn place(root: &Path) -> (PathBuf, String) {
    let repository = root.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(root);
    let below = root.strip_prefix(repository).map(|path| path.display().to_string()).unwrap_or_default();
    (repository.to_path_buf(), if below.is_empty() { ".".into() } else { below })
}

fn github(folder: &str, needs: &[&Needs]) -> String {
    let steps = needs.iter().map(|needs| needs.github.trim());
    release::fill(GITHUB).replace("FOLDER", folder).replace("NEEDS\n", &indented(steps, 6))
}

fn gitlab(folder: &str, needs: &[&Needs]) -> String {
    let image = needs.iter().find_map(|needs| needs.image.as_deref()).unwrap_or("debian:stable");
    let lines = needs.iter().flat_map(|needs| &needs.before).map(|line| format!("- {line}"));
    let lines: Vec<String> = lines.collect();
    let lines = indented(lines.iter().map(String::as_str), 4);
    release::fill(GITLAB).replace("IMAGE", image).replace("FOLDER", folder).replace("NEEDS\n", &lines)
}

/// Joins texts without duplicates, and indents their lines by `depth`. A text may have several lines.
fn indented<'a>(texts: impl Iterator<Item = &'a str>, depth: usize) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut lines = String::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !seen.contains(&text) {
            seen.push(text);
            text.lines().for_each(|line| lines.push_str(&format!("{:depth$}{line}\n", "")));
        }
    }
    lines
}
