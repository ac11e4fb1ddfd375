//! Permissions of the folders and files of a store. By default, only one user can access the folder of a
//! store, because the folder contains the output of all runs, and also programs that Derny executes. To share
//! a store, give its folder other permissions. New entries inherit them.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Creates the folder of a store, which only this user can access. Does not change an existing folder.
///
/// # Errors
///
/// Fails with the system's error.
pub fn store(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above)?;
    }
    made(folder, 0o700)
}

/// Creates a folder inside a store's folder, with the same permissions. Creates the store's folder if
/// necessary.
///
/// # Errors
///
/// Fails with the system's error.
pub fn folder(store: &Path, name: &str) -> io::Result<PathBuf> {
    self::store(store)?;
    let folder = store.join(name);
    if !folder.is_dir() {
        made(&folder, rights(store)?)?;
    }
    Ok(folder)
}

/// Opens a file in a folder of a store for reading and writing. A new file inherits the folder's permissions.
///
/// # Errors
///
/// Fails with the system's error.
pub fn file(path: &Path) -> io::Result<File> {
    options(path)?.create(true).truncate(false).open(path)
}

/// Creates a file in a folder of a store. Does not change an existing file.
///
/// # Errors
///
/// Fails with the system's error.
pub fn new_file(path: &Path) -> io::Result<()> {
    match options(path)?.create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn options(path: &Path) -> io::Result<OpenOptions> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(rights(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })? & 0o666);
    }
    Ok(options)
}

#[cfg(unix)]
fn rights(folder: &Path) -> io::Result<u32> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(folder)?.mode() & 0o777)
}

#[cfg(not(unix))]
fn rights(_: &Path) -> io::Result<u32> {
    Ok(0)
}

#[cfg(unix)]
fn made(folder: &Path, rights: u32) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    there(fs::DirBuilder::new().mode(rights).create(folder), folder)
}

#[cfg(not(unix))]
fn made(folder: &Path, _: u32) -> io::Result<()> {
    there(fs::create_dir(folder), folder)
}

fn there(made: io::Result<()>, folder: &Path) -> io::Result<()> {
    if folder.is_dir() { Ok(()) } else { made }
}

#[cfg(all(test, unix))]
mod tests {
    use crate::Store;
    use crate::scenario::{case, header, process, start, visit};
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    fn of_others(dir: &Path) -> Vec<(PathBuf, u32)> {
        let store = Store::open(dir).unwrap();
        let mut recorder = store.recorder().unwrap();
        for event in [start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0)] {
            recorder.on_event(&event).unwrap();
        }
        super::folder(dir, "kept").unwrap();
        let mut all = vec![of(dir)];
        let mut folders = vec![dir.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                all.push(of(&path));
                folders.extend(path.is_dir().then_some(path));
            }
        }
        assert!(all.len() > 6, "the database and what is beside it, a journal: {all:?}");
        all
    }

    fn of(path: &Path) -> (PathBuf, u32) {
        (path.to_owned(), fs::metadata(path).unwrap().mode() & 0o077)
    }

    #[test]
    fn a_store_is_for_its_user_alone() {
        let place = tempfile::tempdir().unwrap();
        for (path, rights) in of_others(&place.path().join("above/.derny")) {
            assert_eq!(rights, 0, "{}", path.display());
        }
        let above = fs::metadata(place.path().join("above")).unwrap().mode() & 0o777;
        assert_ne!(above, 0o700, "folders above are the user's business");
    }

    #[test]
    fn a_store_that_is_shared_stays_shared() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join(".derny");
        fs::create_dir(&dir).unwrap();
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o750)).unwrap();
        for (path, rights) in of_others(&dir) {
            let wanted = if path.is_dir() { 0o050 } else { 0o040 };
            assert_eq!(rights, wanted, "{}", path.display());
        }
    }
}
