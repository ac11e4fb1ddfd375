//! Unpacks the builds of a plan, which may come from an untrusted source. Writes nothing outside the folder,
//! whatever paths and links the file contains. Uses nothing from an incomplete file.

use crate::layout::{BUILDS, FOLDER, PLAN, broken, gzipped};
use crate::links::Links;
use derny_workbench::error::{Doing, Result};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use tar::{Archive, Entry, EntryType};

/// A folder with the unpacked content of a plan file, removed on drop. The lock shows other processes that
/// the folder is in use.
#[derive(Debug)]
pub struct Staged(pub PathBuf, #[allow(dead_code)] File);

impl Staged {
    /// Creates an empty folder. Also removes folders that killed engines left.
    fn new(store: &Path) -> io::Result<Staged> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let below = derny_store::folder(store, "carried")?;
        let open = |path: PathBuf| File::options().create(true).truncate(false).write(true).open(path);
        let all = open(below.join("lock"))?;
        all.lock()?;
        for entry in fs::read_dir(&below)?.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
            if open(entry.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok()) {
                fs::remove_dir_all(entry)?;
            }
        }
        let own = below.join(format!("{}-{number}", std::process::id()));
        fs::create_dir(&own)?;
        let lock = open(own.join("lock"))?;
        lock.lock()?;
        Ok(Staged(own, lock))
    }

    /// Unpacks a file completely, because only its end shows that it is complete. Creates links last. By then
    /// all other paths exist, so no path is created through a link.
    pub fn of(file: &Path, store: &Path) -> Result<Staged> {
        let staged = Staged::new(store).doing(|| format!("cannot write in {}", store.display()))?;
        let packed = fs::metadata(file).doing(|| format!("cannot read {}", file.display()))?.len();
        staged.fill(file, most_bytes(packed)).map_err(|why| broken(file, &why))?;
        Ok(staged)
    }

    fn fill(&self, file: &Path, most: u64) -> Result<(), String> {
        let left = Rc::new(Cell::new(most));
        let all = Within { left: Rc::clone(&left), from: gzipped(file).map_err(|why| why.to_string())? };
        let filled = self.fill_from(Archive::new(all));
        if left.get() == 0 { Err(format!("it contains more than {} MB", most >> 20)) } else { filled }
    }

    fn fill_from(&self, mut archive: Archive<impl Read>) -> Result<(), String> {
        let text = |why: io::Error| why.to_string();
        let mut names = Names::default();
        let mut links: BTreeMap<PathBuf, Links> = BTreeMap::new();
        // Raw mode leaves the parsing of long names to us. The library would read names of any length into
        // memory.
        for (count, entry) in archive.entries().map_err(text)?.raw(true).enumerate() {
            let mut entry = entry.map_err(text)?;
            if count >= MOST || links.values().map(Links::count).sum::<usize>() > MOST_LINKS {
                return Err("it contains too many paths for a build".into());
            }
            if let Some((path, to)) = names.of(&mut entry)? {
                unpack(&mut entry, &path, &to, &self.0, &mut links)?;
            }
        }
        io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(text)?;
        link_all(&links, &self.0)
    }
}

/// A reader with a limit. The number of remaining bytes is shared with the code that reports an exceeded
/// limit.
struct Within<R> {
    left: Rc<Cell<u64>>,
    from: R,
}

impl<R: Read> Read for Within<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = (&mut self.from).take(self.left.get()).read(to)?;
        self.left.set(self.left.get() - read as u64);
        Ok(read)
    }
}

/// Returns the maximum size of the unpacked content. Compiler output shrinks to a tenth, and a file of zeros
/// to a thousandth.
fn most_bytes(packed: u64) -> u64 {
    (1 << 30) + packed.saturating_mul(100)
}

/// Creates the links of all builds. No link may lead out of its own build. All folders already exist, so none
/// is created through a link.
fn link_all(links: &BTreeMap<PathBuf, Links>, folder: &Path) -> Result<(), String> {
    let mut all = Vec::new();
    for (build, links) in links {
        if let Some((path, _)) = links.out() {
            return Err(format!(
                "{} in it links to a path outside of its folder",
                build.join(path).display()
            ));
        }
        all.extend(links.all().map(|(path, to)| (folder.join(build).join(path), to)));
    }
    let named = |path: &Path, why: io::Error| {
        format!("{} {why}", path.strip_prefix(folder).unwrap_or(path).display())
    };
    for (path, _) in &all {
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(|why| named(path, why))?;
    }
    all.iter().try_for_each(|(path, to)| link(to, path).map_err(|why| named(path, why)))
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Path and link target of the next entry, if earlier entries contained them. A name that is too long for a
/// header has a separate entry.
#[derive(Debug, Default)]
struct Names {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
}

/// Maximum length of a name in bytes.
const LONGEST_NAME: u64 = 1 << 12;

/// Maximum number of paths in a file, more than in any real plan.
const MOST: usize = 1 << 20;
/// Maximum number of links in a file.
const MOST_LINKS: usize = 1 << 16;

impl Names {
    /// Returns the path and the link target of an entry, or `None` if the entry only contains the name of the
    /// next one.
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
        let bad = |_| "a name in it is not text".to_owned();
        Ok(Some((text(path).map_err(bad)?, text(link).map_err(bad)?)))
    }
}

/// Unpacks an entry if it is part of a build. Links are only recorded. Fails if the entry is not allowed.
fn unpack<R: Read>(
    entry: &mut Entry<'_, R>,
    path: &Path,
    to: &Path,
    folder: &Path,
    links: &mut BTreeMap<PathBuf, Links>,
) -> Result<(), String> {
    let named = |why: &str| format!("{} {why}", path.display());
    if path == Path::new(PLAN) || path == Path::new(BUILDS) {
        return Ok(());
    }
    let mut parts = path.components();
    let is_below = parts.next() == Some(Component::Normal(FOLDER.as_ref()));
    if !is_below || !parts.all(|part| matches!(part, Component::Normal(_))) {
        return Err(named("in it is not a path of a build"));
    }
    let target = folder.join(path);
    let done = match entry.header().entry_type() {
        EntryType::Directory => fs::create_dir_all(&target),
        EntryType::Symlink => {
            // The folder of the build: `builds/N/FOLDER`.
            let build: PathBuf = path.components().take(3).collect();
            let below: PathBuf = path.components().skip(3).collect();
            if below.as_os_str().is_empty() {
                return Err(named("in it links to a path outside of its folder"));
            }
            links.entry(build).or_default().add(below, to.to_owned());
            Ok(())
        }
        EntryType::Regular => {
            fs::create_dir_all(target.parent().unwrap_or(folder)).and_then(|()| write(entry, &target))
        }
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

#[cfg(unix)]
fn allow(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(mode & 0o755))
}

#[cfg(not(unix))]
fn allow(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

/// Copies a folder file by file. Unchanged files keep their modification times, and running programs keep
/// their files. First removes links in `to` that `from` does not have, because they could redirect a path.
pub fn place(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let mut there = Vec::new();
    list(to, &mut there)?;
    for path in there {
        let other = from.join(path.strip_prefix(to).unwrap_or(&path));
        let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|data| data.is_symlink());
        if is_link(&path) && !is_link(&other) {
            fs::remove_file(path)?;
        }
    }
    let mut found = Vec::new();
    list(from, &mut found)?;
    for path in found {
        let target = to.join(path.strip_prefix(from).unwrap_or(&path));
        let kind = path.symlink_metadata()?;
        if kind.is_dir() {
            // If the target exists, it is not a link, because such links were removed above.
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

/// Lists everything below a folder, sorted by name. Folders come before their content.
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

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tar::Header;

    /// Creates a plan file with these entries: kind, path, and text or link target. The paths may be invalid.
    fn made(folder: &Path, entries: &[(EntryType, &str, &str)]) -> PathBuf {
        let file = folder.join("plan.tar");
        let mut tar = tar::Builder::new(GzEncoder::new(File::create(&file).unwrap(), Compression::fast()));
        for (kind, path, text) in entries {
            let mut header = Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_mode(0o6777);
            // Write the path directly, because the library refuses such paths.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            let has_text = matches!(kind, EntryType::Regular | EntryType::GNULongName | EntryType::XHeader);
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

    /// Returns the error for a plan file with these entries. Checks that nothing of it remains.
    fn refused(entries: &[(EntryType, &str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = made(folder.path(), entries);
        let outside = folder.path().join("store");
        let error = Staged::of(&file, &outside).unwrap_err().to_string();
        assert_eq!(fs::read_dir(outside.join("carried")).unwrap().count(), 1, "nothing is left but the lock");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "and nothing is beside it");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nor elsewhere");
        error
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        use EntryType::{Regular, Symlink};
        for path in
            ["/etc/x", "../x", "builds/../x", "x", "builds/0/../../../x", "BUILDS/0/f/x", "builds\\..\\x"]
        {
            let error = refused(&[(Regular, path, "x")]);
            assert!(error.contains("is not a path of a build"), "{path}: {error}");
        }
        for to in ["/etc", "..", "a/../../x", "../../../../x", "./../x"] {
            let error = refused(&[(Symlink, "builds/0/f/l", to)]);
            assert!(error.contains("links to a path outside of its folder"), "{to}: {error}");
        }
        for (path, to) in [("builds/0/f", "f/g"), ("builds/0", "1"), ("builds", "x"), ("builds/0/f/l", "")] {
            refused(&[(Symlink, path, to)]);
        }
    }

    #[test]
    fn a_chain_of_links_leads_nowhere() {
        use EntryType::{Directory, Regular, Symlink};
        // The first link leads up to the build's folder. The second leads from there to the folder of the
        // test, where an entry would then create a folder.
        let links = [
            (Symlink, "builds/0/f/a/b/c/d/e/f/z", "../../../../../.."),
            (Symlink, "builds/0/f/l", "a/b/c/d/e/f/z/../../../../../.."),
        ];
        for (kind, made) in [
            (Directory, "builds/0/f/l/made/x"),
            (Regular, "builds/0/f/l/made/x"),
            (Regular, "builds/0/f/l/x"),
        ] {
            let error = refused(&[links[0], links[1], (kind, made, "x")]);
            assert!(error.contains("builds/0/f/l in it links to a path outside of its folder"), "{error}");
        }
        // No path may lead through a link, whatever the order of the entries and the target of the link.
        let through = (Regular, "builds/0/f/l/x", "x");
        let inside = (Symlink, "builds/0/f/l", "d");
        refused(&[inside, through]);
        refused(&[through, inside]);
        refused(&[(Symlink, "builds/0/f/d", "."), (Symlink, "builds/0/f/d/d/l", "../../../x")]);
        refused(&[(Symlink, "builds/0/f/a", "b"), (Symlink, "builds/0/f/b", "a")]);
        // A link of one build must not lead into another build.
        refused(&[(Symlink, "builds/0/f/l", "../../1/f/x"), (Regular, "builds/1/f/x", "x")]);
    }

    #[test]
    fn what_is_neither_a_file_nor_a_folder_is_refused() {
        use EntryType::{Block, Char, Continuous, Fifo, GNUSparse, Link, Regular, XGlobalHeader, XHeader};
        for kind in [Link, Char, Block, Fifo, GNUSparse, Continuous, XHeader, XGlobalHeader] {
            let error = refused(&[(kind, "builds/0/f/l", "plan.json")]);
            assert!(error.contains("neither a file nor a folder"), "{kind:?}: {error}");
        }
        let long = "x".repeat(5000);
        let error = refused(&[(EntryType::GNULongName, "././@LongLink", &long)]);
        assert!(error.contains("too long"), "{error}");
        // The same path occurs twice, or as both a file and a folder.
        refused(&[(Regular, "builds/0/f/x", "x"), (Regular, "builds/0/f/x", "y")]);
        refused(&[(Regular, "builds/0/f", "x"), (Regular, "builds/0/f/x", "y")]);
    }

    #[test]
    fn a_file_that_would_fill_the_disk_ends_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plan.tar");
        // The header claims a large size. The content is zeros, which take almost no space in the file.
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_path("builds/0/f/x").unwrap();
        header.set_size(u64::MAX >> 10);
        header.set_cksum();
        let mut gz = GzEncoder::new(File::create(&file).unwrap(), Compression::fast());
        io::Write::write_all(&mut gz, header.as_bytes()).unwrap();
        io::copy(&mut io::repeat(0).take(3 << 20), &mut gz).unwrap();
        gz.finish().unwrap();
        let refused = fill_within(&file, &folder.path().join("store"), 1 << 20);
        assert!(refused.contains("it contains more than 1 MB"), "{refused}");
    }

    fn fill_within(file: &Path, store: &Path, most: u64) -> String {
        Staged::new(store).unwrap().fill(file, most).unwrap_err()
    }

    #[test]
    #[cfg(unix)]
    fn a_build_comes_as_it_was_and_takes_over_no_rights() {
        use EntryType::{Directory, Regular, Symlink};
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = made(
            folder.path(),
            &[
                (Directory, "builds/0/f/lib", ""),
                (Symlink, "builds/0/f/lib64", "lib"),
                (Symlink, "builds/0/f/bin/x", "../lib64/x.1"),
                (Symlink, "builds/0/f/lib/x.1", "x.1.2"),
                (Regular, "builds/0/f/lib/x.1.2", "text"),
                (Symlink, "builds/0/f/lib/later", "not/there/../yet"),
            ],
        );
        let staged = Staged::of(&file, &folder.path().join("store")).unwrap();
        let (from, to) = (staged.0.join("builds/0/f"), folder.path().join("to"));
        // An earlier build left two links: one where this build has a folder, and one that this build does
        // not have.
        fs::create_dir_all(&to).unwrap();
        fs::create_dir(folder.path().join("outside")).unwrap();
        for name in ["lib", "older"] {
            std::os::unix::fs::symlink("../outside", to.join(name)).unwrap();
        }
        place(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("bin/x")).unwrap(), "text");
        assert_eq!(fs::metadata(to.join("bin/x")).unwrap().permissions().mode() & 0o7777, 0o755);
        assert!(to.join("lib/later").is_symlink() && !to.join("older").is_symlink());
        assert_eq!(fs::read_dir(folder.path().join("outside")).unwrap().count(), 0);
        place(&from, &to).unwrap();
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
}
