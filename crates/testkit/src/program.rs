//! Finds the scripted harness, for tests of packages that do not build it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns the path of `derny-fake-harness`, in the folder above that of the test program. Builds the
/// harness if it is missing or outdated, because Cargo does not build the programs of one package for
/// the tests of another. `DERNY_FAKE_HARNESS` overrides the path.
///
/// # Panics
///
/// Panics if the program cannot be built.
pub fn fake_harness() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        if let Some(built) = std::env::var_os("DERNY_FAKE_HARNESS") {
            return built.into();
        }
        let test = std::env::current_exe().expect("a test has a program");
        let folder = test.ancestors().nth(2).expect("a test lies in the target folder");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--package", "derny-testkit", "--bin", "derny-fake-harness"]);
        command.args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
        command.arg("--target-dir").arg(folder.parent().expect("a profile lies in the target folder"));
        if folder.ends_with("release") {
            command.arg("--release");
        }
        assert!(command.status().expect("cargo is there").success(), "the scripted harness cannot be built");
        folder.join(format!("derny-fake-harness{}", std::env::consts::EXE_SUFFIX))
    })
}
