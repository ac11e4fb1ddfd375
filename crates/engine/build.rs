//! Embeds the files that each `sdk/*/sdk.toml` names under `[embed]`, so that one program runs everywhere
//! without looking for its SDKs.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

#[path = "src/discover/carried.rs"]
mod carried;

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let sdks = Path::new(&manifest).join("../../sdk");
    println!("cargo:rerun-if-changed={}", sdks.display());
    let mut source = String::from("pub const EMBEDDED: &[(&str, &str, &[u8])] = &[\n");
    for (sdk, file, path) in carried::files(&sdks).unwrap_or_else(|error| panic!("{error}")) {
        println!("cargo:rerun-if-changed={}", path.display());
        let path = path.canonicalize().expect("it is there");
        writeln!(source, "({sdk:?}, {file:?}, include_bytes!({:?})),", path.display()).expect("a string");
    }
    source.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("embedded.rs");
    fs::write(out, source).expect("OUT_DIR can be written");
}
