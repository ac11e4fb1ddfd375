//! Writes programs to the paths that the engine expects. For a file that could not be built or must not run,
//! writes a script that reports the reason to the engine.

use crate::Order;
use std::fs;
use std::path::Path;
use std::process::Command;

#[derive(Default)]
pub struct Outcome {
    placed: usize,
    failures: Vec<String>,
}

/// A string that only programs with this harness contain.
const MARK: &str = "DERNY_COMMANDS";

impl Outcome {
    pub fn place(&mut self, order: &Order, file: &Path, executable: &Path) -> Result<(), String> {
        let bytes =
            fs::read(executable).map_err(|why| format!("cannot read {}: {why}", executable.display()))?;
        if !has_mark(executable)? {
            return self.skip(
                order,
                file,
                "not run: its program uses none of criterion.rs, divan and #[bench]",
            );
        }
        self.placed += 1;
        write(&order.program(file), &bytes)
    }

    pub fn skip(&mut self, order: &Order, file: &Path, why: &str) -> Result<(), String> {
        // The engine shows lines of this form to the user.
        println!("derny: {}: {why}", file.strip_prefix(&order.root).unwrap_or(file).display());
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        write(
            &order.program(file),
            script(&format!("case benchmark={} skip={}", encoded(&name), encoded(why))).as_bytes(),
        )
    }

    pub fn fail(&mut self, order: &Order, file: &Path, why: &str) -> Result<(), String> {
        let mut lines = why.lines();
        let first = lines.next().unwrap_or_default();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let detail: String = lines.take(40).flat_map(|line| [line, "\n"]).collect();
        let line = format!(
            "case benchmark={} error={} detail={}",
            encoded(&name),
            encoded(&format!("compilation failed: {first}")),
            encoded(&detail)
        );
        self.failures.push(format!("{}: {why}", file.display()));
        write(&order.program(file), script(&line).as_bytes())
    }

    /// Fails if there is no program to measure and at least one could not be built.
    pub fn told(&self) -> Result<(), String> {
        match self.failures.first() {
            Some(first) if self.placed == 0 => Err(first.clone()),
            _ => Ok(()),
        }
    }
}

/// Returns true if a program contains [`MARK`]. Uses `grep`, because this program is not optimised and would
/// be slow.
fn has_mark(program: &Path) -> Result<bool, String> {
    let status = Command::new("grep").env("LC_ALL", "C").args(["-q", "-F", MARK]).arg(program).status();
    match status.map(|status| status.code()) {
        Ok(Some(0)) => Ok(true),
        Ok(Some(1)) => Ok(false),
        other => Err(format!("grep cannot read {}: {other:?}", program.display())),
    }
}

/// Replaces a program instead of overwriting it, because it may be running. Does not touch an identical
/// program, so that its modification time stays the same.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).map_or(false, |known| known == bytes) {
        return Ok(());
    }
    let failed = |why: std::io::Error| format!("cannot write {}: {why}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let fresh = path.with_extension("new");
    fs::write(&fresh, bytes).map_err(failed)?;
    executable(&fresh).map_err(failed)?;
    fs::rename(&fresh, path).map_err(failed)
}

#[cfg(unix)]
fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Returns a shell script that behaves like a harness and answers `list` with one line.
fn script(line: &str) -> String {
    format!(
        "#!/bin/sh\nexec 3>\"$DERNY_REPLIES\" 4<\"$DERNY_COMMANDS\"\n\
         echo \"derny 1 language=rust runtime=rust/none harness=none pid=$$ clock=none step_ns=1\" >&3\n\
         while read -r command <&4; do\n\
         case $command in\n\
         list*) printf '%s\\n' '{}' end >&3 ;;\n\
         quit) exit 0 ;;\n\
         *) echo 'error message=there%20is%20nothing%20to%20measure' >&3 ;;\n\
         esac\ndone\n",
        line.replace('\'', "'\\''")
    )
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'%' | b'=' | 0..=0x20 | 0x7f => out.push_str(&format!("%{byte:02X}")),
            0x80.. => out.push_str(&format!("%{byte:02X}")),
            _ => out.push(byte as char),
        }
    }
    out
}
