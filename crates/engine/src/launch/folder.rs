//! Creates all temporary folders and files of the engine, and checks that an existing folder can be
//! trusted. No other code uses the system's folder for temporary files, because another user could
//! create a predictable name there first.

use crate::launch::reaper::{Leftover, Reaper};
use crate::os;
use std::fs::{self, File, OpenOptions};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, io};

/// A folder that only this user may enter. It is removed with its content on drop, or by the reaper if
/// the engine is killed.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    reaper: Option<Reaper>,
}

impl PrivateFolder {
    /// Creates a folder in the system's folder for temporary files.
    ///
    /// # Errors
    /// Fails if the system cannot create it. The message contains the path of the parent.
    pub fn make(reaper: Option<&Reaper>) -> io::Result<PrivateFolder> {
        PrivateFolder::within(&env::temp_dir(), reaper)
    }

    /// Creates a folder within `place`.
    pub(crate) fn within(place: &Path, reaper: Option<&Reaper>) -> io::Result<PrivateFolder> {
        let path = os::make_private_folder(place).map_err(|error| named(place, &error))?;
        if let Some(reaper) = reaper {
            reaper.watch(&Leftover::Folder(path.clone()));
        }
        Ok(PrivateFolder { path, reaper: reaper.cloned() })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // Results do not depend on the removal of leftovers.
        let _ = fs::remove_dir_all(&self.path);
        if let Some(reaper) = &self.reaper {
            reaper.forget(&Leftover::Folder(std::mem::take(&mut self.path)));
        }
    }
}

/// Returns a temporary file for large data, and its folder. The caller must keep the folder while it
/// uses the file, because some systems cannot unlink an open file. If `TMPDIR` is not set, the folder is in
/// `/var/tmp` if possible, because `/tmp` may be in memory.
///
/// # Errors
/// Fails if the system cannot create the file.
pub fn unnamed_file() -> io::Result<(File, PrivateFolder)> {
    let disk = Path::new("/var/tmp");
    let on_disk = env::var_os("TMPDIR").is_none() && disk.is_dir();
    let folder = PrivateFolder::within(&if on_disk { disk.to_owned() } else { env::temp_dir() }, None)?;
    let path = folder.path().join("file");
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    // Unlink the file at once if possible. A killed engine then leaves nothing behind.
    if fs::remove_file(&path).is_ok() {
        let _ = fs::remove_dir(folder.path());
    }
    Ok((file, folder))
}

/// Adds the path to the message of an error.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Creates a folder with a predictable name that only this user may enter, such as a cache. Reuses an
/// existing folder if no other user can have written to it.
///
/// # Errors
/// Fails if [`own_here`] fails, or if other users may replace the folder. The message contains the reason.
pub fn own(folder: &Path) -> io::Result<()> {
    own_here(folder)?;
    irreplaceable(&folder.canonicalize().map_err(|error| named(folder, &error))?)
}

/// Creates a private folder in a place that the user chose, or reuses an existing one. The user is
/// responsible for its parents.
///
/// # Errors
/// Fails if the system cannot create it, if it belongs to another user, or if others may write to it.
/// The message contains the path.
pub fn own_here(folder: &Path) -> io::Result<()> {
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above).map_err(|error| named(above, &error))?;
    }
    match make(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => closed(folder),
        made => made.map_err(|error| named(folder, &error)),
    }
}

/// Creates a folder like [`own`] for a user without a home folder. It is in the folder for temporary
/// files, and its name is the same in every run.
///
/// # Errors
/// Fails if [`own`] fails.
pub fn own_without_home() -> io::Result<PathBuf> {
    let folder = env::temp_dir().join(format!("derny-{}", os::user_id()));
    own(&folder).map(|()| folder)
}

#[cfg(unix)]
fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}

/// Write permission of the group.
#[cfg(unix)]
const BY_GROUP: u32 = 0o020;
/// Write permission of all users.
#[cfg(unix)]
const BY_ALL: u32 = 0o002;
/// Sticky bit: files in a folder with this bit can be moved or deleted only by their owners.
#[cfg(unix)]
const STICKY: u32 = 0o1000;

#[cfg(unix)]
fn refused(path: &Path, why: &str) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{} {why}", path.display())))
}

#[cfg(unix)]
fn looked_at(path: &Path) -> io::Result<fs::Metadata> {
    fs::metadata(path).map_err(|error| named(path, &error))
}

/// Returns true if the folder belongs to this user, or to root, who can change everything anyway.
#[cfg(unix)]
fn is_own(data: &fs::Metadata) -> bool {
    data.uid() == os::user_id() || data.uid() == 0
}

/// Fails if another user may have written to the folder. Removes the group's permission to write.
#[cfg(unix)]
fn closed(folder: &Path) -> io::Result<()> {
    let data = looked_at(folder)?;
    if !is_own(&data) {
        return refused(folder, "belongs to another user");
    }
    // If each user has a personal group, the usual umask lets the group write. Earlier versions left
    // folders with this permission.
    if data.mode() & BY_ALL != 0 || data.mode() & BY_GROUP != 0 && close(folder, &data).is_err() {
        return refused(folder, "can be written by others");
    }
    Ok(())
}

/// Fails if another user can replace this folder. A parent may belong to another user if only the
/// system can have created it, such as a home mounted into a container.
#[cfg(unix)]
fn irreplaceable(folder: &Path) -> io::Result<()> {
    let mut below = folder;
    for above in folder.ancestors().skip(1) {
        let mode = looked_at(above)?.mode();
        if mode & BY_ALL != 0 && mode & STICKY == 0 {
            return refused(below, "can be replaced by others");
        }
        if mode & BY_ALL != 0 && !is_own(&looked_at(below)?) {
            return refused(below, "belongs to another user");
        }
        below = above;
    }
    Ok(())
}

#[cfg(unix)]
fn close(folder: &Path, data: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = data.permissions().mode() & !BY_GROUP;
    fs::set_permissions(folder, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn closed(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn irreplaceable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_temporary_folder_has_a_name_that_nobody_can_foresee_and_goes() {
        let [one, other] = [(); 2].map(|()| PrivateFolder::make(None).unwrap());
        assert_ne!(one.path(), other.path());
        let name = one.path().file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with("derny-") && !name.contains(&std::process::id().to_string()), "{name}");
        assert_eq!(mode(one.path()), 0o700);
        let path = one.path().to_owned();
        fs::write(path.join("x"), "x").unwrap();
        drop(one);
        assert!(!path.exists());
    }

    #[test]
    fn a_file_without_a_name_leaves_nothing() {
        let (_file, folder) = unnamed_file().unwrap();
        assert!(!folder.path().exists(), "a killed engine leaves no file");
    }

    #[test]
    fn a_folder_that_others_could_have_filled_is_not_used() {
        let place = PrivateFolder::make(None).unwrap();
        let cache = place.path().join("above/cache");
        own(&cache).unwrap();
        assert_eq!(mode(&cache), 0o700);
        set_mode(&cache, 0o775);
        own(&cache).unwrap();
        assert_eq!(mode(&cache), 0o755, "a folder of this user is closed to its group");
        set_mode(&cache, 0o777);
        let error = own(&cache).unwrap_err().to_string();
        assert!(error.ends_with("can be written by others"), "{error}");
        set_mode(&cache, 0o700);
        for (above, is_safe) in [(0o755, true), (0o1777, true), (0o777, false)] {
            set_mode(&place.path().join("above"), above);
            assert_eq!(own(&cache).is_ok(), is_safe, "{above:o}");
        }
        let error = own(&cache).unwrap_err().to_string();
        assert!(error.ends_with("can be replaced by others"), "{error}");
        // A symbolic link is rejected. Users can name its target instead.
        let link = place.path().join("link");
        symlink(&cache, &link).unwrap();
        assert!(own(&link).is_err());
    }

    #[test]
    fn a_folder_of_another_user_is_not_used() {
        // Only root can create a folder of another user.
        let place = PrivateFolder::make(None).unwrap();
        let cache = place.path().join("cache");
        own(&cache).unwrap();
        if std::os::unix::fs::chown(&cache, Some(65_534), None).is_err() {
            return;
        }
        let error = own(&cache).unwrap_err().to_string();
        assert!(error.ends_with("cache belongs to another user"), "{error}");
        // A folder inside one that any user may have created is rejected too.
        std::os::unix::fs::chown(&cache, Some(0), None).unwrap();
        let shared = place.path().join("shared");
        fs::create_dir(&shared).unwrap();
        set_mode(&shared, 0o1777);
        fs::create_dir(shared.join("theirs")).unwrap();
        std::os::unix::fs::chown(shared.join("theirs"), Some(65_534), None).unwrap();
        assert!(own(&shared.join("theirs/derny")).is_err());
    }
}
