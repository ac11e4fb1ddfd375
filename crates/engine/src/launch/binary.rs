//! Hashes of the native programs that a command starts, by which analysis distinguishes binaries. Also
//! computes a cheap stamp of all files that the command names.

use crate::hash::Fnv;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// First bytes of ELF, Mach-O (both byte orders, single and universal) and PE files, and of archives that
/// contain an entire program.
const NATIVE: [&[u8]; 8] = [
    b"PK\x03\x04",
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"MZ",
];

/// Returns a hash of the native programs among the words of a command. `directory` is the working directory
/// of the command. Returns `None` without a native program, because a script may start anything.
pub fn identity(words: &[String], directory: &Path) -> Option<String> {
    let mut hash = Fnv::new();
    let mut any = false;
    for (path, metadata) in files(words, directory) {
        if let Some(content) = content(&path, &metadata) {
            hash.write(&content.to_le_bytes());
            any = true;
        }
    }
    any.then(|| format!("{:016x}", hash.finish()))
}

/// Returns a hash of one native program, or `None` if the file is missing or not a native program.
pub fn program(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok().filter(Metadata::is_file)?;
    content(path, &metadata).map(|hash| format!("{hash:016x}"))
}

/// Returns a stamp that changes when a file that the command names is rewritten. It consists of sizes
/// and times, so no file is read.
pub fn stamp(words: &[String], directory: &Path) -> u64 {
    let mut hash = Fnv::new();
    for (path, metadata) in files(words, directory) {
        hash.write(path.as_os_str().as_encoded_bytes()).write(&metadata.len().to_le_bytes());
        hash.write(&changed_ns(&metadata).to_le_bytes());
    }
    hash.finish()
}

fn changed_ns(metadata: &Metadata) -> u128 {
    let time = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

/// Returns the regular files among the words. If the first word contains no slash, searches for it on the
/// `PATH`, as the system does.
fn files(words: &[String], directory: &Path) -> Vec<(PathBuf, Metadata)> {
    let file =
        |path: PathBuf| path.metadata().ok().filter(Metadata::is_file).map(|metadata| (path, metadata));
    let on_path = |word: &String| {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).find_map(|folder| file(folder.join(word)))
    };
    let found = |(i, word): (usize, &String)| match i == 0 && !word.contains(['/', '\\']) {
        true => on_path(word),
        false => file(directory.join(word)),
    };
    words.iter().enumerate().filter_map(found).collect()
}

type DigestCache = HashMap<(PathBuf, u64, u128), Option<u64>>;

/// Returns a hash of a program's content, or `None` if it is not a native program. Caches the results,
/// because hashing a hundred megabytes takes hundredths of a second.
fn content(path: &Path, metadata: &Metadata) -> Option<u64> {
    static SEEN: Mutex<Option<DigestCache>> = Mutex::new(None);
    let key = (path.to_path_buf(), metadata.len(), changed_ns(metadata));
    let mut seen = SEEN.lock().ok()?;
    *seen.get_or_insert_default().entry(key).or_insert_with(|| digest(path))
}

/// Number of hashes computed in parallel. Each step of a hash depends on the previous step, so a single hash
/// would take longer than reading the memory.
const LANES: usize = 4;

/// Returns a hash of a native program, or `None` for any other file. Processes eight bytes per lane at a
/// time, because programs are large.
fn digest(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let mut chunk = vec![0; 1 << 20];
    let mut lanes = [1, 2, 3, 4_u64].map(|lane| 0xcbf2_9ce4_8422_2325_u64.wrapping_mul(lane));
    let mut first = true;
    loop {
        let n = fill(&mut file, &mut chunk)?;
        if first && !NATIVE.iter().any(|magic| chunk[..n].starts_with(magic)) {
            return None;
        }
        first = false;
        // Pad the last chunk with zeros. Its length is part of the result.
        let whole = n.next_multiple_of(8 * LANES);
        chunk[n..whole].fill(0);
        for words in chunk[..whole].as_chunks::<{ 8 * LANES }>().0 {
            for (state, word) in lanes.iter_mut().zip(words.as_chunks().0) {
                *state = step(*state, u64::from_le_bytes(*word));
            }
        }
        if n < chunk.len() {
            return Some(lanes.into_iter().fold(n as u64, step));
        }
    }
}

fn step(state: u64, word: u64) -> u64 {
    (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

fn fill(file: &mut File, chunk: &mut [u8]) -> Option<usize> {
    let mut n = 0;
    while n < chunk.len() {
        match file.read(&mut chunk[n..]).ok()? {
            0 => break,
            more => n += more,
        }
    }
    Some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_content() {
        let folder = std::env::temp_dir().join(format!("derny-binary-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &[u8]| std::fs::write(folder.join(name), text).unwrap();
        write("a", b"\x7fELF one and more");
        write("same", b"\x7fELF one and more");
        write("b", b"\x7fELF two and more");
        write("script", b"#!/bin/sh\nexec ./a\n");
        let of = |words: &[&str]| {
            identity(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>(), &folder)
        };
        assert!(of(&["./a"]).is_some());
        assert_eq!(of(&["./a"]), of(&["./same", "--flag"]));
        assert_ne!(of(&["./a"]), of(&["./b"]));
        assert_ne!(of(&["./a", "b"]), of(&["./a"]), "a program given to another counts");
        assert_eq!(of(&["./script"]), None);
        assert_eq!(of(&["./script", "./b"]), of(&["./b"]));
        assert_eq!(of(&["./missing"]), None);
        let words = vec!["./script".to_string()];
        let before = stamp(&words, &folder);
        write("script", b"#!/bin/sh\nexec ./b # now\n");
        assert_ne!(before, stamp(&words, &folder));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
