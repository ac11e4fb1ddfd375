//! Puts programs where the engine looks for them. In place of one that could not be built, or is not to be run, stands a script that
//! says so to the engine.

use crate::Order;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What came of all files.
#[derive(Default)]
pub struct Outcome {
    placed: usize,
    failures: Vec<String>,
}

/// What only programs have that speak to the engine.
const MARK: &str = "DERNY_COMMANDS";

impl Outcome {
    pub fn place(&mut self, order: &Order, file: &Path, executable: &Path) -> Result<(), String> {
        let bytes =
            fs::read(executable).map_err(|why| format!("cannot read {}: {why}", executable.display()))?;
        if !has_mark(executable)? {
            return self.skip(
                order,
                file,
                "its program has none of criterion.rs, divan and #[bench] in it: it is not run",
            );
        }
        self.placed += 1;
        write(&order.program(file), &bytes)
    }

    /// Names a file that is not measured.
    pub fn skip(&mut self, order: &Order, file: &Path, why: &str) -> Result<(), String> {
        // A line of this kind is shown to whoever has the build made.
        println!("derny: {}: {why}", file.strip_prefix(&order.root).unwrap_or(file).display());
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        write(
            &order.program(file),
            script(&format!("case benchmark={} skip={}", encoded(&name), encoded(why))).as_bytes(),
        )
    }

    /// Tells what could not be built.
    pub fn fail(&mut self, order: &Order, file: &Path, why: &str) -> Result<(), String> {
        let mut lines = why.lines();
        let first = lines.next().unwrap_or_default();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let detail: String = lines.take(40).flat_map(|line| [line, "\n"]).collect();
        let line = format!(
            "case benchmark={} error={} detail={}",
            encoded(&name),
            encoded(&format!("it does not compile: {first}")),
            encoded(&detail)
        );
        self.failures.push(format!("{}: {why}", file.display()));
        write(&order.program(file), script(&line).as_bytes())
    }

    /// An error where nothing is left that could be measured.
    pub fn told(&self) -> Result<(), String> {
        match self.failures.first() {
            Some(first) if self.placed == 0 => Err(first.clone()),
            _ => Ok(()),
        }
    }
}

/// `grep` is quick whatever this program was compiled with.
fn has_mark(program: &Path) -> Result<bool, String> {
    let status = Command::new("grep").env("LC_ALL", "C").args(["-q", "-F", MARK]).arg(program).status();
    match status.map(|status| status.code()) {
        Ok(Some(0)) => Ok(true),
        Ok(Some(1)) => Ok(false),
        other => Err(format!("grep cannot read {}: {other:?}", program.display())),
    }
}

/// A program that others may be running is replaced, never written to. What is the same stays as old as it is.
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

/// A harness with one line to tell.
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

/// A value as the protocol spells it.
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
