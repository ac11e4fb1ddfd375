//! Shims of version managers (pyenv, rbenv, nodenv, asdf): scripts in a folder `shims` that look up the
//! chosen version of a program and start it. The lookup takes a tenth of a second, so Derny does it once
//! instead of at every start.

use crate::launch::{LaunchSpec, environment};
use std::borrow::Cow;
use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;

/// Maximum size of a shim in bytes. A larger script is not a shim.
const LONGEST: u64 = 4096;

/// The inputs of a lookup: the shim, the directory, and the variables that the manager reads.
type Key = (PathBuf, PathBuf, Vec<(String, String)>);

static FOUND: Mutex<Option<HashMap<Key, Option<PathBuf>>>> = Mutex::new(None);

/// A script that ends with `exec MANAGER exec NAME "$@"`.
#[derive(Debug, PartialEq)]
struct Shim {
    /// The script's interpreter.
    interpreter: Vec<String>,
    /// The script with its last line replaced, so that it prints the path of the program instead of
    /// starting it.
    asks: String,
    /// Prefix of the manager's variables, such as `PYENV_`.
    prefix: String,
}

/// Returns a launch that skips the shim, if the program of `spec` is one. It names the program that the
/// shim would start in this directory and environment. The folder of that program comes first on the
/// search path, as with the shim.
///
/// Returns the launch unchanged if its program is not a shim, or if the manager does not answer.
pub fn bypassed(spec: &LaunchSpec) -> Cow<'_, LaunchSpec> {
    let unchanged = Cow::Borrowed(spec);
    let Some(word) = spec.command.first().filter(|word| !word.contains('/')) else { return unchanged };
    let own = spec.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| OsString::from(value));
    let Some(path) = own.or_else(|| env::var_os("PATH")) else { return unchanged };
    let Some(file) = env::split_paths(&path).map(|folder| folder.join(word)).find(|file| file.is_file())
    else {
        return unchanged;
    };
    let Some(program) = started_by(&file, spec) else { return unchanged };
    let folders = program.parent().map(Path::to_path_buf).into_iter().chain(env::split_paths(&path));
    let Ok(path) = env::join_paths(folders) else { return unchanged };
    let (Some(program), Some(path)) = (program.to_str(), path.to_str()) else { return unchanged };
    let mut spec = spec.clone();
    spec.command[0] = program.to_string();
    spec.env.retain(|(name, _)| name != "PATH");
    spec.env.push(("PATH".to_string(), path.to_string()));
    Cow::Owned(spec)
}

/// Returns the program that a shim starts, or `None` if the file is not a shim or the manager does not find a
/// program.
fn started_by(file: &Path, spec: &LaunchSpec) -> Option<PathBuf> {
    if file.parent()?.file_name()? != "shims" || file.metadata().ok()?.len() > LONGEST {
        return None;
    }
    let shim = read(&std::fs::read_to_string(file).ok()?)?;
    let is_read = |name: &str| name == "PATH" || name == "HOME" || name.starts_with(&shim.prefix);
    let env = spec.env.iter().filter(|(name, _)| is_read(name)).cloned().collect();
    let mut found = FOUND.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let found = found.get_or_insert_default();
    let key = (file.to_path_buf(), spec.directory.clone(), env);
    found.entry(key).or_insert_with_key(|(file, directory, env)| ask(&shim, file, directory, env)).clone()
}

/// Parses a script. Returns `None` if it is not a shim.
fn read(script: &str) -> Option<Shim> {
    let interpreter = script.lines().next()?.strip_prefix("#!")?;
    let interpreter: Vec<String> = interpreter.split_whitespace().map(str::to_string).collect();
    let script = script.trim_end();
    let (before, last) = script.rsplit_once('\n')?;
    let (manager, name) = last.strip_prefix("exec ")?.split_once(" exec ")?;
    let name = name.split_whitespace().next()?;
    let is_word = |word: &str| !word.contains([' ', ';', '|', '&', '`', '(']);
    let prefix = Path::new(manager.trim_matches('"')).file_name()?.to_str()?.to_uppercase() + "_";
    let asks = format!("{before}\nexec {manager} which {name}\n");
    (is_word(manager) && is_word(name) && !interpreter.is_empty()).then_some(Shim {
        interpreter,
        asks,
        prefix,
    })
}

/// Runs the manager to look up the program.
fn ask(shim: &Shim, file: &Path, directory: &Path, env: &[(String, String)]) -> Option<PathBuf> {
    let mut command = environment::program(&shim.interpreter[0]);
    command.args(&shim.interpreter[1..]).args(["-c", &shim.asks]).arg(file);
    command.current_dir(directory).envs(env.iter().map(|(name, value)| (name, value))).stdin(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    let program = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    (program.is_absolute() && program.is_file()).then_some(program)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_script_that_ends_with_its_manager_is_a_shim() {
        let shim =
            |last: &str| read(&format!("#!/usr/bin/env bash\nset -e\nprogram=\"${{0##*/}}\"\n{last}\n"));
        let pyenv = shim("exec \"/opt/pyenv/libexec/pyenv\" exec \"$program\" \"$@\"").unwrap();
        assert_eq!(pyenv.interpreter, ["/usr/bin/env", "bash"]);
        assert_eq!(pyenv.prefix, "PYENV_");
        assert!(pyenv.asks.ends_with("\nexec \"/opt/pyenv/libexec/pyenv\" which \"$program\"\n"));
        let asdf = shim("exec asdf exec \"node\" \"$@\" # asdf_allow: ' asdf '").unwrap();
        assert!(asdf.asks.ends_with("\nexec asdf which \"node\"\n") && asdf.prefix == "ASDF_");
        // These scripts do more than choose a version.
        for last in ["exec python3.11 \"$@\"", "exec nice -n 5 exec python \"$@\"", "python3 exec x", ""] {
            assert_eq!(shim(last), None, "{last}");
        }
        assert_eq!(read("exec pyenv exec python"), None);
    }

    #[test]
    fn the_manager_is_asked_once_for_each_directory_and_choice() {
        let place = env::temp_dir().join(format!("derny-shim-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let file = place.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        };
        let root = place.display();
        write(
            "bin/toyenv",
            &format!(
                "#!/bin/sh\necho asked >>{root}/asked\ncat=$(cat version)\necho {root}/${{TOYENV_VERSION:-$cat}}/$2\n"
            ),
        );
        write(
            "shims/toy",
            &format!("#!/bin/sh\nprogram=${{0##*/}}\nexec {root}/bin/toyenv exec \"$program\" \"$@\"\n"),
        );
        for version in ["1", "2", "3"] {
            write(&format!("{version}/toy"), "#!/bin/sh\n");
        }
        write("one/version", "1");
        write("two/version", "2");
        write("none/version", "9");
        let started = |folder: &str, env: &[(&str, &str)]| {
            let path = format!("{root}/shims:/usr/bin:/bin");
            let own = [("PATH", path.as_str())];
            let env =
                own.iter().chain(env).map(|(name, value)| (name.to_string(), value.to_string())).collect();
            let command = vec!["toy".to_string(), "x".to_string()];
            let (capture, directory) = (None, place.join(folder));
            let spec =
                LaunchSpec { command, env, directory, padding: 0, echo: false, capture, descriptors: false };
            bypassed(&spec).into_owned()
        };
        for _ in 0..2 {
            let one = started("one", &[("N", "1")]);
            assert_eq!(one.command, [format!("{root}/1/toy"), "x".to_string()]);
            let path = one.env.iter().filter(|(name, _)| name == "PATH").collect::<Vec<_>>();
            assert_eq!(path.len(), 1);
            assert!(path[0].1.starts_with(&format!("{root}/1:{root}/shims:")));
            assert_eq!(started("one", &[("N", "2")]).command[0], format!("{root}/1/toy"));
            assert_eq!(started("two", &[]).command[0], format!("{root}/2/toy"));
            assert_eq!(started("two", &[("TOYENV_VERSION", "3")]).command[0], format!("{root}/3/toy"));
            assert_eq!(started("none", &[]).command[0], "toy", "there is no such program");
        }
        assert_eq!(fs::read_to_string(place.join("asked")).unwrap().lines().count(), 4);
        fs::remove_dir_all(place).unwrap();
    }
}
