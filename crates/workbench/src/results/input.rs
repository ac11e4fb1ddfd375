//! Reads files, pipes and standard input into memory, up to a limit, because a pipe may never end.

use crate::error::{Doing, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Size limit of a result, in bytes.
const LARGEST: u64 = 2 << 30;

/// Returns all bytes of a file, or of standard input for `-`.
///
/// # Errors
/// Fails if the file cannot be read, or has more than 2 GB.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    read_within(path, LARGEST)
}

/// Returns the content of a file, or of standard input for `-`, as text.
///
/// # Errors
/// Fails if [`read`] fails, or if the content is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let text = String::from_utf8(read(path)?).map_err(|_| io::Error::other("it is not UTF-8 text"));
    text.doing(|| what(path))
}

fn what(path: &Path) -> String {
    match path == Path::new("-") {
        true => "cannot read standard input".into(),
        false => format!("cannot read {}", path.display()),
    }
}

fn read_within(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(most + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| {
            // Reserve exactly the memory that the file needs.
            bytes.reserve_exact(file.metadata()?.len().min(most) as usize + 1);
            file.take(most + 1).read_to_end(&mut bytes)
        }),
    };
    let within = read.and_then(|length| match length as u64 > most {
        true => Err(io::Error::other(format!("it contains more than {} MB", most >> 20))),
        false => Ok(bytes),
    });
    within.doing(|| what(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_never_ends_is_refused() {
        let error = read_within(Path::new("/dev/zero"), 1 << 20).unwrap_err().to_string();
        assert!(error.contains("cannot read /dev/zero") && error.contains("more than 1 MB"), "{error}");
    }

    #[test]
    fn a_file_comes_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        for length in [0, 1, 1 << 16] {
            std::fs::write(&file, vec![b'x'; length]).unwrap();
            assert_eq!(read_within(&file, 1 << 16).unwrap().len(), length);
        }
        assert!(read(&folder.path().join("y")).unwrap_err().to_string().contains("cannot read"));
    }
}
