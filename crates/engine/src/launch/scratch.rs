//! Folders for prepared data, one for each way of launching a file. They are created on first use and
//! removed at the end of the run.

use crate::launch::folder::{PrivateFolder, named};
use crate::launch::reaper::Reaper;
use std::path::PathBuf;
use std::{fs, io};

/// The folders of a run. They are removed with their content on drop.
#[derive(Debug, Default)]
pub struct Scratch {
    root: Option<PrivateFolder>,
    ways: Vec<Way>,
}

/// A way of launching a file: launch line, working directory and environment.
pub type Way = (Vec<String>, PathBuf, Vec<(String, String)>);

impl Scratch {
    /// Returns the folder for a way of launching.
    ///
    /// # Errors
    /// Fails if the system cannot create it. The message contains the path.
    pub fn folder(&mut self, way: &Way, reaper: Option<&Reaper>) -> io::Result<PathBuf> {
        let root = match &mut self.root {
            Some(root) => root,
            none => none.insert(PrivateFolder::make(reaper)?),
        };
        let known = self.ways.iter().position(|other| other == way);
        let number = known.unwrap_or_else(|| {
            self.ways.push(way.clone());
            self.ways.len() - 1
        });
        let folder = root.path().join(number.to_string());
        if !folder.is_dir() {
            fs::create_dir(&folder).map_err(|error| named(&folder, &error))?;
        }
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_launch_has_a_folder_until_the_end() {
        let way = |word: &str| (vec![word.to_string()], PathBuf::from("/p"), Vec::new());
        let mut scratch = Scratch::default();
        let first = scratch.folder(&way("a"), None).unwrap();
        assert_eq!(first, scratch.folder(&way("a"), None).unwrap());
        let others = [scratch.folder(&way("b"), None).unwrap(), scratch.folder(&way("c"), None).unwrap()];
        assert!(first.is_dir() && others.iter().all(|other| other.is_dir() && *other != first));
        fs::write(first.join("made"), "once").unwrap();
        assert_ne!(Scratch::default().folder(&way("a"), None).unwrap(), first, "another run has others");
        drop(scratch);
        assert!(!first.exists() && !others[0].exists());
    }
}
