//! Which files an engine carries: those that each `sdk/*/sdk.toml` names under `[embed]`, and the `sdk.toml` itself.
//!
//! The build script is made of this file too, so it knows nothing of the rest of the crate.

use std::fs;
use std::path::{Path, PathBuf};

/// Folder of the SDK, file in it, and where that file is; in order of folders.
///
/// # Errors
/// An `sdk.toml` that cannot be read, or that names a file that is not there.
pub fn files(sdks: &Path) -> Result<Vec<(String, String, PathBuf)>, String> {
    let mut folders: Vec<_> =
        fs::read_dir(sdks).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    folders.sort();
    let mut carried = Vec::new();
    for folder in folders {
        let toml = folder.join("sdk.toml");
        let Ok(text) = fs::read_to_string(&toml) else { continue };
        let table: toml::Table = text.parse().map_err(|error| format!("{}: {error}", toml.display()))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = table.get("embed").and_then(|embed| embed.get("files")).and_then(toml::Value::as_array);
        let files = files.into_iter().flatten().filter_map(toml::Value::as_str);
        for file in std::iter::once("sdk.toml").chain(files) {
            let path = folder.join(file);
            if !path.is_file() {
                return Err(format!("{} names {file}, which is not there", toml.display()));
            }
            carried.push((name.clone(), file.to_string(), path));
        }
    }
    Ok(carried)
}
