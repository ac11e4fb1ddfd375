//! Finds the SDK files to embed in the binary: each `sdk/*/sdk.toml`, and the files listed under its
//! `[embed]`.
//!
//! The build script includes this file too, so it must not use the rest of the crate.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the SDK, the file name and the path of each file, in the order of the SDK folders.
///
/// # Errors
/// Fails if an `sdk.toml` cannot be read, or names a missing file.
pub fn files(sdks: &Path) -> Result<Vec<(String, String, PathBuf)>, String> {
    let mut folders: Vec<_> =
        fs::read_dir(sdks).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    folders.sort();
    let mut carried = Vec::new();
    for folder in folders {
        let toml = folder.join("sdk.toml");
        let Ok(text) = fs::read_to_string(&toml) else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = embedded(&text)
            .map_err(|item| format!("{}: {item:?} in [embed] is not a plain name", toml.display()))?;
        for file in std::iter::once("sdk.toml").chain(files) {
            let path = folder.join(file);
            if !path.is_file() {
                return Err(format!("{} names {file}, which does not exist", toml.display()));
            }
            carried.push((name.clone(), file.to_string(), path));
        }
    }
    Ok(carried)
}

/// Returns the names in the array `files` of the table `[embed]`. The array may contain only plain names and
/// full-line comments. This function does not use a TOML parser, because the build script would have to wait
/// for that parser to be built.
///
/// # Errors
/// Fails with the item that is not a plain name.
fn embedded(text: &str) -> Result<Vec<&str>, &str> {
    let table = text.split_once("[embed]").map_or("", |(_, table)| table);
    let array = table.split_once("files = [").and_then(|(_, array)| array.split_once(']'));
    let lines =
        array.map_or("", |(array, _)| array).lines().filter(|line| !line.trim_start().starts_with('#'));
    let items = lines.flat_map(|line| line.split(',')).map(str::trim).filter(|item| !item.is_empty());
    let plain = |item| match str::strip_prefix(item, '"').and_then(|item| item.strip_suffix('"')) {
        Some(name) if !name.contains(['"', '\\']) => Ok(name),
        _ => Err(item),
    };
    items.map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_every_sdk_are_those_that_a_reader_of_toml_finds() {
        let sdks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk");
        let mut found = 0;
        for folder in fs::read_dir(sdks).unwrap() {
            let Ok(text) = fs::read_to_string(folder.unwrap().path().join("sdk.toml")) else { continue };
            let table: toml::Table = text.parse().unwrap();
            let files = table["embed"]["files"].as_array().unwrap();
            let files: Vec<&str> = files.iter().filter_map(toml::Value::as_str).collect();
            assert_eq!(embedded(&text).unwrap(), files);
            found += files.len();
        }
        assert!(found > 100, "{found} files");
        assert_eq!(embedded("[embed]\nfiles = [\"a\", b]\n"), Err("b"));
        assert_eq!(embedded("[launch]\n"), Ok(Vec::new()));
    }
}
