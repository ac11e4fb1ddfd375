//! The folder for files that are derived once and reused by later runs, with the files of the SDKs in it.
//! Programs are started from there, so nothing in it is used that another user could have written.

use crate::discover::sdk::Sdks;
use crate::launch::folder::{self, PrivateFolder};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Returns the folder for derived files: `DERNY_CACHE`, or else the user's cache folder. If that is unusable,
/// returns a private folder among the temporary files.
///
/// # Errors
/// Fails if none of them can be created, or if others could have written to it ([`folder::own`]); the message
/// has the path.
pub fn folder() -> io::Result<PathBuf> {
    let named = |key: &str| env::var_os(key).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(stated) = named("DERNY_CACHE") {
        return folder::own(&stated).map(|()| stated);
    }
    // Without HOME the system knows the home folder.
    let home = named("HOME").or_else(env::home_dir).filter(|home| !home.as_os_str().is_empty());
    let usual = [
        named("XDG_CACHE_HOME").map(|cache| cache.join("derny")),
        home.map(|home| home.join(".cache/derny")),
        named("LOCALAPPDATA").map(|cache| cache.join("derny")),
    ];
    let mut refused = None;
    for usual in usual.into_iter().flatten() {
        match folder::own(&usual) {
            Ok(()) => return Ok(usual),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    folder::own_without_home().map_err(|why| refused.unwrap_or(why))
}

impl Sdks {
    /// Writes the files once per version and returns their folder, with one subfolder per SDK. Reuses
    /// existing files if they equal those that this engine carries.
    ///
    /// # Errors
    /// Fails if [`folder()`] does, or if a file cannot be written.
    pub fn unpack(&self) -> io::Result<PathBuf> {
        let cache = folder()?;
        let place = cache.join(format!("sdk-{:016x}", self.version()));
        if self.are_in(&place) {
            return Ok(place);
        }
        let own = PrivateFolder::within(&cache, None)?;
        let draft = own.path().join("sdk");
        for (sdk, name, bytes) in self.files() {
            let path = draft.join(sdk).join(name);
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            fs::write(path, bytes)?;
        }
        if fs::rename(&draft, &place).is_err() && !self.are_in(&place) {
            // The existing folder is not our copy. Another engine may also be replacing it.
            let _ = fs::remove_dir_all(&place);
            let _ = fs::rename(&draft, &place);
        }
        match self.are_in(&place) {
            true => Ok(place),
            false => Err(io::Error::other(format!("{} could not be written", place.display()))),
        }
    }

    /// Returns true if the folder contains all files as this engine carries them.
    fn are_in(&self, place: &Path) -> bool {
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok_and(|data| !data.is_symlink());
        is_there(place)
            && self.files().all(|(sdk, name, bytes)| {
                let path = place.join(sdk).join(name);
                is_there(&path) && fs::read(path).is_ok_and(|found| found == bytes)
            })
    }
}
