//! Unpacks the builds of a plan, which may have come from anywhere: nothing is written out of the folder, whatever paths and links the
//! file has, and nothing is used of a file that is not whole.

use super::carried::{BUILDS, FOLDER, PLAN, archive, broken};
use crate::error::{Doing, Result};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tar::{Entry, EntryType};

/// A folder with what the file holds. It goes with this; the lock says to others that it is in use.
#[derive(Debug)]
pub struct Staged(pub PathBuf, #[allow(dead_code)] File);

impl Staged {
    /// An empty one. What killed engines left is taken away.
    fn new(below: &Path) -> io::Result<Staged> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        fs::create_dir_all(below)?;
        let open = |path: PathBuf| File::options().create(true).truncate(false).write(true).open(path);
        let all = open(below.join("lock"))?;
        all.lock()?;
        for entry in fs::read_dir(below)?.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
            if open(entry.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok()) {
                fs::remove_dir_all(entry)?;
            }
        }
        let own = below.join(format!("{}-{number}", std::process::id()));
        fs::create_dir_all(&own)?;
        let lock = open(own.join("lock"))?;
        lock.lock()?;
        Ok(Staged(own, lock))
    }

    /// Unpacks it, to its very end: only then is it known to be whole.
    pub fn of(file: &Path, store: &Path) -> Result<Staged> {
        let staged =
            Staged::new(&store.join("carried")).doing(|| format!("cannot write in {}", store.display()))?;
        let mut archive = archive(file)?;
        let mut names = Names::default();
        // Raw: of a name that is long the library would take any length into memory.
        for entry in archive.entries().map_err(|why| broken(file, &why))?.raw(true) {
            let mut entry = entry.map_err(|why| broken(file, &why))?;
            names
                .of(&mut entry)
                .and_then(|named| match named {
                    Some((path, to)) => unpack(&mut entry, &path, &to, &staged.0),
                    None => Ok(()),
                })
                .map_err(|why| broken(file, &why))?;
        }
        io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(|why| broken(file, &why))?;
        Ok(staged)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Names that are too long for a header stand in an entry before it.
#[derive(Debug, Default)]
struct Names {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
}

/// No name is longer.
const LONGEST_NAME: u64 = 1 << 16;

impl Names {
    /// Path and link of an entry; none if it is the name of the next one.
    fn of<R: Read>(&mut self, entry: &mut Entry<'_, R>) -> Result<Option<(PathBuf, PathBuf)>, String> {
        let kind = entry.header().entry_type();
        if matches!(kind, EntryType::GNULongName | EntryType::GNULongLink) {
            let mut name = Vec::new();
            entry.take(LONGEST_NAME + 1).read_to_end(&mut name).map_err(|why| why.to_string())?;
            if name.len() as u64 > LONGEST_NAME {
                return Err("a name in it is too long".into());
            }
            if name.last() == Some(&0) {
                name.pop();
            }
            let of = if kind == EntryType::GNULongName { &mut self.path } else { &mut self.link };
            *of = Some(name);
            return Ok(None);
        }
        let path = self.path.take().unwrap_or_else(|| entry.header().path_bytes().into_owned());
        let link = entry.header().link_name_bytes().map(|link| link.into_owned());
        let link = self.link.take().or(link).unwrap_or_default();
        let text = |bytes| String::from_utf8(bytes).map(PathBuf::from);
        let bad = |_| "a name in it is no text".to_owned();
        Ok(Some((text(path).map_err(bad)?, text(link).map_err(bad)?)))
    }
}

/// Unpacks an entry, if it is part of a build; or says why it may not be there.
fn unpack<R: Read>(entry: &mut Entry<'_, R>, path: &Path, to: &Path, folder: &Path) -> Result<(), String> {
    let named = |why: &str| format!("{} {why}", path.display());
    if path == Path::new(PLAN) || path == Path::new(BUILDS) {
        return Ok(());
    }
    let mut parts = path.components();
    let is_below = parts.next() == Some(Component::Normal(FOLDER.as_ref()));
    if !is_below || !parts.all(|part| matches!(part, Component::Normal(_))) {
        return Err(named("in it is no path of a build"));
    }
    let target = folder.join(path);
    let above = target.parent().unwrap_or(folder);
    fs::create_dir_all(above).map_err(|why| named(&why.to_string()))?;
    // Nothing that a plan has leads through a link.
    let real = |path: &Path| path.canonicalize().map_err(|why| named(&why.to_string()));
    if real(above)? != real(folder)?.join(above.strip_prefix(folder).unwrap_or(above)) {
        return Err(named("in it leads through a link"));
    }
    let kind = entry.header().entry_type();
    let done = match kind {
        EntryType::Directory => fs::create_dir_all(&target),
        EntryType::Symlink => {
            // Below `builds/N/FOLDER`.
            let below: PathBuf = path.components().skip(3).collect();
            if below.as_os_str().is_empty() || !stays(&below, to) {
                return Err(named("in it is a link out of its folder"));
            }
            link(to, &target)
        }
        EntryType::Regular => write(entry, &target),
        _ => return Err(named("in it is neither a file nor a folder")),
    };
    done.map_err(|why| named(&why.to_string()))
}

fn write<R: Read>(entry: &mut Entry<'_, R>, to: &Path) -> io::Result<()> {
    let (mode, size) = (entry.header().mode()?, entry.size());
    let mut file = File::options().write(true).create_new(true).open(to)?;
    if io::copy(entry, &mut file)? != size {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
    }
    allow(&file, mode)
}

/// Gives a file its rights, without those that make a program another user's.
#[cfg(unix)]
fn allow(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(mode & 0o755))
}

#[cfg(not(unix))]
fn allow(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

/// Copies a folder, file by file: what is there and is the same stays as old as it is, and a program that is running keeps its file.
pub fn place(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let mut found = Vec::new();
    list(from, &mut found)?;
    for path in found {
        let target = to.join(path.strip_prefix(from).unwrap_or(&path));
        let kind = path.symlink_metadata()?;
        if kind.is_dir() {
            fs::create_dir_all(&target)?;
            continue;
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let fresh = target.with_file_name(format!(".{name}.{}", std::process::id()));
        let _ = fs::remove_file(&fresh);
        if kind.is_symlink() {
            link(&fs::read_link(&path)?, &fresh)?;
        } else if same(&path, &target)? {
            continue;
        } else {
            fs::copy(&path, &fresh)?;
        }
        fs::rename(&fresh, &target)?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// Whether two files have the same bytes and rights.
fn same(one: &Path, other: &Path) -> io::Result<bool> {
    let Ok(there) = other.symlink_metadata() else { return Ok(false) };
    let own = one.metadata()?;
    if !there.is_file() || there.len() != own.len() || there.permissions() != own.permissions() {
        return Ok(false);
    }
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let read = one.read(&mut a)?;
        if read == 0 {
            return Ok(true);
        }
        if other.read_exact(&mut b[..read]).is_err() || a[..read] != b[..read] {
            return Ok(false);
        }
    }
}

/// All that is below a folder, folders before what is in them, in the order of names.
pub fn list(folder: &Path, to: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let is_folder = path.symlink_metadata()?.is_dir();
        to.push(path.clone());
        if is_folder {
            list(&path, to)?;
        }
    }
    Ok(())
}

/// Whether a link at `below` leads to something in the same folder.
pub fn stays(below: &Path, to: &Path) -> bool {
    let mut depth = below.components().count() as i64 - 1;
    to.components().all(|part| {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            _ => return false,
        }
        depth >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tar::Header;

    /// A file of these entries, each with a kind, a path that may be a bad one, and a text or a link's target.
    fn made(folder: &Path, entries: &[(EntryType, &str, &str)]) -> PathBuf {
        let file = folder.join("plan.tar");
        let mut tar = tar::Builder::new(GzEncoder::new(File::create(&file).unwrap(), Compression::fast()));
        for (kind, path, text) in entries {
            let mut header = Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_mode(0o755);
            // The library's own words refuse such paths already when they are written.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            let has_text = matches!(kind, EntryType::Regular | EntryType::GNULongName);
            let data = if has_text { text.as_bytes() } else { b"" };
            if !has_text {
                header.as_old_mut().linkname[..text.len()].copy_from_slice(text.as_bytes());
            }
            header.set_size(data.len() as u64);
            header.set_cksum();
            tar.append(&header, data).unwrap();
        }
        tar.into_inner().unwrap().finish().unwrap();
        file
    }

    fn refused(entries: &[(EntryType, &str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = made(folder.path(), entries);
        let outside = folder.path().join("store");
        let error = Staged::of(&file, &outside).unwrap_err().to_string();
        assert_eq!(fs::read_dir(outside.join("carried")).unwrap().count(), 1, "nothing is left but the lock");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "and nothing is elsewhere");
        error
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        use EntryType::{Char, Link, Regular, Symlink};
        for path in ["/etc/x", "../x", "builds/../x", "x", "builds/0/../../../x"] {
            let error = refused(&[(Regular, path, "x")]);
            assert!(error.contains("is no path of a build"), "{path}: {error}");
        }
        for to in ["/etc", "..", "a/../../x"] {
            let error = refused(&[(Symlink, "builds/0/f/l", to), (Regular, "builds/0/f/l/x", "x")]);
            assert!(error.contains("is a link out of its folder"), "{to}: {error}");
        }
        let error = refused(&[(Symlink, "builds/0/f/d", "."), (Symlink, "builds/0/f/d/d/l", "../../../x")]);
        assert!(error.contains("leads through a link"), "{error}");
        let long = "x".repeat(70_000);
        let error = refused(&[(EntryType::GNULongName, "././@LongLink", &long)]);
        assert!(error.contains("too long"), "{error}");
        for kind in [Link, Char] {
            let error = refused(&[(kind, "builds/0/f/l", "plan.json")]);
            assert!(error.contains("neither a file nor a folder"), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused_wherever_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let long: String = (0..20_000).map(|n| format!("{n} ")).collect();
        let file = made(folder.path(), &[(EntryType::Regular, "builds/0/f/x", &long)]);
        let whole = fs::read(&file).unwrap();
        assert!(Staged::of(&file, folder.path()).unwrap().0.join("builds/0/f/x").is_file());
        for length in [1, 20, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
            fs::write(&file, &whole[..length]).unwrap();
            let error = Staged::of(&file, folder.path()).unwrap_err().to_string();
            assert!(error.contains("plan.tar cannot be used") && error.contains("try"), "{length}: {error}");
        }
        let mut changed = whole.clone();
        changed[whole.len() - 6] ^= 1;
        fs::write(&file, &changed).unwrap();
        Staged::of(&file, folder.path()).unwrap_err();
    }

    #[test]
    fn links_within_a_folder_stay() {
        for (below, to, stay) in [
            ("a", "b", true),
            ("a", "../b", false),
            ("d/a", "../b", true),
            ("a", "/b", false),
            ("a", "d/../b", true),
        ] {
            assert_eq!(stays(Path::new(below), Path::new(to)), stay, "{below} {to}");
        }
    }
}
