//! Passes the compiler's version to the harness, which reports it in its first line.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told =
        Command::new(compiler).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    // The compiler prints, for example, `rustc 1.66.0 (69f9c33d7 2022-12-12)`.
    let told = String::from_utf8_lossy(&told);
    println!("cargo:rustc-env=DERNY_RUSTC={}", told.split(' ').nth(1).unwrap_or("unknown"));
}
