//! Folders in which what is prepared for a run may lie: one for each way in which a file is launched (its variant and build), made
//! when it is first needed and removed at the run's end.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io};

/// The folders of one run. They are removed with what is in them when this is dropped.
#[derive(Debug, Default)]
pub struct Scratch {
    root: Option<PathBuf>,
    ways: Vec<Way>,
}

/// Launch line, folder and environment.
pub type Way = (Vec<String>, PathBuf, Vec<(String, String)>);

/// Runs of this process so far: each has folders of its own.
static RUNS: AtomicU32 = AtomicU32::new(0);

impl Scratch {
    /// The folder of what is launched in one way.
    ///
    /// # Errors
    /// The system cannot make it, with its path in the message.
    pub fn folder(&mut self, way: &Way) -> io::Result<PathBuf> {
        let root = self.root()?;
        let known = self.ways.iter().position(|other| other == way);
        let number = known.unwrap_or_else(|| {
            self.ways.push(way.clone());
            self.ways.len() - 1
        });
        let folder = root.join(number.to_string());
        fs::create_dir_all(&folder).map_err(|error| named(&folder, &error))?;
        Ok(folder)
    }

    fn root(&mut self) -> io::Result<PathBuf> {
        if let Some(root) = &self.root {
            return Ok(root.clone());
        }
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let root = env::temp_dir().join(format!("derny-{}-{run}", std::process::id()));
        // One that is there belonged to an engine that was killed and had this number.
        let _ = fs::remove_dir_all(&root);
        private(&root).map_err(|error| named(&root, &error))?;
        self.root = Some(root.clone());
        Ok(root)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(root) = self.root.take() {
            // What is left in it is no result.
            let _ = fs::remove_dir_all(root);
        }
    }
}

fn named(folder: &std::path::Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
}

#[cfg(unix)]
fn private(folder: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn private(folder: &std::path::Path) -> io::Result<()> {
    fs::create_dir(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_launch_has_a_folder_until_the_end() {
        let way = |word: &str| (vec![word.to_string()], PathBuf::from("/p"), Vec::new());
        let mut scratch = Scratch::default();
        let first = scratch.folder(&way("a")).unwrap();
        assert_eq!(first, scratch.folder(&way("a")).unwrap());
        let others = [scratch.folder(&way("b")).unwrap(), scratch.folder(&way("c")).unwrap()];
        assert!(first.is_dir() && others.iter().all(|other| other.is_dir() && *other != first));
        fs::write(first.join("made"), "once").unwrap();
        assert_ne!(Scratch::default().folder(&way("a")).unwrap(), first, "another run has others");
        drop(scratch);
        assert!(!first.exists() && !others[0].exists());
    }
}
