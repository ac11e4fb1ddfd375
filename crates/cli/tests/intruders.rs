//! Tests that Derny neither uses nor changes files that another user has placed where it writes. An
//! attacker could predict names that contain the process number. A shell has that number before it becomes
//! Derny, so the tests can place files with such names.

#![cfg(unix)]

use crate::place::{Done, Place, done};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs Derny after some lines of shell. In them, `$T` is the folder for temporary files, and `$$` the
/// process number that Derny will have.
fn after(place: &Place, lines: &str, args: &[&str]) -> Done {
    let temporary = place.root.join("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let plain = place.command(args);
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("T=\"$TMPDIR\"\n{lines}\nexec \"$@\"")).arg("sh").arg(plain.get_program());
    command.args(plain.get_args()).current_dir(&place.root).env("TMPDIR", &temporary);
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => _ = command.env(name, value),
            None => _ = command.env_remove(name),
        }
    }
    done(command.stdin(std::process::Stdio::null()).output().unwrap())
}

/// Returns everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let deeper: Vec<PathBuf> = all.iter().filter(|path| path.is_dir()).flat_map(|path| below(path)).collect();
    all.extend(deeper);
    all
}

#[test]
fn a_folder_that_is_there_is_not_used_for_commands() {
    let place = Place::new();
    let lay = "for name in try-$$ $$-0 $$-1 noise-$$; do mkdir -m 777 \"$T/derny-$name\"; : > \"$T/derny-$name/theirs\"; done";
    after(&place, lay, &["try", "-M", "2", "ls -ln \"$TMPDIR\" >> seen"]).expect(0);
    let there = below(&place.root.join("temporary"));
    assert_eq!(there.len(), 8, "theirs, and nothing else: {there:?}");
    // While commands run, no other user may enter the folder that contains them and their copies.
    let seen = place.read("seen");
    let own: Vec<&str> =
        seen.lines().filter(|line| line.starts_with('d') && !line.starts_with("drwxrwxrwx")).collect();
    assert!(!own.is_empty() && own.iter().all(|line| line.starts_with("drwx------")), "{seen}");
    assert_eq!(fs::metadata(place.root.join(".derny")).unwrap().mode() & 0o077, 0);
}

#[test]
fn a_link_that_is_there_is_not_written_through() {
    let place = Place::new();
    place.write("victim", "as it was");
    place.write(
        "derny.toml",
        "[suite.s]\nharness = { command = 'true {build}' }\nbuild = 'sh -c \"echo overwritten; exit 1\"'\n",
    );
    let lay = "for n in 0 1 2 3; do ln -s \"$PWD/victim\" \"$T/derny-build-$$-$n\"; done";
    let failed = after(&place, lay, &["run", "--once"]);
    assert!(failed.err.contains("overwritten"), "{}", failed.err);
    assert_eq!(place.read("victim"), "as it was");
}

/// A temporary file may also be next to a file that the user names.
#[test]
fn nor_is_one_beside_a_result() {
    let place = Place::new();
    place.write("victim", "as it was");
    place.tiny(&[]).expect(0);
    let lay = "ln -s victim .out.json.$$";
    after(&place, lay, &["show", "last", "-f", "json", "-o", "out.json"]).expect(0);
    assert_eq!(place.read("victim"), "as it was");
    assert!(place.read("out.json").contains("suites") && !place.root.join("out.json").is_symlink());
}

const BENCH: &str = "import { bench } from 'derny';\nbench('own', () => 1);\n";

/// Returns the folder of the SDKs in a cache.
fn sdks(cache: &Path) -> PathBuf {
    let mut found = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    found.find(|path| path.file_name().unwrap().to_string_lossy().starts_with("sdk-")).unwrap()
}

/// Changes all scripts in a folder so that they leave a mark.
fn tamper(folder: &Path, mark: &Path) {
    let mut changed = 0;
    for path in below(folder) {
        if path.extension().is_some_and(|ending| ["mjs", "cjs", "js"].iter().any(|one| ending == *one)) {
            let line = format!(
                "\nprocess.getBuiltinModule?.('fs').writeFileSync({:?}, '');\n",
                mark.display().to_string()
            );
            fs::write(&path, fs::read_to_string(&path).unwrap() + &line).unwrap();
            changed += 1;
        }
    }
    assert!(changed > 0);
}

#[test]
fn only_the_sdk_that_derny_carries_is_started() {
    let place = Place::new();
    // Put the cache outside the project, because the cache is full of benchmark files.
    place.write("project/derny.toml", "");
    place.write("project/own.bench.mjs", BENCH);
    let (cache, mark) = (place.root.join("cache"), place.root.join("mark"));
    let stated = cache.display().to_string();
    let listed = place.derny_with(&[("DERNY_CACHE", &stated)], &["-C", "project", "list"]).expect(0);
    assert!(listed.out.contains("own"), "{}", listed.out);
    assert_eq!(fs::metadata(&cache).unwrap().mode() & 0o777, 0o700);
    tamper(&sdks(&cache), &mark);
    place.derny_with(&[("DERNY_CACHE", &stated)], &["-C", "project", "run", "--once"]).expect(0);
    assert!(!mark.exists(), "a changed file was run");
    // Without a home directory, files in the folder for temporary files are not trusted.
    let temporary = place.root.join("temporary");
    let theirs = temporary.join("derny").join(sdks(&cache).file_name().unwrap());
    fs::create_dir_all(theirs.parent().unwrap()).unwrap();
    fs::rename(sdks(&cache), &theirs).unwrap();
    tamper(&theirs, &mark);
    let lines = "unset DERNY_CACHE XDG_CACHE_HOME; export HOME=";
    let ran = after(&place, lines, &["-C", "project", "run", "--once"]).expect(0);
    assert!(!mark.exists(), "{}", ran.err);
}

#[test]
fn a_cache_that_all_may_write_is_refused() {
    let place = Place::new();
    place.write("own.bench.mjs", BENCH);
    let cache = place.root.join("above/cache");
    fs::create_dir_all(&cache).unwrap();
    for (path, why) in
        [(&cache, "can be written by others"), (&place.root.join("above"), "can be replaced by others")]
    {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        let refused = place.derny_with(&[("DERNY_CACHE", &cache.display().to_string())], &["list"]).expect(2);
        assert!(refused.err.contains(why) && refused.err.contains("set DERNY_CACHE"), "{}", refused.err);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
