//! Runs a user's command in the folder of a side, with a time limit.

use crate::error::Result;
use crate::project::build::Printed;
use crate::project::git::OF_HOOKS;
use crate::project::limited;
use crate::project::queue;
use derny_engine::launch::environment;
use derny_model::problem;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Number of lines of output that an error shows.
const TAIL: usize = 12;

/// Runs `command` in a shell, in `folder`, with the additional environment variables `env`. Returns None if
/// it succeeds, or else the reason with the last lines of its output. After `limit`, the command and the
/// processes of its group are killed.
///
/// # Errors
/// Fails if the shell cannot be started, or with [`Error::Interrupted`] if the user stops.
pub fn run(
    command: &str,
    folder: &Path,
    env: &[(String, String)],
    (limit, stop): (Duration, &AtomicBool),
) -> Result<Option<String>> {
    let printed = Printed::new()?;
    let mut shell = environment::program("sh");
    OF_HOOKS.iter().for_each(|name| _ = shell.env_remove(name));
    shell.args(["-c", command]).current_dir(folder).envs(env.iter().map(|(name, value)| (name, value)));
    shell.env(queue::VARIABLE, "1");
    shell.stdin(Stdio::null()).stdout(printed.file.try_clone()?).stderr(printed.file.try_clone()?);
    let mut child = shell.process_group(0).spawn().map_err(|error| {
        problem!("`{command}` cannot be started")
            .place(folder.display())
            .why(error)
            .remedy("check that `sh` is installed")
    })?;
    Ok(match limited::wait(&mut child, limit, stop)? {
        Some(status) if status.success() => None,
        Some(status) => {
            let shown = format!("{status}\n{}", printed.last_lines(TAIL).join("\n"));
            Some(shown.trim_end().to_owned())
        }
        None => Some(format!("it did not end within {} s", limit.as_secs())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn of(command: &str, limit_ms: u64) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let limit = Duration::from_millis(limit_ms);
        run(command, folder.path(), &[("A".into(), "b".into())], (limit, &AtomicBool::new(false))).unwrap()
    }

    #[test]
    fn a_check_passes_fails_or_is_stopped() {
        assert_eq!(of("test $A = b", 60_000), None);
        let failed = of("echo first; echo last >&2; exit 3", 60_000).unwrap();
        assert!(failed.contains("3") && failed.ends_with("first\nlast"), "{failed}");
        let hung = of("sleep 600 & sleep 600", 50).unwrap();
        assert!(hung.contains("did not end"), "{hung}");
    }

    #[test]
    fn the_user_can_stop_a_check() {
        let stopped =
            run("sleep 600", Path::new("/"), &[], (Duration::from_secs(600), &AtomicBool::new(true)));
        assert!(matches!(stopped, Err(Error::Interrupted)));
    }
}
