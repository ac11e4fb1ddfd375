//! Checks the words and paths in calls. They must neither become options nor lead out of the project. Every
//! text from a client is checked here before it becomes part of a command line.

use std::path::{Component, Path, PathBuf};

/// The folder in which the calls run, and the project that contains it.
#[derive(Debug)]
pub struct Project {
    /// The folder in which calls run, without symbolic links.
    folder: PathBuf,
    /// The folder that no path may leave: that of the nearest derny.toml, else of the nearest repository,
    /// else `folder`.
    root: PathBuf,
}

/// The reason why a call is refused, as text for the client.
pub type Refusal = String;

impl Project {
    /// Returns the project around a folder.
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist.
    pub fn around(folder: &Path) -> std::io::Result<Project> {
        let folder = folder.canonicalize()?;
        let with =
            |name: &str| folder.ancestors().find(|above| above.join(name).exists()).map(Path::to_path_buf);
        let root = with("derny.toml").or_else(|| with(".git")).unwrap_or_else(|| folder.clone());
        Ok(Project { folder, root })
    }

    /// Returns the folder in which calls run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fails unless the path is in the project after all symbolic links are resolved. If the path does not
    /// exist, checks the longest part of it that does, and refuses `..` in the rest.
    pub fn confine(&self, text: &str) -> Result<(), Refusal> {
        let path = self.folder.join(text);
        let mut existing = path.as_path();
        let real = loop {
            match existing.canonicalize() {
                Ok(real) => break real,
                Err(_) if existing.symlink_metadata().is_ok_and(|found| found.is_symlink()) => {
                    return Err(outside(text, &self.root));
                }
                Err(_) => match existing.parent() {
                    Some(parent) => existing = parent,
                    None => return Err(outside(text, &self.root)),
                },
            }
        };
        let leaves = path
            .strip_prefix(existing)
            .is_ok_and(|rest| rest.components().any(|part| part == Component::ParentDir));
        if real.starts_with(&self.root) && !leaves { Ok(()) } else { Err(outside(text, &self.root)) }
    }

    /// Checks a pattern: a name, a glob, `key=value`, or a path in the project.
    pub fn pattern(&self, text: &str) -> Result<String, Refusal> {
        let text = word(text)?;
        self.confine(&text)?;
        // Check the path before the first wildcard too.
        let fixed = text.split(['*', '?', '[', '{']).next().unwrap_or_default();
        if fixed.len() < text.len() {
            self.confine(fixed)?;
        }
        Ok(text)
    }

    /// Checks the name of a run: an id, a baseline, `last~1`, or a file in the project.
    pub fn run(&self, text: &str) -> Result<String, Refusal> {
        let text = word(text)?;
        self.confine(&text)?;
        if let Some((file, _)) = text.rsplit_once(':') {
            self.confine(file)?;
        }
        if text.contains("://") {
            return Err(format!("`{text}` is an address; name a run of this project"));
        }
        Ok(text)
    }

    /// Checks a program: a file in the project. Returns it as a word of a shell.
    pub fn program(&self, text: &str) -> Result<String, Refusal> {
        let text = word(text)?;
        self.confine(&text)?;
        let path = self.folder.join(&text);
        if !path.is_file() {
            return Err(format!("there is no file `{text}` in {}", self.root.display()));
        }
        let path = path.to_str().ok_or("a path must be UTF-8")?;
        Ok(format!("'{}'", path.replace('\'', r"'\''")))
    }
}

fn outside(text: &str, root: &Path) -> Refusal {
    format!("`{text}` is outside the project, {}", root.display())
}

/// Checks a word: not empty, not an option, without control characters, and not too long.
pub fn word(text: &str) -> Result<String, Refusal> {
    if text.trim().is_empty() {
        return Err("a pattern, name or path is empty".to_owned());
    }
    if text.starts_with('-') {
        return Err(format!("`{text}` begins with `-`; options are fields of the call"));
    }
    if text.chars().any(char::is_control) || text.len() > 1000 {
        return Err("a pattern, name or path has control characters, or more than 1,000 bytes".to_owned());
    }
    Ok(text.to_owned())
}

/// Checks a name, such as that of a side, a session or a revision. It may contain letters, digits and the
/// characters in `signs`.
pub fn name(text: &str, signs: &str) -> Result<String, Refusal> {
    let text = word(text)?;
    match text.chars().find(|sign| !sign.is_alphanumeric() && !signs.contains(*sign)) {
        Some(sign) => Err(format!("`{text}` must not contain the character `{sign}`")),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_engine::launch::folder::PrivateFolder;
    use derny_engine::os;

    #[test]
    fn a_word_is_no_option_and_has_no_control_characters() {
        for wrong in ["", " ", "-x", "--store=/tmp", "a\nb", "a\0", &"x".repeat(1001)] {
            assert!(word(wrong).is_err(), "{wrong:?}");
        }
        for right in ["parse*", "n=1000", "größer", "a b", "x-y"] {
            assert_eq!(word(right).as_deref(), Ok(right));
        }
        assert!(name("feature/x~1", "/~").is_ok());
        assert!(name("a+-c", "/~").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn no_path_leaves_the_project() {
        let (inside, outside) = (PrivateFolder::make(None).unwrap(), PrivateFolder::make(None).unwrap());
        let (root, elsewhere) = (inside.path(), outside.path());
        let folder = os::make_private_folder(root).unwrap();
        for file in [root.join(".git"), root.join("a.sh"), folder.join("b.js"), elsewhere.join("c.js")] {
            std::fs::write(file, "").unwrap();
        }
        std::os::unix::fs::symlink(elsewhere, root.join("out")).unwrap();
        std::os::unix::fs::symlink(elsewhere.join("nowhere"), root.join("dangling")).unwrap();
        std::os::unix::fs::symlink("a.sh", root.join("in")).unwrap();
        let project = Project::around(&folder).unwrap();
        let [absolute, foreign] =
            [root.join("a.sh"), elsewhere.join("c.js")].map(|path| path.display().to_string());
        for right in ["b.js", "../a.sh", "parse", "**/x", "n=1", "../in", &absolute] {
            assert_eq!(project.pattern(right).as_deref(), Ok(right));
        }
        for wrong in [
            "/etc/passwd",
            &foreign,
            "../out/c.js",
            "../out/*",
            "../dangling",
            "/",
            "..x/../../..",
            "nothing/../../../elsewhere",
            "../../else*",
        ] {
            assert!(project.pattern(wrong).is_err(), "{wrong}");
        }
        assert!(project.program("../a.sh").is_ok_and(|text| text.starts_with('\'')));
        assert!(project.program("../out/c.js").is_err() && project.program("no.sh").is_err());
        for wrong in ["postgresql://x/y", "/etc/passwd", "/etc/passwd:a", "-"] {
            assert!(project.run(wrong).is_err(), "{wrong}");
        }
        assert!(project.run("last~1:head").is_ok());
    }
}
