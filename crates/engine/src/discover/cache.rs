//! The cache folder, with files that are created once and reused by later runs. They include the files of the
//! SDKs. Derny starts programs from this folder, so it rejects a folder that another user could have written
//! to.

use crate::discover::sdk::Sdks;
use crate::launch::folder::{self, PrivateFolder};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Returns the cache folder: `DERNY_CACHE` if it is set, or else the user's cache folder. If `DERNY_CACHE`
/// is not set and the user's cache folder is not usable, returns a private folder in the folder for
/// temporary files.
///
/// # Errors
/// Fails if no folder can be created, or if others could have written to it ([`folder::own`]). The
/// message contains the path.
pub fn folder() -> io::Result<PathBuf> {
    let named = |key: &str| env::var_os(key).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(stated) = named("DERNY_CACHE") {
        return folder::own(&stated).map(|()| stated);
    }
    // If `HOME` is not set, read the home folder from the user database.
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
    /// Writes the files of the SDKs, once per version. Returns their folder, which has a subfolder per
    /// SDK. Existing files are reused if they equal those in this binary.
    ///
    /// # Errors
    /// Fails if [`folder()`] fails, or if a file cannot be written.
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
            // The folder differs from the files in this binary, so replace it. Ignore errors, because another
            // engine may do the same at the same time.
            let _ = fs::remove_dir_all(&place);
            let _ = fs::rename(&draft, &place);
        }
        match self.are_in(&place) {
            true => Ok(place),
            false => Err(io::Error::other(format!("{} could not be written", place.display()))),
        }
    }

    fn are_in(&self, place: &Path) -> bool {
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok_and(|data| !data.is_symlink());
        is_there(place)
            && self.files().all(|(sdk, name, bytes)| {
                let path = place.join(sdk).join(name);
                is_there(&path) && fs::read(path).is_ok_and(|found| found == bytes)
            })
    }
}
