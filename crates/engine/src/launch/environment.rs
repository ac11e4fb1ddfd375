//! The environment of programs that are not Derny's own: harnesses, builds, runtimes, git. They have the user's, but for what lets in at
//! Derny's store. Measured code is not always the user's own, and it has no business there.
//!
//! This is the one place that makes such a command. What a suite or a variant sets in `env` comes afterwards, and stays.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the store is, perhaps with a password.
const OF_STORE: [&str; 1] = ["DERNY_STORE"];
/// What lets in at a database server. Programs that are measured may need it themselves, so that they have it unless it is Derny's.
const OF_SERVER: [&str; 3] = ["PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"];

/// The store is in a database on a server.
static IS_ON_SERVER: AtomicBool = AtomicBool::new(false);

/// From now on the variables with which programs log in at a PostgreSQL server are Derny's own.
pub fn store_is_on_server() {
    IS_ON_SERVER.store(true, Ordering::Relaxed);
}

/// Names of the variables that other programs do not get.
pub fn withheld() -> Vec<&'static str> {
    let of_server = OF_SERVER.iter().filter(|_| IS_ON_SERVER.load(Ordering::Relaxed));
    OF_STORE.iter().chain(of_server).copied().collect()
}

/// A program that is not Derny's own.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    withheld().into_iter().for_each(|variable| _ = command.env_remove(variable));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_in_at_the_store_is_withheld_and_what_is_set_explicitly_stays() {
        let removed = |command: &Command| -> Vec<String> {
            let removed = command.get_envs().filter(|(_, value)| value.is_none());
            removed.map(|(name, _)| name.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(removed(&program("x")), ["DERNY_STORE"]);
        store_is_on_server();
        let mut command = program("x");
        assert_eq!(removed(&command), ["DERNY_STORE", "PGPASSFILE", "PGPASSWORD", "PGSERVICEFILE"]);
        command.env("PGPASSWORD", "of the benchmark");
        assert_eq!(removed(&command), ["DERNY_STORE", "PGPASSFILE", "PGSERVICEFILE"]);
    }
}
