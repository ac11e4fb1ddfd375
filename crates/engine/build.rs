//! Puts the files that each `sdk/*/sdk.toml` names under `[embed]` into the binary, so that one program runs
//! everywhere without looking for its SDKs.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let sdks = Path::new(&manifest).join("../../sdk");
    println!("cargo:rerun-if-changed={}", sdks.display());
    let mut folders: Vec<_> =
        fs::read_dir(&sdks).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    folders.sort();
    let mut source = String::from("pub const EMBEDDED: &[(&str, &str, &[u8])] = &[\n");
    for folder in folders {
        let toml = folder.join("sdk.toml");
        let Ok(text) = fs::read_to_string(&toml) else { continue };
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", toml.display()));
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let files = table.get("embed").and_then(|embed| embed.get("files")).and_then(toml::Value::as_array);
        let files = files.into_iter().flatten().filter_map(toml::Value::as_str);
        for file in std::iter::once("sdk.toml").chain(files) {
            let path = folder.join(file);
            println!("cargo:rerun-if-changed={}", path.display());
            assert!(path.is_file(), "{} names {file}, which is not there", toml.display());
            let path = path.canonicalize().expect("it is there");
            writeln!(source, "({name:?}, {file:?}, include_bytes!({:?})),", path.display())
                .expect("a string");
        }
    }
    source.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("embedded.rs");
    fs::write(out, source).expect("OUT_DIR can be written");
}
